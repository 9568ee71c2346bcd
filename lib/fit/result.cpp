/// \file
/// What a result depends on, and results of ranges as that of all rows.
#include "result.hpp"
#include "plan.hpp"

#include <clopt/error.hpp>
#include <clopt/record.hpp>
#include <run/record_fields.hpp>

#include <support/numbers/checksum.hpp>
#include <support/threads/kept_team.hpp>

#include <algorithm>
#include <span>

namespace clopt::fit {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::by_value: return "value";
    case Status::by_step: return "step";
    case Status::by_slope: return "slope";
    case Status::at_bound: return "bound";
    case Status::singular: return "singular";
    case Status::no_data: return "no data";
    case Status::not_finite: return "not finite";
    case Status::limit: break;
  }
  return "limit";
}

void set_checksum(Result& result, ThreadTeam& threads) {
  Checksum checksum(threads);
  checksum.add(std::span<const double>(result.parameters));
  checksum.add(std::span<const double>(result.errors));
  checksum.add(std::span<const double>(result.chi_squared));
  checksum.add(std::span<const std::uint64_t>(result.iterations));
  checksum.add(std::span(reinterpret_cast<const std::uint8_t*>(result.statuses.data()), result.statuses.size()));
  result.checksum = checksum.value();
}

RunIdentity identity(const Problem& problem, const Options& options) {
  RunIdentity identity("fit");
  identity.add("model", problem.model.residuals).add("parameters", problem.parameters).add("columns", problem.columns);
  for_numbers(problem, [&](const char* name, auto member, std::size_t) {
    (problem.*member).visit([&]<class T>(std::span<const T> numbers) { identity.add_data(name, numbers); });
  });
  for (const auto place : problem.fixed) identity.add("fixed", place);
  if (problem.guess.empty()) identity.add("seed", options.seed);
  add_fields(identity, options);
  return identity;
}

void put_rows(const Result& rows, std::uint64_t first, Result& result) {
  for_columns([&](const char*, auto column) {
    const auto& from = rows.*column;
    const auto width = from.size() / rows.statuses.size();
    std::copy(from.begin(), from.end(), (result.*column).begin() + static_cast<std::ptrdiff_t>(first * width));
  });
}

Record pack(const Result& result) { return record_of(result); }

Result unpack(const Record& record, std::size_t rows, std::size_t parameters) {
  Result result;
  read_record(record, result);
  const bool fits = result.parameters.size() == rows * parameters &&
                    (result.errors.empty() || result.errors.size() == rows * parameters) &&
                    (result.covariance.empty() || result.covariance.size() == rows * parameters * parameters) &&
                    result.chi_squared.size() == rows && result.degrees_of_freedom.size() == rows &&
                    result.statuses.size() == rows && result.iterations.size() == rows &&
                    result.ending <= Ending::interrupted &&
                    std::all_of(result.statuses.begin(), result.statuses.end(),
                                [](Status status) { return status >= Status::by_value && status <= Status::limit; });
  if (!fits) throw InvalidInput("its result is not of that number of rows; it was not written by clopt");
  return result;
}

Result merge(std::vector<Result> parts) {
  if (parts.empty()) throw InvalidInput("there are no `parts` of a result; give one at least");
  auto whole = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto& part = parts[i];
    for_columns([&](const char*, auto column) {
      auto& to = whole.*column;
      to.insert(to.end(), (part.*column).begin(), (part.*column).end());
    });
    whole.converged += part.converged;
    if (part.ending != Ending::complete) whole.ending = part.ending;
    add_run_result(whole, part);
  }
  set_checksum(whole, *kept_team());
  return whole;
}

}  // namespace clopt::fit
