/// \file
/// The report of a run, or of several.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/ecga_sizing.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <frame/output/output.hpp>
#include <frame/status.hpp>
#include "options.hpp"

namespace clopt::apps::ecga {

/// What the report of a run needs besides its result, and what slices keep of it.
struct Facts {
  std::string objective;
  std::uint32_t length = 0;
  std::uint64_t seed = 1;
  std::optional<double> target;
  std::optional<double> optimum;
  bool maximises = true;
  bool is_one_run = true;
  std::optional<std::uint64_t> generations;  ///< the limits
  std::optional<std::uint64_t> stagnation;
  std::optional<std::uint64_t> resumed_generation;
};
Facts facts_of(const Run& run);
Json to_json(const Facts& facts);
/// \throws what Json throws.
Facts facts_of(const Json& json);

/// What belongs to a result besides it.
struct Report {
  const Facts& facts;
  clopt::ecga::Result result;  ///< of the best run
  std::uint64_t seed = 1;
  std::uint64_t population = 0;
  std::vector<clopt::ecga::Trial> trials;  ///< where there were several runs
  std::optional<clopt::ecga::Sizing> sizing;
  std::vector<DeviceInfo> devices;
  double open_seconds = 0;
  double total_seconds = 0;  ///< of all runs
  bool interrupted = false;
};
Json to_json(const Report& report);
std::string to_text(const Report& report);
/// The exit status.
int status_of(const Report& report);

/// Takes over a run that is better than those before.
void take(Report& report, const clopt::ecga::Trial& trial);
/// Takes over several runs.
void take(Report& report, const clopt::ecga::Runs& runs);

/// Whole numbers as such.
Json number_json(double value);
/// Zeros and ones.
std::string all_genes(const std::vector<std::uint8_t>& genes);

}  // namespace clopt::apps::ecga
