#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <device/solver_devices.hpp>
#include <run/timed_run.hpp>
#include <subset_sum/options.hpp>
#include <subset_sum/run/asked_subsets.hpp>
#include <subset_sum/run/knapsack_run.hpp>
#include <subset_sum/run/run.hpp>

namespace clopt::subset_sum {
namespace {

__extension__ typedef __int128 Signed;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::uint64_t magnitude_of(std::int64_t number) { return static_cast<std::uint64_t>(number < 0 ? -number : number); }

/// Amounts as weights: those below 0 are chosen from the start, and a weight of their magnitude takes one back.
class Translation {
 public:
  explicit Translation(const Amounts& amounts) : amounts_(amounts) {
    require_range();
    for (const auto number : amounts.numbers)
      if (number < 0) below_zero_ += number;
    const Signed capacity = amounts.capacity - below_zero_;
    if (capacity > largest)
      throw InvalidInput(
          fmt::format("subset-sum: the capacity {} and the amounts below 0, {} in all, pass 2^63-1 together; give "
                      "amounts with fewer digits",
                      text_of({amounts.capacity, amounts.decimals}), sum_below_zero()));
    is_possible_ = capacity >= 0;
    if (!is_possible_) return;
    instance_.capacity = static_cast<std::uint64_t>(capacity);
    const auto zeros = std::count(amounts.numbers.begin(), amounts.numbers.end(), 0);
    instance_.weights.reserve(amounts.numbers.size() - static_cast<std::size_t>(zeros));
    for (const auto number : amounts.numbers)
      if (number != 0) instance_.weights.push_back(magnitude_of(number));
  }

  bool is_possible() const { return is_possible_; }
  const Instance& instance() const { return instance_; }
  /// The sum of the amounts whose weights have this sum.
  Signed amounts_of(std::uint64_t sum) const { return sum + below_zero_; }
  double amounts_of(double sum) const { return sum + static_cast<double>(below_zero_); }

  /// The amounts of a set of weights.
  std::vector<std::size_t> chosen(const std::vector<std::size_t>& weights) const {
    std::vector<std::size_t> indices;
    std::size_t weight = 0;
    auto next = weights.begin();
    for (std::size_t i = 0; i < amounts_.numbers.size(); ++i) {
      if (amounts_.numbers[i] == 0) continue;
      const bool is_taken = next != weights.end() && *next == weight;
      if (is_taken) ++next;
      if (is_taken != (amounts_.numbers[i] < 0)) indices.push_back(i);
      ++weight;
    }
    return indices;
  }

 private:
  void require_range() const {
    if (amounts_.numbers.empty()) throw InvalidInput("subset-sum: no `numbers`; give at least one");
    const auto least = std::min(*std::min_element(amounts_.numbers.begin(), amounts_.numbers.end()), amounts_.capacity);
    if (least < -largest) throw InvalidInput(fmt::format("subset-sum: {} is below -(2^63-1)", least));
  }

  // It may not fit into a number.
  std::string sum_below_zero() const { return fmt::format("{:.6g} units", static_cast<double>(below_zero_)); }

  const Amounts& amounts_;
  Signed below_zero_ = 0;
  bool is_possible_ = false;
  Instance instance_;
};

// Added up once more, from the amounts themselves.
std::int64_t sum_of(const Amounts& amounts, const std::vector<std::size_t>& indices) {
  Signed sum = 0;
  for (const auto index : indices) sum += amounts.numbers[index];
  if (sum > amounts.capacity)
    throw InternalError("subset-sum: the sum of the chosen amounts is above the capacity; please report it");
  if (sum < -Signed{largest} - 1)
    throw InvalidInput(
        "subset-sum: the best sum of amounts is below -2^63, which its number does not hold; give amounts with fewer "
        "digits");
  return static_cast<std::int64_t>(sum);
}

/// Where no weight is left to choose, no method runs.
Result without_method(const ParsedOptions& parsed, std::string_view reason) {
  Result result;
  result.method = name_of(parsed.method == Method::automatic ? usual_method : parsed.method);
  result.solved_by = preprocessing;
  result.optimal = true;
  result.proof = Proof::exhaustive;
  result.ending = Ending::complete;
  result.reason = reason;
  return result;
}

AmountsResult solve_translated(const Amounts& amounts, const Options& options,
                               std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  require_devices(devices);
  const auto parsed = parse_options(options, control);
  const Translation translation(amounts);
  AmountsResult result;
  result.possible = translation.is_possible();
  result.zeros = static_cast<std::size_t>(std::count(amounts.numbers.begin(), amounts.numbers.end(), 0));
  if (!result.possible) {
    result.run = without_method(parsed, "even the least sum of amounts is above the capacity");
    return result;
  }
  if (translation.instance().weights.empty()) {
    result.run = without_method(parsed, "all amounts are zero");
  } else {
    RunControl own = control;
    if (control.progress)
      own.progress = [&](const Progress& each) {
        Progress translated = each;
        if (translated.best) translated.best = translation.amounts_of(*translated.best);
        return control.progress(translated);
      };
    Options of_weights = options;
    if (options.found)
      of_weights.found = [&](std::int64_t, const std::vector<std::size_t>& weights) {
        const auto indices = translation.chosen(weights);
        options.found(sum_of(amounts, indices), indices);
      };
    result.run = solve(translation.instance(), of_weights, devices, own);
    result.indices = translation.chosen(result.run.indices);
  }
  result.value = sum_of(amounts, result.indices);
  if (translation.amounts_of(result.run.value) != result.value)
    throw InternalError("subset-sum: the chosen amounts have another sum than their weights; please report it");
  result.reached = result.value == amounts.capacity;
  result.run.checksum = checksum_of(result);
  return result;
}

}  // namespace

void check(const Amounts& amounts, const Options& options) {
  parse_options(options, {});
  check_question(amounts, options);
  if (is_knapsack(amounts)) return check_knapsack(amounts, options);
  static_cast<void>(Translation(amounts));
}

AmountsResult solve(const Amounts& amounts, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                    const RunControl& control) {
  check_question(amounts, options);
  return timed([&] {
    if (is_knapsack(amounts)) return solve_knapsack(amounts, options, devices, control);
    if (!asks_for_more(amounts, options)) return solve_translated(amounts, options, devices, control);
    require_devices(devices);
    parse_options(options, control);
    return solve_asked(amounts, options, control,
                       [&](const Amounts& plain, const Options& plain_options, const RunControl& plain_control) {
                         return solve_translated(plain, plain_options, devices, plain_control);
                       });
  });
}

AmountsResult solve(const Amounts& amounts, const Options& options, Device& device, const RunControl& control) {
  const auto borrowed = non_owning(device);
  return solve(amounts, options, std::span(&borrowed, 1), control);
}

}  // namespace clopt::subset_sum
