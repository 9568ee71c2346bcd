/// \file
/// Limits of options, and what they mean for a problem.
#pragma once

#include <clopt/fit.hpp>
#include <support/threads/thread_team.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace clopt::fit {

/// They are counted in floats.
inline constexpr std::uint64_t most_iterations = 1'000'000;
/// A row of the normal equations lies in a work-item's registers.
inline constexpr std::size_t most_parameters = 32;

/// The number in shared/fit/fit.h of a loss of the field.
std::uint32_t loss_of(std::string_view name);

/// The precision of a run, and why.
struct Precision {
  bool is_double = false;
  std::string reason;
};

/// The least and the greatest of finite numbers; 0 and 0 where there is none.
struct Extent {
  double least = 0;
  double most = 0;
};

/// What a run must know of all numbers before it begins.
struct Survey {
  Extent data;
  Extent places;
  bool has_gaps = false;  ///< whether data are missing
};
/// O(size of data and places / threads).
Survey survey(const Problem& problem, ThreadTeam& threads);

Precision precision_of(const Survey& numbers, const Options& options);

/// The objective of the residuals, which knows what rows have; what all rows share is a table of it.
Objective residuals_of(const Problem& problem, bool has_gaps);

}  // namespace clopt::fit
