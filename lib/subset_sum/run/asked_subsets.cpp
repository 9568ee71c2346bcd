#include "asked_subsets.hpp"

#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <run/nested_run.hpp>
#include <run/record_fields.hpp>
#include <subset_sum/options.hpp>
#include <subset_sum/subsets/find_subsets.hpp>
#include <support/numbers/checksum.hpp>
#include <support/process/memory.hpp>

namespace clopt::subset_sum {
namespace {

// Of the memory that is available: stacks, copies and other processes need some, too.
constexpr double part_of_memory = 0.5;

/// One run of solve_asked().
class AskedRun {
 public:
  AskedRun(const Amounts& amounts, const Options& options, const RunControl& control, const SolvePlain& solve_plain)
      : amounts_(amounts), options_(options), control_(control), solve_plain_(solve_plain), watch_(control) {
    for (std::size_t i = 0; i < amounts.numbers.size(); ++i) {
      if (amounts.numbers[i] == 0) continue;
      positions_.push_back(i);
      numbers_.push_back(amounts.numbers[i]);
      magnitudes_ += std::fabs(static_cast<double>(numbers_.back()));
      total_ =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(total_) + static_cast<std::uint64_t>(numbers_.back()));
    }
    if (magnitudes_ < static_cast<double>(most_magnitude)) return;
    if (lists_subsets() || is_above())
      throw InvalidInput(fmt::format(
          "subset-sum: the magnitudes of the amounts add up to {:.3g} units, and must stay below 2^61 for "
          "`at_least`, `fewest`, `count`, `all`, `unique` and a `tolerance`; give amounts with fewer digits",
          magnitudes_));
  }

  AmountsResult run() {
    result_ = options_.at_least ? least_above() : largest_below();
    result_.zeros = amounts_.numbers.size() - numbers_.size();
    if (amounts_.tolerance > 0 && !(result_.possible && result_.value == amounts_.capacity)) take_nearest();
    result_.reached = result_.possible && distance(result_.value) <= amounts_.tolerance;
    result_.is_largest = !options_.at_least && !options_.count && result_.value <= amounts_.capacity;
    if (lists_subsets()) list_subsets();
    require_sums();
    result_.run.checksum = checksum_of(result_);
    return std::move(result_);
  }

 private:
  bool lists_subsets() const { return asks_for_subsets(options_) || options_.count; }
  bool is_above() const { return options_.at_least || amounts_.tolerance > 0; }

  std::int64_t distance(std::int64_t value) const {
    // The capacity may be far from all sums.
    const auto difference = static_cast<double>(value) - static_cast<double>(amounts_.capacity);
    if (std::fabs(difference) > static_cast<double>(most_magnitude)) return std::numeric_limits<std::int64_t>::max();
    return std::abs(value - amounts_.capacity);
  }

  Options plain_options() const {
    Options plain = options_;
    plain.at_least = plain.fewest = plain.unique = false;
    plain.all.reset();
    plain.count.reset();
    return plain;
  }

  Amounts plain_amounts(std::int64_t capacity) const { return {amounts_.numbers, capacity, amounts_.decimals}; }

  AmountsResult largest_below() {
    if (options_.count) return best_of_count(numbers_, amounts_.capacity);
    return solve_plain_(plain_amounts(amounts_.capacity), plain_options(), nested_control(control_, watch_));
  }

  // What is left out has the largest sum that is at most the total less the capacity.
  AmountsResult least_above() {
    if (options_.count) {
      auto negative = numbers_;
      for (auto& number : negative) number = -number;
      auto mirrored = best_of_count(negative, -amounts_.capacity);
      mirrored.value = -mirrored.value;
      return mirrored;
    }
    __extension__ typedef __int128 Signed;
    const auto left = Signed{total_} - amounts_.capacity;
    if (left < -Signed{most_magnitude} || left > std::numeric_limits<std::int64_t>::max() / 2)
      return all_or_nothing(left < 0);
    auto options = plain_options();
    if (options_.found)
      options.found = [this](std::int64_t value, const Subset& indices) {
        options_.found(total_ - value, others_of(indices));
      };
    auto control = nested_control(control_, watch_);
    if (control.progress)
      control.progress = [this, progress = control.progress](const Progress& each) {
        auto turned = each;
        if (turned.best) turned.best = static_cast<double>(total_) - *turned.best;
        return progress(turned);
      };
    auto result = solve_plain_(plain_amounts(static_cast<std::int64_t>(left)), options, control);
    if (!result.possible) {
      result.run.reason = "even the largest sum of amounts is below the capacity";
      return result;
    }
    result.value = total_ - result.value;
    result.indices = others_of(result.indices);
    return result;
  }

