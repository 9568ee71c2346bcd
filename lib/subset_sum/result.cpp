/// \file
/// Answers of some parts of meet in the middle, as the answer of all.
#include <clopt/error.hpp>
#include <run/record_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include <subset_sum/run/run.hpp>
#include "options.hpp"

namespace clopt::subset_sum {

template <class Archive>
void fields(Archive& archive, AmountsResult& answer) {
  auto& run = answer.run;
  archive("run", static_cast<RunResult&>(run))("possible", answer.possible)("zeros", answer.zeros);
  archive("run_value", run.value)("optimal", run.optimal)("proof", run.proof);
  archive("capacities_swept", run.capacities_swept)("solved_by", run.solved_by)("recovery", run.recovery);
  archive("recovery_bytes", run.recovery_bytes)("recovery_seconds", run.recovery_seconds);
  archive("has_pair", run.has_pair)("pair_slack", run.pair_slack)("pair_sum", run.pair_sum);
  // Slices have the bits of the value.
  auto value = static_cast<std::uint64_t>(answer.value);
  archive("value", value)("indices", answer.indices);
  // What is written may be constant.
  if constexpr (Archive::is_reader) answer.value = static_cast<std::int64_t>(value);
}

namespace {

// Whether an answer is another one than that of preprocessing, which all parts have in common.
bool is_of_parts(const AmountsResult& answer) { return answer.possible && answer.run.solved_by != preprocessing; }

bool is_better(const Result& one, const Result& other) {
  if (one.has_pair != other.has_pair) return one.has_pair;
  return std::pair(one.pair_slack, one.pair_sum) < std::pair(other.pair_slack, other.pair_sum);
}

}  // namespace

void require_divisible(const Options& options) {
  const auto method = method_names.value(options.method, "method");
  if (method != Method::meet_in_the_middle)
    throw InvalidInput(fmt::format(
        "the `method` {} cannot be divided: {}; choose meet-in-the-middle, for at most 64 "
        "numbers",
        options.method,
        method == Method::automatic ? "it may choose a sweep" : "what it does for an item follows from those before"));
  if (options.range) check_range(*options.range, meet_parts, "parts");
}

RunIdentity identity(const Amounts& amounts, const Options& options) {
  if (!amounts.profits.empty()) throw InvalidInput("a knapsack cannot be divided; leave `profits` or the slice out");
  require_divisible(options);
  RunIdentity identity("subset-sum");
  identity.add_data("numbers", amounts.numbers)
      .add("capacity", amounts.capacity)
      .add("decimals", amounts.decimals)
      .add("method", std::string_view(options.method))
      .add("reduce", options.reduce);
  return identity;
}

Record pack(const AmountsResult& result) { return record_of(result); }

AmountsResult unpack(const Record& record, const Amounts& amounts) {
  AmountsResult result;
  read_record(record, result);
  const auto& indices = result.indices;
  std::int64_t sum = 0;
  bool holds = result.run.ending <= Ending::interrupted && result.run.proof <= Proof::exhaustive &&
               std::is_sorted(indices.begin(), indices.end(), std::less_equal<>()) &&
               (indices.empty() || indices.back() < amounts.numbers.size());
  for (std::size_t i = 0; holds && i < indices.size(); ++i)
    holds = !__builtin_add_overflow(sum, amounts.numbers[indices[i]], &sum);
  if (!holds || (result.possible && (sum != result.value || sum > amounts.capacity)))
    throw InvalidInput("its result is not a subset of its numbers; it was not written by clopt");
  result.reached = result.possible && result.value == amounts.capacity;
  return result;
}

AmountsResult merge(std::vector<AmountsResult> parts) {
  if (parts.empty()) throw InvalidInput("there are no `parts` of an answer; give one at least");
  std::size_t chosen = 0;
  for (std::size_t n = 1; n < parts.size(); ++n)
    if (is_better(parts[n].run, parts[chosen].run)) chosen = n;
  auto whole = std::move(parts[chosen]);
  if (is_of_parts(whole) && !whole.run.has_pair)
    throw InvalidInput("no part has a pair of sums; some parts are missing");
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (n == chosen) continue;
    add_run_result(whole.run, parts[n].run);
    whole.run.recovery_seconds += parts[n].run.recovery_seconds;
  }
  return whole;
}

}  // namespace clopt::subset_sum
