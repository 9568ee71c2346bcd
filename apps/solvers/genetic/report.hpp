/// \file
/// The report of a run.
#pragma once

#include <clopt/fields.hpp>
#include <clopt/genetic_runs.hpp>
#include <clopt/genetic_tours.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <frame/output/run_report.hpp>
#include "options.hpp"

namespace clopt::apps::genetic {

/// What the report of a run needs besides its result, and what slices keep of it.
struct Facts {
  std::string objective;
  std::uint32_t kind = 0;  ///< of genes
  std::uint32_t genes = 0;
  std::uint64_t seed = 1;
  bool has_whole_values = false;  ///< sums of whole numbers
  bool is_constrained = false;
  std::optional<double> optimum;
  std::optional<double> target{};
  std::optional<std::uint64_t> resumed_generation{};
  std::uint32_t decimals = 0;  ///< of a tour's lengths, of which values are units
};
FieldTable fields(Facts& facts);  // but what is of one run alone
Facts facts_of(const Search& search, const RunRequest& request);
Json to_json(const Facts& facts);
/// \throws what Json throws.
Facts facts_of(const Json& json);

/// The trip that an individual stands for, with all that is written of it.
struct Trip {
  clopt::genetic::Route route;
  std::vector<std::string> names;             ///< as clopt::genetic::Cities has them
  std::vector<std::array<double, 2>> places;  ///< likewise
  bool are_geographical = false;
  bool open = false;
};
Trip trip_of(const clopt::genetic::Tour& tour, std::span<const double> genes);
/// As slices keep it.
Json to_json(const Trip& trip);

/// The report of a run.
class Report final : public RunReport {
 public:
  /// \param trip of a tour's best individual; none of other problems.
  Report(Facts facts, clopt::genetic::Result result, std::optional<Trip> trip);
  /// Of the best of several runs.
  Report(Facts facts, const clopt::genetic::Runs& runs, std::optional<Trip> trip);

  int status() const override;
  /// Writes the best individual, its value first; of a tour a row for each city.
  std::string write(const std::string& file) const override;
  /// The same of the last population, which the result must have: a row for each individual.
  std::string write_population(const std::string& file) const override;
  const clopt::genetic::Result& result() const override { return result_; }

 private:
  void add_fields(Json& object) const override;
  std::string answer_text() const override;
  std::string work_text() const override;
  bool missed_target() const;
  bool is_formula() const { return facts_.objective == "weighted_maxsat"; }
  bool keeps_hard_clauses() const;
  bool has_value() const;
  Json value_json() const;
  Json genes_json() const;
  std::string genes_text() const;
  std::string route_text() const;
  std::string rows_text(std::span<const double> values, std::span<const double> violations,
                        const std::vector<double>& genes) const;

  void add_route(Json& object) const;
  std::string route_table() const;

  Facts facts_;
  clopt::genetic::Result result_;
  std::optional<Trip> trip_;
};

}  // namespace clopt::apps::genetic
