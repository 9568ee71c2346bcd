/// \file
/// What is told of a bound, and of a run.
#pragma once

#include <clopt/device.hpp>
#include <clopt/exchange.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <frame/output.hpp>

namespace clopt::apps::exchange {

/// Adds to a result what it has of a problem and its bound, the certificate included.
void add_problem(Json& object, const clopt::exchange::Problem& problem, const clopt::exchange::Bound& bound);

/// A bound for people.
std::string bound_text(const clopt::exchange::Bound& bound);

/// What belongs to a run besides the solver's result.
struct Report {
  const clopt::exchange::Problem& problem;
  const clopt::exchange::Result& result;
  const std::vector<DeviceInfo>& devices;
  std::uint64_t seed;
  double read_seconds;
  double open_seconds;
};

/// The result for --json, and for people.
Json to_json(const Report& report);
std::string to_text(const Report& report);

}  // namespace clopt::apps::exchange
