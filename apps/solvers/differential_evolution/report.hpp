/// \file
/// The report of a run, or of one whose slices were merged.
#pragma once

#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <frame/output/output.hpp>
#include <frame/status.hpp>

namespace clopt::apps::differential_evolution {

/// What the report of a run needs besides its result, and what slices keep of it.
struct Facts {
  std::string objective;
  std::size_t dimensions = 1;
  std::size_t problems = 1;
  std::size_t columns = 0;
  std::string precision;
  std::string strategy;
  std::string adapt;
  std::uint64_t seed = 1;
  std::optional<double> target;
  bool is_fit = false;
};
Facts facts_of(const clopt::differential_evolution::Problem& problem,
               const clopt::differential_evolution::Options& options);
Json to_json(const Facts& facts);
/// \throws what Json throws.
Facts facts_of(const Json& json);

/// What belongs to a run besides the solver's result.
struct Report {
  const Facts& facts;
  const clopt::differential_evolution::Result& result;
  const std::vector<DeviceInfo>& devices;
  double open_seconds = 0;
  std::optional<std::uint64_t> resumed_generation{};  ///< of the checkpoint that it went on from
};
Json to_json(const Report& report);
std::string to_text(const Report& report);
/// The exit status.
int status_of(const Report& report);

/// JSON has no infinity.
Json number_json(double value);

/// A search among no values at all has no answer. \throws InvalidInput.
void require_values(const Facts& facts, const clopt::differential_evolution::Result& result);

}  // namespace clopt::apps::differential_evolution
