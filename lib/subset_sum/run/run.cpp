#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include <subset_sum/host/balsub.hpp>
#include <subset_sum/host/bbe.hpp>
#include <subset_sum/host/bellman.hpp>
#include <subset_sum/host/decomp.hpp>
#include <subset_sum/host/yanasse_soma.hpp>
#include <subset_sum/meet/meet_in_the_middle.hpp>
#include <subset_sum/options.hpp>
#include <subset_sum/reduction/break_search.hpp>
#include <subset_sum/reduction/certificate.hpp>
#include <subset_sum/reduction/near_divisor.hpp>
#include <subset_sum/reduction/preprocessing.hpp>
#include <support/numbers/checksum.hpp>

namespace clopt::subset_sum {
namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::int64_t>::max();

/// A method that needs no device.
struct HostMethod {
  Method method;
  Found (*find)(const ReducedProblem& reduced, const Watch& watch);
};
constexpr std::array<HostMethod, 5> host_methods{{{Method::bellman, bellman},
                                                  {Method::bbe, bbe},
                                                  {Method::balsub, balsub},
                                                  {Method::decomp, decomp},
                                                  {Method::yanasse_soma, yanasse_soma}}};
static_assert(std::equal(host_methods.begin(), host_methods.end(), methods_of_host.begin(), methods_of_host.end(),
                         [](const HostMethod& one, Method other) { return one.method == other; }));

/// What the search around the break item may take, in seconds: always so little that it does not matter, more where
/// the methods would take long, and no more than it would be worth.
constexpr double least_search = 2e-3;
constexpr double most_search = 2;
constexpr double part_of_methods = 0.2;

/// The proof that a value is optimal; proofs that can be checked come first.
Proof proof_of(const Instance& instance, std::uint64_t value, std::uint64_t divisor) {
  if (value == instance.capacity) return Proof::capacity_reached;
  if (divisor > 1 && value == instance.capacity - instance.capacity % divisor) return Proof::divisor;
  return Proof::exhaustive;
}

/// One run of solve_with().
class Run {
 public:
  Run(const Instance& instance, const ParsedOptions& parsed, const Sweeper& sweeper, Reporter& reporter)
      : instance_(instance),
        parsed_(parsed),
        sweeper_(sweeper),
        reporter_(reporter),
        watch_(reporter.watch()),
        method_(parsed.method) {
    result_.solved_by = preprocessing;
  }

  Result finish() {
    {
      const TimedPart computing(TimePart::compute);
      decide();
    }
    result_.method = name_of(method_ == Method::automatic ? usual_method : method_);
    seal();
    return std::move(result_);
  }

 private:
  void decide() {
    problem_.items = items_within_capacity(instance_);
    problem_.capacity = instance_.capacity;
    problem_.total = total_weight(problem_.items);
    if (problem_.total <= problem_.capacity) {
      for (const Item& item : problem_.items) result_.indices.push_back(item.index);
      result_.value = static_cast<std::uint64_t>(problem_.total);
      settle(Proof::everything_fits, what_fits());
      return;
    }
    sort_descending(problem_.items);
    Selection known = greedy(problem_.items, problem_.capacity);
    if (known.sum == problem_.capacity) return accept(known, Proof::capacity_reached, "trivial solution");
    if (parsed_.reduce) {
      divide_by_common_divisor(problem_);
      known.sum /= problem_.divisor;
      if (known.sum == problem_.capacity) {
        return accept(known, Proof::divisor, fmt::format("trivial solution with common divisor {}", problem_.divisor));
      }
    }
    if (decided_by_remainder() || (parsed_.reduce && (decided_by_interval() || decided_by_near_divisor()))) return;
    report_subset(known);
    mapped_ = reduce_problem(problem_, known.sum, parsed_.reduce);
    report_values(known.sum);
    // A sum of several equal weights may be far heavier than each of them, which balsub would feel.
    if (mapped_.bundles.size() < mapped_.items) single_ = reduce_problem(problem_, known.sum, false);
    if (parsed_.reduce && decided_around_break()) return;
    // Nothing is left to choose a method for.
    if (method_ == Method::automatic && watch_.expired()) return accept_early(known, mapped_, {});
    if (method_ == Method::automatic) {
      choose_and_run(known);
    } else {
      result_.reason = "asked for";
      run_method(known);
    }
  }

