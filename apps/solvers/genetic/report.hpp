/// \file
/// The report of a run.
#pragma once

#include <clopt/genetic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <frame/output/output.hpp>
#include <frame/status.hpp>
#include "options.hpp"

namespace clopt::apps::genetic {

/// What the report of a run needs besides its result, and what slices keep of it.
struct Facts {
  std::string objective;
  GeneKind kind = GeneKind::bits;
  std::uint32_t genes = 0;
  std::uint64_t seed = 1;
  Json settings;                  ///< all that the run took, and nothing that it had no use for
  bool has_whole_values = false;  ///< sums of whole numbers
  bool is_constrained = false;
  std::optional<double> optimum;
  std::optional<double> target;
  std::optional<std::uint64_t> resumed_generation;
};
Facts facts_of(const Run& run);
Json to_json(const Facts& facts);
/// \throws what Json throws.
Facts facts_of(const Json& json);

/// What belongs to a result besides it.
struct Report {
  const Facts& facts;
  const clopt::genetic::Result& result;
  std::vector<DeviceInfo> devices;
  double open_seconds = 0;
};
Json to_json(const Report& report);
std::string to_text(const Report& report);
/// The exit status.
int status_of(const Report& report);

/// The last population, which the result must have: a row for each individual, its value first.
std::string table_of_population(const Facts& facts, const clopt::genetic::Result& result);

}  // namespace clopt::apps::genetic
