#include "fit_options.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <frame/files/checkpoint_numbers.hpp>
#include <frame/files/number_file.hpp>
#include <frame/options/run_options.hpp>
#include <frame/output/output.hpp>

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

Rows kept(const std::shared_ptr<const Checkpoint>& resumed, const std::string& name) {
  Rows rows;
  if (!resumed) return rows;
  const auto found = kept_rows(*resumed, name);
  if (!found) return rows;
  for (auto begin = found->numbers.begin(); begin != found->numbers.end();
       begin += static_cast<std::ptrdiff_t>(found->columns))
    rows.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(found->columns));
  return rows;
}

// What a shorter row lacks is absent.
bool are_same(const Rows& one, const Rows& other) {
  const auto number_of = [](const auto& row, std::size_t j) { return j < row.size() ? row[j] : absent; };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [&](const auto& a, const auto& b) {
    for (std::size_t j = 0; j < std::max(a.size(), b.size()); ++j) {
      const double left = number_of(a, j);
      const double right = number_of(b, j);
      if (left != right && !(std::isnan(left) && std::isnan(right))) return false;
    }
    return true;
  });
}

// A file's rows or, where the run is resumed, the checkpoint's, which must be the same.
Rows rows_of(const Options& options, const std::shared_ptr<const Checkpoint>& resumed, const std::string& option,
             bool has_gaps) {
  auto stored = kept(resumed, option);
  const auto file = options.text(option);
  if (!file) return stored;
  auto rows = has_gaps ? read_rows_with_gaps(*file) : read_individuals(*file, option == "initial" ? "x" : "");
  if (resumed && !are_same(rows, stored))
    throw InvalidInput(
        fmt::format("--{0} {1}: the checkpoint's run has other numbers; leave --{0} out, or begin a new run without "
                    "--resume",
                    option, printable(*file)));
  return rows;
}

std::vector<double> read_side(const Options& options, const std::shared_ptr<const Checkpoint>& resumed,
                              const std::string& option, const solver::Problem& problem) {
  const auto rows = rows_of(options, resumed, option, true);
  std::vector<double> numbers;
  if (rows.empty()) return numbers;
  const auto file = options.text(option).value_or("the checkpoint");
  if (rows.size() != 1 && rows.size() != problem.problems)
    throw InvalidInput(fmt::format("--{} {}: there are {} rows, and --data has {}; give as many, or one row for all",
                                   option, printable(file), rows.size(), problem.problems));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].size() > problem.columns)
      throw InvalidInput(fmt::format("--{} {}: row {} has {} numbers, and the rows of --data have {}", option,
                                     printable(file), k + 1, rows[k].size(), problem.columns));
    numbers.insert(numbers.end(), rows[k].begin(), rows[k].end());
    numbers.resize((k + 1) * problem.columns, absent);
  }
  return numbers;
}

}  // namespace

void add_fit_options(OptionParser& parser) {
  parser.group("Problem")
      .value(
          "abscissa", "FILE.csv|columns",
          "of a fit: the places of the data, a row for each of --data or one for all; columns: 0, 1, 2, ... (default)")
      .value("sigma", "FILE.csv",
             "of a fit: the standard deviations of the data, rows as those of --abscissa (default 1)");
}

Rows read_data(const Options& options, const std::shared_ptr<const Checkpoint>& resumed, bool is_fit) {
  auto rows = rows_of(options, resumed, "data", is_fit);
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (is_fit) rows[k].resize(longest, absent);
    if (rows[k].size() != rows.front().size())
      throw InvalidInput(fmt::format(
          "{}: row {} has {} numbers, and the first has {}; every row is a problem's data, and "
          "all must be equally long",
          printable(options.text("data").value_or("the checkpoint")), k + 1, rows[k].size(), rows.front().size()));
  }
  return rows;
}

Rows read_start_vectors(const Options& options, const std::shared_ptr<const Checkpoint>& resumed) {
  auto rows = rows_of(options, resumed, "initial", false);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].size() != rows.front().size())
      throw InvalidInput(fmt::format(
          "{}: row {} has {} numbers, and the first has {}; every row is a start vector, and "
          "all must be equally long",
          printable(options.text("initial").value_or("the checkpoint")), k + 1, rows[k].size(), rows.front().size()));
  return rows;
}

void read_fit(const Options& options, const std::shared_ptr<const Checkpoint>& resumed, solver::Problem& problem) {
  const bool is_fit = problem.objective.is_fit();
  for (const char* option : {"abscissa", "sigma"})
    if (options.has(option) && (!is_fit || problem.columns == 0))
      throw InvalidInput(fmt::format(
          "--{} belongs to a fit: give --data FILE.csv and, by --objective FILE.cl, a text that defines `real "
          "residual(individual x, uint j)`",
          option));
  if (!is_fit || problem.columns == 0) return;
  if (options.text("abscissa") == "columns") {
    if (!kept(resumed, "abscissa").empty())
      throw InvalidInput(
          "--abscissa columns: the checkpoint's run has a file; leave --abscissa out, or begin a new run");
  } else {
    problem.abscissa = read_side(options, resumed, "abscissa", problem);
  }
  problem.sigma = read_side(options, resumed, "sigma", problem);
}

void keep_numbers(Record& state, const solver::Problem& problem, const solver::Options& options) {
  keep_rows(state, "data", problem.data, problem.columns);
  keep_rows(state, "abscissa", problem.abscissa, problem.columns);
  keep_rows(state, "sigma", problem.sigma, problem.columns);
  keep_rows(state, "initial", options.initial, problem.dimensions);
}

}  // namespace clopt::apps::differential_evolution
