/// \file
/// A twin is what the OpenMP backend has for a kernel of kernels_cl: a C++ function of the same name and result.
///
/// The list of kernels is made while the project builds. A kernel without a twin is an undefined symbol when this
/// backend is linked; a twin for a kernel that does not exist, or with other parameters, does not compile.
#pragma once

#include <clopt/queue.hpp>

#include <concepts>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace clopt::openmp {

// A program's objective as code of the host's: only twins that use it include openmp/objective/objective.hpp.
class ObjectiveCode;

/// What a twin's function takes for a parameter of its operation.
template <class Parameter>
struct TwinArgument {
  using Type = Parameter;
  static Type of(const Argument& argument) {
    Type value;
    std::memcpy(&value, argument.value, sizeof value);
    return value;
  }
};

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

template <class T>
std::span<T> span_of(const Argument& argument) {
  return {static_cast<T*>(static_cast<HostMemory*>(argument.memory)->data()), argument.bytes / sizeof(T)};
}

template <class T>
struct TwinArgument<In<T>> {
  using Type = std::span<const T>;
  static Type of(const Argument& argument) { return span_of<const T>(argument); }
};
template <class T>
struct TwinArgument<InOut<T>> {
  using Type = std::span<T>;
  static Type of(const Argument& argument) { return span_of<T>(argument); }
};
template <class T>
struct TwinArgument<Local<T>> {
  using Type = LocalMemory<T>;
  static Type of(const Argument& argument) { return {argument.bytes / sizeof(T)}; }
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
        parameters_(std::tuple_size_v<decltype(std::declval<const Arguments&>().arguments())>),
        needs_objective_(detail::TwinFunction<Function>::needs_objective),
        run_([function]([[maybe_unused]] const ObjectiveCode* objective, const Range& range,
                        std::span<const Argument> erased) {
          if constexpr (detail::TwinFunction<Function>::needs_objective)
            function(*objective, range, Arguments::of(erased));
          else
            function(range, Arguments::of(erased));
        }) {}
  /// \param function takes a Range and, in order, what TwinArgument says for each parameter of the operation; or,
  /// before
  ///        them, the ObjectiveCode of the program.
  template <class... Parameters, class Function>
  requires std::invocable<Function, const Range&, typename TwinArgument<Parameters>::Type...> Implementation(
      const Operation<Parameters...>& operation, Function function)
      : info_(operation),
        parameters_(sizeof...(Parameters)),
        run_([function](const ObjectiveCode*, const Range& range, std::span<const Argument> arguments) {
          call<Parameters...>(function, arguments, std::index_sequence_for<Parameters...>{}, range);
        }) {}
  template <class... Parameters, class Function>
  requires std::invocable<Function, const ObjectiveCode&, const Range&, typename TwinArgument<Parameters>::Type...>
  Implementation(const Operation<Parameters...>& operation, Function function)
      : info_(operation),
        parameters_(sizeof...(Parameters)),
        needs_objective_(true),
        run_([function](const ObjectiveCode* objective, const Range& range, std::span<const Argument> arguments) {
          call<Parameters...>(function, arguments, std::index_sequence_for<Parameters...>{}, *objective, range);
        }) {}

  const OperationInfo& info() const { return info_; }
  std::size_t parameters() const { return parameters_; }
  bool needs_objective() const { return needs_objective_; }
  /// \param objective the program's, where needs_objective().
  void run(const ObjectiveCode* objective, const Range& range, std::span<const Argument> arguments) const {
    run_(objective, range, arguments);
  }

 private:
  template <class... Parameters, class Function, std::size_t... index, class... Before>
  static void call(const Function& function, [[maybe_unused]] std::span<const Argument> arguments,
                   std::index_sequence<index...>, const Before&... before) {
    function(before..., TwinArgument<Parameters>::of(arguments[index])...);
  }

  OperationInfo info_;
  std::size_t parameters_;
  bool needs_objective_ = false;
  std::function<void(const ObjectiveCode*, const Range&, std::span<const Argument>)> run_;
};

/// The functions of one kernel name.
class Twin {
 public:
  template <class... Parameters, class Function>
  Twin(const Operation<Parameters...>& operation, Function function)
      : implementations_{Implementation(operation, function)} {}
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
