/// \file
/// The report of a run, or of one whose slices were merged.
#pragma once

#include <clopt/fields.hpp>
#include <clopt/fit.hpp>

#include <optional>
#include <string>
#include <vector>

#include <frame/output/run_report.hpp>

namespace clopt::apps::fit {

/// What the report of a run needs besides its result, and what slices keep of it.
struct Facts {
  std::string model;
  std::string names;  ///< of the parameters, with commas
  std::size_t parameters = 1;
  std::size_t rows = 1;
  std::size_t columns = 1;
  std::optional<double> confidence{};  ///< of the intervals that the report has; none: it has none
};
FieldTable fields(Facts& facts);
Facts facts_of(const clopt::fit::Problem& problem, std::optional<double> confidence);

/// The report of a run.
class Report final : public RunReport {
 public:
  Report(Facts facts, clopt::fit::Result result);

  int status() const override;
  /// Writes a row a fit.
  std::string write(const std::string& file) const override;
  /// Writes the lower triangle of each row's covariance. \returns as write().
  std::string write_covariance(const std::string& file) const;
  const clopt::fit::Result& result() const override { return result_; }

 private:
  void add_fields(Json& object) const override;
  std::string answer_text() const override;
  std::string opening() const override { return "opening devices"; }
  std::string first_row_text() const;
  Json row_json(std::size_t row) const;
  /// The rows with the least, the middle and the greatest chi squared, of those that have one.
  void add_ranked_rows(Json& object) const;

  Facts facts_;
  std::vector<std::string> names_;
  clopt::fit::Result result_;
  clopt::fit::ConfidenceIntervals intervals_;  // empty where there are none
};

}  // namespace clopt::apps::fit
