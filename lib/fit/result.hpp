#pragma once

#include <clopt/fit.hpp>
#include <run/record_fields.hpp>
#include <support/threads/thread_team.hpp>

namespace clopt::fit {

/// Calls `work(name, member)` for each column of a result.
template <class Work>
void for_columns(const Work& work) {
  work("parameters", &Result::parameters);
  work("errors", &Result::errors);
  work("covariance", &Result::covariance);
  work("chi_squared", &Result::chi_squared);
  work("degrees_of_freedom", &Result::degrees_of_freedom);
  work("statuses", &Result::statuses);
  work("iterations", &Result::iterations);
}

/// Its members, for records and for messages between ranks.
template <class Archive>
void fields(Archive& archive, Result& result) {
  archive("run", static_cast<RunResult&>(result));
  for_columns([&](const char* name, auto column) { archive(name, result.*column); });
  archive("converged", result.converged)("precision", result.precision);
}

/// Copies the columns of consecutive rows to those of a range, from its row `first` on.
void put_rows(const Result& rows, std::uint64_t first, Result& result);

/// Of all that rows have.
void set_checksum(Result& result, ThreadTeam& threads);

}  // namespace clopt::fit