  std::string_view what_fits() const {
    if (problem_.items.empty()) return "no weight fits";
    return problem_.items.size() == instance_.weights.size() ? "everything fits"
                                                             : "all weights that fit at all fit together";
  }

  void report_subset(const Selection& known) const {
    if (!parsed_.found) return;
    std::vector<std::size_t> indices;
    indices.reserve(known.positions.size());
    for (const std::uint32_t position : known.positions) indices.push_back(problem_.items[position].index);
    std::sort(indices.begin(), indices.end());
    parsed_.found(static_cast<std::int64_t>(known.sum * problem_.divisor), indices);
  }

  /// Reports progress from here on: the trivial solution's value, or that of the sums that methods report.
  void report_values(std::uint64_t known) {
    reporter_.know(known * problem_.divisor);
    const auto unit = static_cast<double>(problem_.divisor);
    const auto total = static_cast<double>(problem_.total);
    const bool complement = mapped_.reduced.complement;
    reporter_.value_by([=](double sum) { return unit * (complement ? total - sum : sum); });
  }

  /// The trivial solution of what is left out (chapter 4.4: it works best together with chapter 4.1).
  bool decided_by_remainder() {
    if (!problem_.complement_is_easier()) return false;
    const auto remainder = static_cast<std::uint64_t>(problem_.remainder());
    const Selection left_out = greedy(problem_.items, remainder);
    if (left_out.sum != remainder) return false;
    accept_proven(complement_of(left_out, problem_.items), "trivial solution of the remainder");
    return true;
  }

  bool decided_by_interval() {
    const bool complement = problem_.complement_is_easier();
    const std::uint64_t target = complement ? static_cast<std::uint64_t>(problem_.remainder()) : problem_.capacity;
    auto positions = reach_by_interval(problem_.items, target);
    if (!positions) return false;
    const Selection reached{std::move(*positions), target};
    accept_proven(complement ? complement_of(reached, problem_.items) : reached, "interval certificate");
    return true;
  }

  bool decided_by_near_divisor() {
    const auto answer = solve_by_near_divisor(problem_);
    if (!answer) return false;
    accept_proven(answer->selection, fmt::format("interval certificate with near divisor {}", answer->divisor));
    return true;
  }

  /// The reduced problem that a method gets.
  const MappedProblem& mapped_for(Method method) const {
    const auto work = [](const ReducedProblem& reduced) { return Uint128{reduced.size()} * reduced.weights.front(); };
    return method == Method::balsub && single_ && work(single_->reduced) < work(mapped_.reduced) ? *single_ : mapped_;
  }

  bool decided_around_break() {
    const double seconds =
        std::clamp(part_of_methods * usual_seconds(mapped_.reduced, mapped_for(Method::balsub).reduced), least_search,
                   most_search);
    auto positions =
        reach_around_break(problem_.items, problem_.capacity, BreakSearchEffort::of_seconds(seconds), watch_);
    if (!positions) return false;
    accept_proven({std::move(*positions), problem_.capacity}, "search around the break item");
    return true;
  }

