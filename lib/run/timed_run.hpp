/// \file
/// A run whose result states the times that its caller waited.
#pragma once

#include <clopt/detail/run_times.hpp>

#include <type_traits>

namespace clopt {

/// What all solvers' results have in common, of one of them.
template <class Result>
RunResult& run_of(Result& result) {
  if constexpr (std::is_base_of_v<RunResult, Result>)
    return result;
  else
    return result.run;
}

/// Calls \p work, to the end of its last object, and sets the times of the result that it returns.
template <class Work>
auto timed(const Work& work) {
  const RunTimes times;
  auto result = work();
  run_of(result).seconds = times.seconds();
  return result;
}

}  // namespace clopt
