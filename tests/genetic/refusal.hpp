/// \file
/// What a run refuses.
#pragma once

#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>

#include <string>

namespace clopt::test {

/// The message of a run that is refused.
inline std::string refusal(const genetic::Problem& problem, const genetic::Options& options) {
  try {
    genetic::solve(problem, options, device());
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace clopt::test