  /// Tries the methods that fit, from the quickest on, until one does not refuse the reduced problem: a list's length
  /// is not always known before.
  void choose_and_run(const Selection& known) {
    const Resources resources = sweeper_.resources();
    const auto predictions = predict(mapped_.reduced, mapped_for(Method::balsub).reduced, parsed_.reduce,
                                     resources.speeds, resources.memory);
    std::string failures;
    for (const Prediction& each : predictions) {
      result_.candidates.push_back(
          {std::string(name_of(each.method)), each.seconds, static_cast<double>(each.bytes), each.fits});
    }
    for (const Prediction& each : predictions) {
      if (!each.fits) continue;
      method_ = each.method;
      result_.reason = fmt::format("predicted to take {:.2g} s{}", each.seconds, comparison(predictions, each));
      try {
        return run_method(known);
      } catch (const InvalidInput& error) {
        failures += fmt::format("; {}", error.what());
      }
    }
    // However large the capacity, few sums may be reached.
    method_ = Method::sparse;
    result_.reason = "nothing else fits, and few sums are reached";
    try {
      return run_method(known);
    } catch (const InvalidInput& error) {
      failures += fmt::format("; {}", error.what());
    }
    std::string sizes;
    for (const Prediction& each : predictions) {
      if (!each.fits)
        sizes += fmt::format("{}{} {:.2g}", sizes.empty() ? "" : ", ", name_of(each.method), double(each.bytes));
    }
    throw InvalidInput(fmt::format(
        "subset-sum: too large for every method: {} items up to {} need, in bytes, {}; the device has {} "
        "for it and the host {}; use a device with more memory{}",
        mapped_.reduced.size(), mapped_.reduced.high, sizes, resources.memory.device, resources.memory.host, failures));
  }

  static std::string comparison(const std::vector<Prediction>& predictions, const Prediction& chosen) {
    for (const Prediction& other : predictions) {
      if (&other != &chosen && other.fits) return fmt::format(", {} {:.2g} s", name_of(other.method), other.seconds);
    }
    return {};
  }

  void run_method(const Selection& known) {
    const MappedProblem& mapped = mapped_for(method_);
    result_.solved_by = name_of(method_);
    const auto host = std::find_if(host_methods.begin(), host_methods.end(),
                                   [&](const HostMethod& each) { return each.method == method_; });
    const Found found = host != host_methods.end() ? host->find(mapped.reduced, watch_)
                                                   : sweeper_.sweep(mapped.reduced, method_, watch_);
    result_.capacities_swept = found.capacities_swept;
    result_.launches = found.launches;
    result_.recovery = found.recovery;
    result_.recovery_bytes = found.recovery_bytes;
    result_.recovery_seconds = found.recovery_seconds;
    result_.has_pair = found.pair.has_value();
    if (found.pair) std::tie(result_.pair_slack, result_.pair_sum) = *found.pair;
    if (!found.complete) return accept_early(known, mapped, found);
    const Selection best = selection_of(problem_, mapped, found);
    const std::string reason = result_.reason;
    accept(best, proof_of(instance_, best.sum * problem_.divisor, problem_.divisor), reason);
  }

  /// Takes the best subset of a method that ended without the optimum.
  void accept_early(const Selection& known, const MappedProblem& mapped, const Found& found) {
    if (!found.undecided.empty()) return accept(known, Proof::none, found.undecided);
    result_.ending = watch_.interrupted() ? Ending::interrupted : Ending::time;
    const auto why = result_.interrupted() ? "interrupted" : "ended by the time limit";
    if (found.has_partial)
      return accept(selection_of(problem_, mapped, found), Proof::none,
                    fmt::format("{}, with the best subset so far", why));
    accept(known, Proof::none, fmt::format("{}, with the trivial solution", why));
  }

  void accept_proven(const Selection& selection, std::string_view reason) {
    const std::uint64_t value = selection.sum * problem_.divisor;
    accept(selection, proof_of(instance_, value, problem_.divisor), reason);
  }

  void accept(const Selection& selection, Proof proof, std::string_view reason) {
    result_.value = selection.sum * problem_.divisor;
    for (const std::uint32_t position : selection.positions) {
      result_.indices.push_back(problem_.items[position].index);
    }
    settle(proof, reason);
  }

  void settle(Proof proof, std::string_view reason) {
    result_.proof = proof;
    result_.optimal = proof != Proof::none;
    result_.reason = reason;
  }

