/// \file
/// Some of a run's problems as a run of their own, and results of such runs as that of the whole.
#include <clopt/error.hpp>
#include <run/record_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plan.hpp"
#include "result.hpp"
#include "result_fields.hpp"

namespace clopt::differential_evolution {

namespace {

// The rows of a range, of numbers that have a row for each problem.
void keep_rows(std::vector<double>& numbers, const WorkRange& range, std::size_t length) {
  const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(range.first * length);
  numbers = {begin, begin + static_cast<std::ptrdiff_t>(range.count * length)};
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

bool was_cut(const Result& result) { return result.ending == Ending::time || result.interrupted(); }

// As RunState::ending() has it of all problems at once.
Ending ending_of(const std::vector<Result>& parts) {
  const auto any = [&](const auto& holds) { return std::find_if(parts.begin(), parts.end(), holds); };
  const auto is_limited = [](const Result& part) {
    return part.ending == Ending::generations || part.ending == Ending::evaluations;
  };
  if (const auto cut = any(was_cut); cut != parts.end()) return cut->ending;
  if (const auto limited = any(is_limited); limited != parts.end()) return limited->ending;
  if (any([](const Result& part) { return part.ending != Ending::target; }) == parts.end()) return Ending::target;
  const auto stagnates = [](const Result& part) {
    return std::find(part.stops.begin(), part.stops.end(), Stop::stagnation) != part.stops.end();
  };
  return any(stagnates) != parts.end() ? Ending::stagnation : Ending::complete;
}

std::string limit_text(const auto& limit) { return limit ? fmt::format("{}", *limit) : "none"; }

void require_part(bool holds) {
  if (!holds) throw InvalidInput("its result is not of that number of problems; it was not written by clopt");
}

}  // namespace

Part part_of(const Problem& problem, const Options& options, const RunControl& control) {
  make_plan(problem, options, control);
  const auto range = options.range.value_or(WorkRange{0, problem.problems});
  check_range(range, problem.problems, "minimisations");
  Part part{problem, options, problem.problems};
  part.options.range = range;
  part.problem.problems = range.count;
  keep_rows(part.problem.data, range, problem.columns);
  // There may be none, or one row for all.
  for (auto* const side : {&part.problem.abscissa, &part.problem.sigma})
    if (side->size() > problem.columns) keep_rows(*side, range, problem.columns);
  if (options.initial_of_problem != 0)
    keep_rows(part.options.initial, range, options.initial_of_problem * problem.dimensions);
  return part;
}

Plan make_plan(const Part& part, const RunControl& control) {
  auto plan = make_plan(part.problem, part.options, control);
  plan.first = part.options.range->first;
  plan.whole_problems = part.whole_problems;
  return plan;
}

RunIdentity identity(const Problem& problem, const Options& options) {
  auto whole = options;
  whole.range.reset();
  const auto plan = make_plan(problem, whole, {});
  auto identity = identity_of(plan);
  identity.add("limit of generations", plan.generations)
      .add("limit of evaluations", std::string_view(limit_text(options.evaluations)))
      .add("target", std::string_view(limit_text(options.target)))
      .add("spread", std::string_view(limit_text(options.spread)))
      .add("stagnation", std::string_view(limit_text(options.stagnation)));
  return identity;
}

Record pack(const Result& result) { return record_of(result); }

Result unpack(const Record& record, std::size_t problems, std::size_t dimensions) {
  Result result;
  read_record(record, result);
  const auto is_all_or_none = [&](const auto& list, std::size_t each) {
    return list.empty() || (list.size() / each == problems && list.size() % each == 0);
  };
  require_part(problems >= 1 && dimensions >= 1 && result.values.size() == problems &&
               is_all_or_none(result.parameters, dimensions) && !result.parameters.empty() &&
               result.generations.size() == problems && result.stops.size() == problems &&
               result.invalid.size() == problems && is_all_or_none(result.violations, 1) && result.best < problems);
  require_part(is_all_or_none(result.converged, 1) && is_all_or_none(result.errors, dimensions) &&
               is_all_or_none(result.chi_squared, 1) && result.digests.size() == problems &&
               result.errors.empty() == result.chi_squared.empty());
  require_part(result.ending <= Ending::interrupted && std::all_of(result.stops.begin(), result.stops.end(),
                                                                   [](Stop stop) { return stop <= Stop::stagnation; }));
  return result;
}

std::uint64_t checksum_of(const Result& result) {
  Checksum checksum;
  checksum.add(std::span<const std::uint64_t>(result.digests));
  if (result.polish == "none") return checksum.value();
  auto costs = result.values;
  if (result.maximised)
    for (auto& cost : costs) cost = -cost;
  checksum.add(std::span<const double>(costs));
  checksum.add(std::span<const double>(result.parameters));
  return checksum.value();
}

Result merge(std::vector<Result> parts) {
  if (parts.empty()) throw InvalidInput("there are no `parts` of a result; give one at least");
  const auto ending = ending_of(parts);
  auto whole = std::move(parts.front());
  for (std::size_t n = 1; n < parts.size(); ++n) {
    const auto& part = parts[n];
    if (part.best_cost < whole.best_cost || std::isnan(whole.best_cost)) {
      whole.best_cost = part.best_cost;
      whole.best = whole.values.size() + part.best;
    }
    append(whole.values, part.values);
    append(whole.parameters, part.parameters);
    append(whole.generations, part.generations);
    append(whole.stops, part.stops);
    append(whole.invalid, part.invalid);
    append(whole.violations, part.violations);
    append(whole.converged, part.converged);
    append(whole.errors, part.errors);
    append(whole.chi_squared, part.chi_squared);
    append(whole.digests, part.digests);
    whole.feasible += part.feasible;
    whole.solved += part.solved;
    whole.total_generations += part.total_generations;
    whole.total_evaluations += part.total_evaluations;
    whole.polished += part.polished;
    whole.polish_evaluations += part.polish_evaluations;
    add_run_result(whole, part);
  }
  whole.ending = ending;
  whole.checksum = checksum_of(whole);
  return whole;
}

}  // namespace clopt::differential_evolution
