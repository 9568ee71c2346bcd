/// \file
/// The report of a run, or of one whose slices were merged.
#pragma once

#include <clopt/differential_evolution_runs.hpp>
#include <clopt/fields.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <frame/output/run_report.hpp>

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
FieldTable fields(Facts& facts);
Facts facts_of(const clopt::differential_evolution::Problem& problem,
               const clopt::differential_evolution::Options& options);

/// The report of a run.
class Report final : public RunReport {
 public:
  /// \param resumed_generation of the checkpoint that it was resumed from. \throws InvalidInput where no value is a
  /// number.
  Report(Facts facts, clopt::differential_evolution::Result result,
         std::optional<std::uint64_t> resumed_generation = std::nullopt);

  /// Of the best of several runs.
  Report(Facts facts, const clopt::differential_evolution::Runs& runs);

  int status() const override;
  /// Writes a row a problem.
  std::string write(const std::string& file) const override;
  const clopt::differential_evolution::Result& result() const override { return result_; }

 private:
  void add_fields(Json& object) const override;
  std::string answer_text() const override;
  std::string opening() const override { return "opening devices"; }
  void require_values() const;
  bool has_value() const;
  std::vector<double> best_vector() const;
  std::string best_text() const;
  std::string spread_text() const;

  Facts facts_;
  clopt::differential_evolution::Result result_;
  std::optional<std::uint64_t> resumed_generation_;
};

/// JSON has no infinity.
Json number_json(double value);

}  // namespace clopt::apps::differential_evolution