  void sort_indices() {
    std::vector<bool> chosen(instance_.weights.size());
    for (const std::size_t index : result_.indices) chosen[index] = true;
    const std::size_t count = result_.indices.size();
    result_.indices.clear();
    result_.indices.reserve(count);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) result_.indices.push_back(i);
    }
    if (result_.indices.size() != count) throw InternalError("subset-sum: an item is in the answer twice");
  }

  /// Brings the answer into its final form and proves it once more by adding it up.
  void seal() {
    sort_indices();
    Checksum checksum;
    checksum.add(result_.value);
    for (const std::size_t index : result_.indices) checksum.add(std::uint64_t{index});
    result_.checksum = checksum.value();
    if (const std::string fault = check(instance_, result_); !fault.empty()) {
      throw InternalError(fmt::format("subset-sum, method {} ({}): wrong answer: {}; please report it", result_.method,
                                      result_.reason, fault));
    }
  }

  const Instance& instance_;
  const ParsedOptions& parsed_;
  const Sweeper& sweeper_;
  Reporter& reporter_;
  const Watch& watch_;
  Method method_;  ///< the one used
  SortedProblem problem_;
  MappedProblem mapped_;
  std::optional<MappedProblem> single_;  ///< without bundles, where those of mapped_ are fewer than the items
  Result result_;
};

}  // namespace

ParsedOptions parse_options(const Instance& instance, const Options& options, const RunControl& control) {
  if (instance.weights.empty()) throw InvalidInput("subset-sum: no `weights`; give at least one");
  if (instance.weights.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidInput(fmt::format("subset-sum: {} `weights`; at most {} are supported", instance.weights.size(),
                                   std::numeric_limits<std::uint32_t>::max() - 1));
  }
  const auto bad = std::find_if(instance.weights.begin(), instance.weights.end(),
                                [](std::uint64_t weight) { return weight - 1 >= largest_number; });
  if (bad != instance.weights.end()) {
    throw InvalidInput(fmt::format("subset-sum: weight {} (index {}) is outside 1 to {}", *bad,
                                   bad - instance.weights.begin(), largest_number));
  }
  if (asks_for_subsets(options) || options.count || options.at_least)
    throw InvalidInput(
        "subset-sum: `at_least`, `fewest`, `count`, `all` and `unique` are of amounts; give the weights as such");
  if (instance.capacity > largest_number) {
    throw InvalidInput(fmt::format("subset-sum: `capacity` is {}; give at most {}", instance.capacity, largest_number));
  }
  return parse_options(options, control);
}

ParsedOptions parse_options(const Options& options, const RunControl& control) {
  if (control.time_limit && !(*control.time_limit >= 0)) {
    throw InvalidInput(
        fmt::format("subset-sum: `time_limit` is {}; give a number of seconds from 0 on", *control.time_limit));
  }
  if (options.range) require_divisible(options);
  return {method_names.value(options.method, "method"),
          options.reduce,
          barrier_names.value(options.barrier, "barrier"),
          recovery_names.value(options.recovery, "recovery"),
          options.work_groups,
          options.range,
          options.found};
}

void check(const Instance& instance, const Options& options) { parse_options(instance, options, {}); }

Reporter::Reporter(const RunControl& control) : control_(with_best(control)), watch_(control_) {}

RunControl Reporter::with_best(const RunControl& control) {
  RunControl own = control;
  if (!control.progress) return own;
  own.progress = [this, progress = control.progress](const Progress& each) {
    // A method may report once more before it checks the watch.
    if (!continues_) return false;
    Progress complete = each;
    if (complete.best && value_of_sum_) complete.best = value_of_sum_(*complete.best);
    if (known_ && complete.best.value_or(0) < *known_) complete.best = known_;
    return continues_ = progress(complete);
  };
  return own;
}

Result solve_with(const Instance& instance, const ParsedOptions& parsed, const Sweeper& sweeper, Reporter& reporter) {
  return Run(instance, parsed, sweeper, reporter).finish();
}

Result solve_with(const Instance& instance, const Options& options, const Sweeper& sweeper, const RunControl& control) {
  Reporter reporter(control);
  return solve_with(instance, parse_options(instance, options, control), sweeper, reporter);
}

}  // namespace clopt::subset_sum