  // Where the capacity is beyond all sums.
  AmountsResult all_or_nothing(bool is_above_all) const {
    AmountsResult result;
    result.run = run_of_host(is_above_all ? "even the largest sum of amounts is below the capacity"
                                          : "even the least sum of amounts is above the capacity");
    result.possible = !is_above_all;
    if (is_above_all) return result;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (numbers_[i] < 0) result.indices.push_back(positions_[i]);
    for (const auto i : result.indices) result.value += amounts_.numbers[i];
    return result;
  }

  Subset others_of(const Subset& indices) const {
    Subset others;
    for (const auto i : positions_)
      if (!std::binary_search(indices.begin(), indices.end(), i)) others.push_back(i);
    return others;
  }

  Result run_of_host(std::string_view reason) const {
    Result run;
    run.method = name_of(usual_method);
    run.solved_by = preprocessing;
    run.reason = reason;
    run.optimal = true;
    run.proof = Proof::exhaustive;
    return run;
  }

  AmountsResult best_of_count(const std::vector<std::int64_t>& numbers, std::int64_t capacity) {
    const TimedPart computing(TimePart::compute);
    watch_.report("sums", 0);
    const auto best = best_sum_of_count(numbers, *options_.count, capacity, bytes(), watch_);
    AmountsResult result;
    result.possible = best.sum.has_value();
    result.value = best.sum.value_or(0);
    const auto reason =
        best.is_complete && !best.sum
            ? (*options_.count > numbers.size()
                   ? fmt::format("{} numbers are asked for, and {} are not 0", *options_.count, numbers.size())
                   : fmt::format("no subset of {} has a sum {} the capacity", *options_.count,
                                 options_.at_least ? "from" : "within"))
            : best.reason;
    result.run = run_of_host(reason);
    if (!best.way.empty()) result.run.solved_by = best.way;
    if (!best.is_complete) note_unproven(result.run);
    return result;
  }

  // A sum above the capacity, where that is within the tolerance and nearer.
  void take_nearest() {
    if (watch_.expired()) return;
    auto above = least_above();
    if (!above.run.optimal) {
      result_.run.optimal = false;
      result_.run.proof = Proof::none;
      result_.run.ending = above.run.ending;
    }
    const bool is_nearer = !result_.possible || distance(above.value) < distance(result_.value);
    if (!above.possible || !is_nearer || distance(above.value) > amounts_.tolerance) {
      add_run_result(result_.run, above.run);
      return;
    }
    add_run_result(above.run, result_.run);
    above.zeros = result_.zeros;
    result_ = std::move(above);
  }

  double bytes() const { return part_of_memory * static_cast<double>(available_memory()); }

  void note_unproven(Result& run) const {
    run.optimal = false;
    run.proof = Proof::none;
    note_ending(run);
  }

  void note_ending(Result& run) const {
    if (watch_.expired()) run.ending = watch_.interrupted() ? Ending::interrupted : Ending::time;
  }

