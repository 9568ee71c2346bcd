#include "report.hpp"

#include <clopt/detail/csv.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <frame/options/field_options.hpp>
#include <frame/options/shard_options.hpp>
#include <frame/status.hpp>
#include "solver.hpp"

namespace clopt::apps::fit {
namespace {

namespace solver = clopt::fit;

std::vector<std::string> divided(const std::string& names) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < names.size();) {
    const auto end = std::min(names.find(',', begin), names.size());
    parts.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// JSON has no infinity.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(std::span<const double> values) {
  auto list = Json::array();
  for (const double value : values) list.push_back(finite(value));
  return list;
}

// How many rows ended in each way, by its name, for those that some did.
std::vector<std::pair<std::string, std::uint64_t>> counts_of(const solver::Result& result) {
  std::array<std::uint64_t, 9> counts{};
  for (const auto status : result.statuses) ++counts[static_cast<std::size_t>(status)];
  std::vector<std::pair<std::string, std::uint64_t>> named;
  for (std::size_t i = 1; i < counts.size(); ++i)
    if (counts[i] != 0) named.emplace_back(solver::name_of(static_cast<solver::Status>(i)), counts[i]);
  return named;
}

}  // namespace

Facts facts_of(const solver::Problem& problem, std::optional<double> confidence) {
  return {problem.model.residuals.name(),
          fmt::format("{}", fmt::join(solver::names_of_parameters(problem), ",")),
          problem.parameters,
          problem.rows(),
          problem.columns,
          confidence};
}

FieldTable fields(Facts& facts) {
  FieldTable table;
  table("model", &facts.model);
  table("names", &facts.names);
  table("parameters", &facts.parameters);
  table("rows", &facts.rows);
  table("columns", &facts.columns);
  table("confidence", &facts.confidence);
  return table;
}

Report::Report(Facts facts, solver::Result result)
    : RunReport("fit", 0), facts_(std::move(facts)), names_(divided(facts_.names)), result_(std::move(result)) {
  if (facts_.confidence) intervals_ = solver::confidence_intervals(result_, *facts_.confidence);
}

void Report::add_fields(Json& object) const {
  object["model"] = facts_.model;
  object["parameters"] = names_;
  object["fits"] = facts_.rows;
  object["columns"] = facts_.columns;
  object["precision"] = result_.precision;
  object["reason"] = result_.reason;
  if (facts_.confidence) object["confidence"] = *facts_.confidence;
  object["converged"] = result_.converged;
  auto& statuses = object["statuses"] = Json::object();
  for (const auto& [name, count] : counts_of(result_)) statuses[name] = count;
  object["evaluations"] = std::reduce(result_.iterations.begin(), result_.iterations.end());
  add_ranked_rows(object);
  object["interrupted"] = result_.interrupted();
  object["launches"] = result_.launches;
}

Json Report::row_json(std::size_t row) const {
  const auto n = facts_.parameters;
  Json fit{{"row", row + 1},
           {"status", solver::name_of(result_.statuses[row])},
           {"parameters", numbers(std::span(result_.parameters).subspan(row * n, n))}};
  if (!result_.errors.empty()) fit["errors"] = numbers(std::span(result_.errors).subspan(row * n, n));
  if (facts_.confidence) {
    fit["lower"] = numbers(std::span(intervals_.lower).subspan(row * n, n));
    fit["upper"] = numbers(std::span(intervals_.upper).subspan(row * n, n));
  }
  fit["chi_squared"] = finite(result_.chi_squared[row]);
  fit["degrees_of_freedom"] = result_.degrees_of_freedom[row];
  fit["iterations"] = result_.iterations[row];
  return fit;
}

void Report::add_ranked_rows(Json& object) const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < result_.chi_squared.size(); ++row)
    if (std::isfinite(result_.chi_squared[row])) rows.push_back(row);
  const auto at = [&](std::size_t place) {
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(rows.begin(), middle, rows.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(result_.chi_squared[a], a) < std::pair(result_.chi_squared[b], b);
    });
    return row_json(*middle);
  };
  object["best"] = rows.empty() ? Json(nullptr) : at(0);
  object["median"] = rows.empty() ? Json(nullptr) : at((rows.size() - 1) / 2);
  object["worst"] = rows.empty() ? Json(nullptr) : at(rows.size() - 1);
}

