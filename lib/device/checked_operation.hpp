/// \file
/// Declares an operation and checks it against its kernel in kernels_cl while the library compiles: a misspelt name,
/// a parameter of another type, one too many or too few does not compile.
#pragma once

#include <clopt/operation.hpp>
#include <generated/kernel_entries.hpp>
#include "kernel_list.hpp"

#include <cstddef>
#include <iterator>
#include <string_view>

namespace clopt {
// These are constexpr and not consteval, since clang 14 takes no consteval call in a consteval function.
namespace checked {

// The kernel's place in the list, or the list's length; g++'s sanitizers take no comparison of pointers here.
constexpr std::size_t find_kernel(std::string_view name) {
  std::size_t index = 0;
  while (index < std::size(generated::kernel_entries) && generated::kernel_entries[index].name != name) ++index;
  return index;
}

// Takes the first type off a list.
constexpr std::string_view take_type(std::string_view& list) {
  const auto end = list.find(',');
  const auto type = list.substr(0, end);
  list = end == list.npos ? std::string_view{} : list.substr(end + 1);
  return type;
}

constexpr bool same_type(std::string_view written, std::string_view type, const Generic (&generics)[2]) {
  for (const auto& generic : generics)
    if (!generic.name.empty() && generic.name == written) return generic.type == type;
  return written == type;
}

constexpr bool same_pointer(std::string_view written, std::string_view space, std::string_view type,
                            const Generic (&generics)[2]) {
  return written.starts_with(space) && written.ends_with('*') &&
         same_type(written.substr(space.size(), written.size() - space.size() - 1), type, generics);
}

template <class Parameter>
struct Matches {
  static constexpr bool written_as(std::string_view written, const Generic (&generics)[2]) {
    return same_type(written, opencl_type_name<Parameter>(), generics);
  }
};
template <class T>
struct Matches<In<T>> {
  static constexpr bool written_as(std::string_view written, const Generic (&generics)[2]) {
    return same_pointer(written, "global const ", opencl_type_name<T>(), generics);
  }
};
template <class T>
struct Matches<InOut<T>> {
  static constexpr bool written_as(std::string_view written, const Generic (&generics)[2]) {
    return !written.starts_with("global const ") &&
           (same_pointer(written, "global ", opencl_type_name<T>(), generics) ||
            same_pointer(written, "global volatile ", opencl_type_name<T>(), generics));
  }
};
template <class T>
struct Matches<Local<T>> {
  static constexpr bool written_as(std::string_view written, const Generic (&generics)[2]) {
    return same_pointer(written, "local ", opencl_type_name<T>(), generics);
  }
};

}  // namespace checked

/// Declares an operation of kernels_cl.
/// \param name "folder/kernel"; \param first, second the types that generic names of its parameters stand for.
template <class... Parameters>
consteval Operation<Parameters...> operation(std::string_view name, Generic first = {}, Generic second = {}) {
  const auto index = checked::find_kernel(name);
  if (index == std::size(generated::kernel_entries)) throw "kernels_cl has no kernel of this name";
  const auto& entry = generated::kernel_entries[index];
  const Generic generics[2] = {first, second};
  auto written = entry.parameters;
  const bool same = (checked::Matches<Parameters>::written_as(checked::take_type(written), generics) && ...);
  if (!same || !written.empty()) throw "the kernel of this name has other parameters";
  Operation<Parameters...> operation;
  operation.name = entry.name;
  operation.generics = {first, second};
  return operation;
}

}  // namespace clopt