  void list_subsets() {
    const bool is_wanted = !options_.exactly || result_.reached;
    // Without the sum that was asked for, no subset has it.
    if (!result_.possible || !is_wanted) {
      if (result_.run.optimal) result_.more = result_.unique = false;
      if (!options_.count || !result_.possible) return;
    }
    if (!result_.run.optimal) return;
    const TimedPart computing(TimePart::compute);
    watch_.report("subsets", 0);
    SubsetsQuestion question;
    question.numbers = numbers_;
    question.sum = result_.value;
    question.fewest = options_.fewest;
    if (options_.count) question.count = static_cast<std::size_t>(*options_.count);
    question.most = is_wanted ? static_cast<std::size_t>(options_.all.value_or(1)) : 1;
    auto answer = find_subsets(question, bytes(), watch_);
    auto& run = result_.run;
    run.reason += fmt::format("{}{}", run.reason.empty() ? "" : "; ",
                              answer.is_complete ? "subsets by " + answer.way : "subsets: " + answer.reason);
    if (!answer.is_complete) {
      note_ending(run);
      // Without a subset there is no answer either.
      if (options_.count) {
        result_.possible = false;
        result_.value = 0;
        note_unproven(run);
      }
      return;
    }
    if (answer.subsets.empty())
      throw InternalError("subset-sum: no subset was found for a sum that one has; please report it");
    for (auto& subset : answer.subsets)
      for (auto& position : subset) position = positions_[position];
    result_.indices = answer.subsets.front();
    if (!is_wanted) return;
    if (options_.fewest) result_.fewest = true;
    result_.more = answer.has_more;
    result_.unique = !answer.has_more && answer.subsets.size() == 1;
    if (options_.all) result_.subsets = std::move(answer.subsets);
  }

  // Added up once more, from the amounts themselves.
  void require_sums() const {
    const auto sum_of = [&](const Subset& subset) {
      std::int64_t sum = 0;
      for (const auto i : subset) sum += amounts_.numbers.at(i);
      return sum;
    };
    const auto is_right = [&](const Subset& subset) {
      return sum_of(subset) == result_.value && (!options_.count || subset.size() == *options_.count) &&
             std::is_sorted(subset.begin(), subset.end(), std::less_equal<>());
    };
    if (!result_.possible) return;
    if (!is_right(result_.indices) || !std::all_of(result_.subsets.begin(), result_.subsets.end(), is_right))
      throw InternalError("subset-sum: a subset has another sum or count than was found; please report it");
  }

  const Amounts& amounts_;
  const Options& options_;
  const RunControl& control_;
  const SolvePlain& solve_plain_;
  Watch watch_;
  std::vector<std::size_t> positions_;  ///< of the numbers among the amounts
  std::vector<std::int64_t> numbers_;   ///< amounts that are not 0
  double magnitudes_ = 0;
  std::int64_t total_ = 0;
  AmountsResult result_;
};

}  // namespace

bool asks_for_subsets(const Options& options) { return options.fewest || options.all || options.unique; }

bool asks_for_more(const Amounts& amounts, const Options& options) {
  return asks_for_subsets(options) || options.count || options.at_least || amounts.tolerance > 0;
}

void check_question(const Amounts& amounts, const Options& options) {
  fields_of(options).check();
  if (amounts.tolerance < 0)
    throw InvalidInput(fmt::format("subset-sum: `tolerance` is {}; give a number from 0 on",
                                   text_of({amounts.tolerance, amounts.decimals})));
  if (options.at_least && amounts.tolerance > 0)
    throw InvalidInput(
        "subset-sum: `tolerance` is of a sum that is asked for exactly, and excludes `at_least`; give one of them");
  if (options.exactly && options.at_least)
    throw InvalidInput("subset-sum: `exactly` and `at_least` exclude each other; give one of them");
  if (options.count && options.method != name_of(Method::automatic))
    throw InvalidInput(fmt::format("subset-sum: `count` is found without a `method`, and {} was given; leave that out",
                                   options.method));
  if (options.range && asks_for_more(amounts, options))
    throw InvalidInput(
        "subset-sum: parts of a run find the best sum alone; leave `at_least`, `fewest`, `count`, `all`, `unique` and "
        "`tolerance` out");
}

AmountsResult solve_asked(const Amounts& amounts, const Options& options, const RunControl& control,
                          const SolvePlain& solve_plain) {
  return AskedRun(amounts, options, control, solve_plain).run();
}

std::uint64_t checksum_of(const AmountsResult& answer) {
  Checksum checksum;
  checksum.add(static_cast<std::uint64_t>(answer.value));
  if (answer.profit != 0) checksum.add(static_cast<std::uint64_t>(answer.profit));
  for (const auto index : answer.indices) checksum.add(std::uint64_t{index});
  for (const auto& subset : answer.subsets) {
    checksum.add(std::uint64_t{subset.size()});
    for (const auto index : subset) checksum.add(std::uint64_t{index});
  }
  return checksum.value();
}

}  // namespace clopt::subset_sum
