/// \file
/// The report of a run, or of several.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/ecga_sizing.hpp>
#include <clopt/fields.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <frame/output/run_report.hpp>
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
FieldTable fields(Facts& facts);  // what slices keep
Facts facts_of(const Search& search, const RunRequest& request);

/// The report of one run, or of the best of several.
class Report final : public RunReport {
 public:
  explicit Report(Facts facts) : RunReport("ecga", facts.seed), facts_(std::move(facts)) {}

  /// Takes over the only run, or the best of those of growing populations.
  void take(clopt::ecga::Result result);
  /// Takes over a run that is better than those before.
  void take(const clopt::ecga::Trial& trial);
  /// Takes over several runs.
  void take(const clopt::ecga::Runs& runs);
  /// Takes over the search for a population, whose runs were taken. \param seconds of all of it.
  void take(clopt::ecga::Sizing sizing, bool interrupted);

  int status() const override;
  /// Writes the genes of the best.
  std::string write(const std::string& file) const override;
  const clopt::ecga::Result& result() const override { return result_; }

 private:
  void add_fields(Json& object) const override;
  NamedSeconds named_seconds() const override;
  std::string answer_text() const override;
  std::string computing() const override;
  void keep(const clopt::ecga::Trial& trial);
  bool is_as_good(double value, double other) const;
  bool reached_target() const;
  bool is_formula() const { return facts_.objective.starts_with("maxsat:"); }
  bool is_feasible() const;
  bool has_value() const;
  bool succeeded() const;
  bool reached_limit() const;
  std::string ending_text() const;

  Facts facts_;
  clopt::ecga::Result result_;  // of the best run
  std::uint64_t population_ = 0;
  std::vector<clopt::ecga::Trial> trials_;  // where there were several runs
  std::optional<clopt::ecga::Sizing> sizing_;
  bool interrupted_ = false;
};

/// Whole numbers as such.
Json number_json(double value);

}  // namespace clopt::apps::ecga
