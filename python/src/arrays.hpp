/// \file
/// Read-only numpy arrays over the library's memory, which they keep.
#pragma once

#include <clopt/detail/huge_pages.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace clopt::python {

namespace nb = nanobind;

/// A numpy array of numbers that `owner` keeps. Nothing is copied.
template <class T>
nb::object array_over(const std::shared_ptr<const void>& owner, const T* numbers,
                      std::initializer_list<std::size_t> shape) {
  static const T nothing{};
  nb::capsule capsule(new std::shared_ptr<const void>(owner),
                      [](void* kept) noexcept { delete static_cast<std::shared_ptr<const void>*>(kept); });
  return nb::cast(nb::ndarray<nb::numpy, const T>(numbers ? numbers : &nothing, shape.size(), shape.begin(), capsule));
}
template <class T, class Allocator>
nb::object array_over(const std::shared_ptr<const void>& owner, const std::vector<T, Allocator>& numbers) {
  return array_over(owner, numbers.data(), {numbers.size()});
}

/// A numpy array that keeps the numbers itself.
template <class T>
nb::object array_of(std::vector<T> numbers) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
  return array_over(kept, *kept);
}
template <class T>
nb::object array_of(std::vector<T> numbers, std::size_t columns) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
  return array_over(kept, kept->data(), {columns == 0 ? 0 : kept->size() / columns, columns});
}

/// Numbers that Python passes: any array or sequence of them that numpy makes one of this type of.
template <class T>
using Numbers = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> vector_of(const Numbers<T>& numbers) {
  std::vector<T> vector;
  reserve_in_huge_pages(vector, numbers.size());
  vector.assign(numbers.data(), numbers.data() + numbers.size());
  return vector;
}

}  // namespace clopt::python
