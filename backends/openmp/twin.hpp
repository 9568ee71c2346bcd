/// \file
/// A twin is what the OpenMP backend has for a kernel of kernels_cl: a C++ function of the same name and result.
///
/// The list of kernels is made while the project builds. A kernel without a twin is an undefined symbol when this
/// backend is linked; a twin for a kernel that does not exist, or with other parameters, does not compile.
#pragma once

#include <clopt/queue.hpp>

#include <functional>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace clopt::openmp {

// A program's objective as code of the host's: only twins that use it include openmp/objective/objective.hpp.
class ObjectiveCode;

/// Memory of the host, as the OpenMP device has it.
class HostMemory : public Memory {
 public:
  HostMemory(const std::string& name, std::size_t bytes);
  ~HostMemory() override;
  void* data() const { return data_; }
  void* host() const override { return data_; }

 private:
  void* data_;
};

namespace detail {

/// The struct of arguments that a twin's function takes last, and whether it takes an ObjectiveCode first.
template <class Function>
struct TwinFunction {};
template <class Function>
requires requires { &Function::operator(); }
struct TwinFunction<Function> : TwinFunction<decltype(&Function::operator())> {};
template <class A>
struct TwinFunction<void (*)(const Range&, const A&)> {
  using Arguments = A;
  static constexpr bool needs_objective = false;
};
template <class A>
struct TwinFunction<void (*)(const ObjectiveCode&, const Range&, const A&)> {
  using Arguments = A;
  static constexpr bool needs_objective = true;
};
template <class C, class A>
struct TwinFunction<void (C::*)(const Range&, const A&) const> : TwinFunction<void (*)(const Range&, const A&)> {};
template <class C, class A>
struct TwinFunction<void (C::*)(const ObjectiveCode&, const Range&, const A&) const>
    : TwinFunction<void (*)(const ObjectiveCode&, const Range&, const A&)> {};

}  // namespace detail

/// One function of a twin, for one choice of the operation's generic types.
class Implementation {
 public:
  /// \param function `void(const Range&, const Arguments&)`, where Arguments is the operation's struct; or with the
  ///        ObjectiveCode of the program before them.
  template <class Function, class Arguments = typename detail::TwinFunction<Function>::Arguments>
  Implementation(Function function)  // NOLINT(google-explicit-constructor): it is a function with its types
      : info_(Arguments::info),
        needs_objective_(detail::TwinFunction<Function>::needs_objective),
        run_([function]([[maybe_unused]] const ObjectiveCode* objective, const Range& range,
                        std::span<const Argument> erased) {
          if constexpr (detail::TwinFunction<Function>::needs_objective)
            function(*objective, range, Arguments::of(erased));
          else
            function(range, Arguments::of(erased));
        }) {}

  /// \param run a function that takes the arguments without their types.
  Implementation(const OperationInfo& info, std::function<void(const Range&, std::span<const Argument>)> run)
      : info_(info),
        run_([run = std::move(run)](const ObjectiveCode*, const Range& range, std::span<const Argument> erased) {
          run(range, erased);
        }) {}

  const OperationInfo& info() const { return info_; }
  bool needs_objective() const { return needs_objective_; }
  /// \param objective the program's, where needs_objective().
  void run(const ObjectiveCode* objective, const Range& range, std::span<const Argument> arguments) const {
    run_(objective, range, arguments);
  }

 private:
  OperationInfo info_;
  bool needs_objective_ = false;
  std::function<void(const ObjectiveCode*, const Range&, std::span<const Argument>)> run_;
};

/// The functions of one kernel name.
class Twin {
 public:
  /// For an operation without generic types.
  explicit Twin(Implementation implementation) : implementations_{std::move(implementation)} {}
  /// For an operation with generic types: one function for each choice.
  Twin(std::initializer_list<Implementation> implementations) : implementations_(implementations) {}

  /// The function for an operation's types, or none.
  const Implementation* find(const OperationInfo& operation) const {
    for (const auto& implementation : implementations_)
      if (implementation.info().generics == operation.generics) return &implementation;
    return nullptr;
  }

 private:
  std::vector<Implementation> implementations_;
};

/// The twin of a kernel name, or none.
const Twin* find_twin(std::string_view name);

}  // namespace clopt::openmp

#define CLOPT_TWIN(folder, name)    \
  namespace clopt::openmp::folder { \
  extern const Twin name;           \
  }
#include <generated/twins.inc>
#undef CLOPT_TWIN
