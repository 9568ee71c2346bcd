/// \file
/// The report of a problem, its bound and a schedule.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <frame/output/output.hpp>
#include <frame/status.hpp>
#include "topology.hpp"

namespace clopt::apps::exchange {

/// What belongs to a run besides the solver's result.
struct Report {
  const clopt::exchange::Problem& problem;
  const clopt::exchange::Result& result;
  const std::vector<DeviceInfo>& devices;
  std::uint64_t seed;
  double read_seconds;
  double open_seconds;
};
Json to_json(const Report& report);
std::string to_text(const Report& report);
/// The exit status.
int status_of(const clopt::exchange::Result& result);

/// Adds the fields of a problem and its bound.
void add_problem(Json& object, const clopt::exchange::Problem& problem, const clopt::exchange::Bound& bound);
std::string bound_text(const clopt::exchange::Bound& bound);

/// Writes a schedule, or a topology, as the name of the file says. \returns what went wrong, or an empty text.
std::string write_output(const std::string& file, const clopt::exchange::Problem& problem,
                         const clopt::exchange::Schedule& schedule, const Faults& faults, std::uint64_t seed);
/// Refuses files whose names do not say what to write. \throws InvalidInput.
void check_outputs(const std::vector<std::string>& files);

/// What slices keep of a run.
Json facts_of(const clopt::exchange::Problem& problem, const Faults& faults, std::uint64_t seed);

}  // namespace clopt::apps::exchange