std::string Report::first_row_text() const {
  std::string text;
  for (std::size_t k = 0; k < facts_.parameters; ++k)
    text += fmt::format("{:<9} {:.7g}{}{}\n", names_[k], result_.parameters[k],
                        result_.errors.empty() ? "" : fmt::format(" +- {:.2g}", result_.errors[k]),
                        facts_.confidence ? fmt::format(", {:.7g} to {:.7g} ({:.6g} %)", intervals_.lower[k],
                                                        intervals_.upper[k], 100 * *facts_.confidence)
                                          : "");
  return text + fmt::format("chi2      {:.6g}, {} degrees of freedom\n", result_.chi_squared.front(),
                            result_.degrees_of_freedom.front());
}

std::string Report::answer_text() const {
  std::string text = facts_.rows == 1 ? first_row_text() : std::string();
  text += fmt::format("rows      {}, {} converged\n", facts_.rows, result_.converged);
  std::vector<std::string> counts;
  for (const auto& [name, count] : counts_of(result_)) counts.push_back(fmt::format("{} {}", count, name));
  text += fmt::format("ended by  {}\n", fmt::join(counts, ", "));
  text += fmt::format("method    {} ({})\n", result_.method, result_.reason);
  return text;
}

std::string Report::write(const std::string& file) const try {
  const auto n = facts_.parameters;
  std::vector<std::string> columns{"row", "status"};
  for (const auto& name : names_) columns.push_back(name);
  if (!result_.errors.empty())
    for (const auto& name : names_) columns.push_back("error_" + name);
  if (facts_.confidence)
    for (const auto* end : {"lower_", "upper_"})
      for (const auto& name : names_) columns.push_back(end + name);
  columns.insert(columns.end(), {"chi_squared", "reduced_chi_squared", "degrees_of_freedom", "iterations"});
  CsvWriter writer(file, columns);
  std::vector<CsvWriter::Field> fields;
  for (std::size_t row = 0; row < result_.statuses.size(); ++row) {
    fields.assign({std::uint64_t{row + 1}, std::string(solver::name_of(result_.statuses[row]))});
    for (std::size_t k = 0; k < n; ++k) fields.emplace_back(result_.parameters[row * n + k]);
    for (std::size_t k = 0; !result_.errors.empty() && k < n; ++k) fields.emplace_back(result_.errors[row * n + k]);
    for (const auto* ends : {&intervals_.lower, &intervals_.upper})
      for (std::size_t k = 0; !ends->empty() && k < n; ++k) fields.emplace_back((*ends)[row * n + k]);
    fields.emplace_back(result_.chi_squared[row]);
    fields.emplace_back(result_.chi_squared[row] / static_cast<double>(result_.degrees_of_freedom[row]));
    fields.emplace_back(result_.degrees_of_freedom[row]);
    fields.emplace_back(result_.iterations[row]);
    writer.add_later(fields);
  }
  writer.finish();
  return writer.failure();
} catch (const InvalidInput& error) {
  return error.what();
}

std::string Report::write_covariance(const std::string& file) const try {
  const auto n = facts_.parameters;
  std::vector<std::string> columns{"row"};
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b <= a; ++b) columns.push_back(fmt::format("covariance_{}_{}", names_[b], names_[a]));
  CsvWriter writer(file, columns);
  std::vector<CsvWriter::Field> fields;
  for (std::size_t row = 0; row < result_.statuses.size(); ++row) {
    fields.assign({std::uint64_t{row + 1}});
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b <= a; ++b) fields.emplace_back(result_.covariance[(row * n + a) * n + b]);
    writer.add_later(fields);
  }
  writer.finish();
  return writer.failure();
} catch (const InvalidInput& error) {
  return error.what();
}

int Report::status() const {
  if (result_.interrupted()) return Status::interrupted;
  return result_.converged == 0 ? Status::not_reached : Status::done;
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the table of all rows is one file");
  Facts facts;
  read_values(fields(facts), order.facts);
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t rows) {
    return solver::unpack(record, rows, facts.parameters);
  });
  auto result = solver::merge(std::move(parts));
  if (result.statuses.size() != facts.rows)
    throw InvalidInput("the slices do not have the number of rows that they state");
  return std::make_unique<Report>(facts, std::move(result));
}

}  // namespace clopt::apps::fit
