/// \file
/// What a kernel is built with: typed defines and texts of the user's.
#pragma once

#include <clopt/export.hpp>

#include <clopt/operation.hpp>

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace clopt {

/// Names that a kernel is built with, and their values: whole numbers, floating point numbers to the last bit, types.
/// Ordered by name, so that equal sets give equal programs.
class CLOPT_API Defines {
 public:
  /// \param value is written as an OpenCL C literal of its own type.
  template <std::integral T>
  Defines& set(const std::string& name, T value) {
    if constexpr (std::is_same_v<T, bool>)
      return set_text(name, value ? "1" : "0");
    else if constexpr (std::is_signed_v<T>)
      return set_integer(name, static_cast<std::int64_t>(value), sizeof(T) > 4);
    else
      return set_natural(name, static_cast<std::uint64_t>(value), sizeof(T) > 4);
  }
  Defines& set(const std::string& name, float value);
  Defines& set(const std::string& name, double value);
  /// Makes \p name stand for the type T in OpenCL C.
  template <class T>
  Defines& set_type(const std::string& name) {
    return set_text(name, std::string(opencl_type_name<T>()));
  }
  /// Name to OpenCL C text.
  const std::map<std::string, std::string>& entries() const { return entries_; }
  /// The text for \p name, or an empty one.
  std::string_view find(const std::string& name) const;

 private:
  Defines& set_text(const std::string& name, std::string text);
  Defines& set_integer(const std::string& name, std::int64_t value, bool wide);
  Defines& set_natural(const std::string& name, std::uint64_t value, bool wide);

  std::map<std::string, std::string> entries_;
};

/// A function of the caller's. Only devices in the host's own memory can call it; what derives from this says how.
class CLOPT_API HostFunction {
 public:
  /// \param name what messages call it.
  explicit HostFunction(std::string name) : name_(std::move(name)) {}
  HostFunction(const HostFunction&) = delete;
  HostFunction& operator=(const HostFunction&) = delete;
  virtual ~HostFunction();
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// How an operation's kernel is built.
struct Program {
  Defines defines;
  /// Texts that the kernel's source includes by name, such as an objective of the user's.
  std::map<std::string, std::string> texts;
  /// A function that the operation calls in place of a text; devices that cannot call it refuse the program.
  std::shared_ptr<const HostFunction> host_function;
  /// What messages call the objective of the user's that the operation calls; empty without one. Nothing else depends
  /// on it.
  std::string objective;
  /// The requested sub-group width; 0: the device's default. A device may refuse a width other than its default.
  std::uint32_t subgroup_size = 0;
  /// The registers of a work-item, at most, where the device's compiler has such a limit; 0: no limit. Fewer let more
  /// work-groups run side by side. Such a kernel is built with CLOPT_GIVEN_REGISTERS, and must not require a size of
  /// work-groups then.
  std::uint32_t registers = 0;
  /// Lets the compiler change floating-point results for speed: results then differ between devices.
  bool fast_math = false;
  /// Whether launches compute for less time than a compiler takes to optimise them: a backend may do without, and leave
  /// out code that takes many work-items at once. The bits are the same.
  bool quick_build = false;
};

}  // namespace clopt
