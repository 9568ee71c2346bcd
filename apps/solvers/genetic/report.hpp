/// \file
/// The report of a run.
#pragma once

#include <clopt/fields.hpp>
#include <clopt/genetic_runs.hpp>

#include <cstdint>
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
};
FieldTable fields(Facts& facts);  // but what is of one run alone
Facts facts_of(const Search& search, const RunRequest& request);
Json to_json(const Facts& facts);
/// \throws what Json throws.
Facts facts_of(const Json& json);

/// The report of a run.
class Report final : public RunReport {
 public:
  Report(Facts facts, clopt::genetic::Result result);
  /// Of the best of several runs.
  Report(Facts facts, const clopt::genetic::Runs& runs);

  int status() const override;
  /// Writes the best individual, its value first.
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
  std::string rows_text(std::span<const double> values, std::span<const double> violations,
                        const std::vector<double>& genes) const;

  Facts facts_;
  clopt::genetic::Result result_;
};

}  // namespace clopt::apps::genetic
