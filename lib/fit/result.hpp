#pragma once

#include <clopt/fit.hpp>
#include <run/record_fields.hpp>
#include <support/threads/thread_team.hpp>

namespace clopt::fit {

/// Its members, for records and for messages between ranks.
template <class Archive>
void fields(Archive& archive, Result& result) {
  archive("run", static_cast<RunResult&>(result))("parameters", result.parameters)("errors", result.errors);
  archive("covariance", result.covariance)("chi_squared", result.chi_squared);
  archive("degrees_of_freedom", result.degrees_of_freedom)("statuses", result.statuses)("iterations",
                                                                                        result.iterations);
  archive("converged", result.converged)("precision", result.precision);
}

/// Of all that rows have.
void set_checksum(Result& result, ThreadTeam& threads);

}  // namespace clopt::fit
