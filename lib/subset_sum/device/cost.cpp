#include "cost.hpp"

#include <algorithm>
#include <array>
#include <clopt/device.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include <subset_sum/host/balsub.hpp>
#include <subset_sum/host/bellman.hpp>
#include <subset_sum/meet/meet_in_the_middle.hpp>
#include <subset_sum/reduction/core.hpp>
#include <subset_sum/sweep/sweep.hpp>
#include <support/process/memory.hpp>

namespace clopt::subset_sum {
namespace {

constexpr std::size_t most_met_items = 64;
/// A method that gives the subset of recover() is taken where it loses less than this.
constexpr double tolerated_factor = 1.1;
constexpr double tolerated_seconds = 1e-3;
/// Items, from the break item on, after which balanced states are dense where sums are.
constexpr double items_until_hit = 8;
/// Fewer items than these before the break item leave balanced states sparse.
constexpr double items_that_fill = 20;

/// How often a byte of a vector travels for each visit of its piece, to the device with half as much beneath it and
/// back; and how long that takes from memory that is not page-locked.
constexpr double streamed_times = 2.5;
constexpr double seconds_a_streamed_byte = 1e-10;

/// The quantities from which times are predicted.
struct Facts {
  double items = 0;
  double capacities = 0;  ///< times items, within the ranges
  double high = 0;
  double weight = 0;    ///< of all items
  bool hit = false;     ///< whether some subset reaches the best sum that is wanted, by all appearances
  double divisor = 1;   ///< of all weights
  double spread = 0;    ///< the standard deviation of sums around the break item
  double heaviest = 0;  ///< for balsub's reduced problem, with the next two
  double broken = 0;    ///< items before the break item
  double break_weight = 0;
  double balsub_items = 0;
};

/// The greatest common divisor of all weights.
std::uint64_t divisor_of(const ReducedProblem& reduced) {
  std::uint64_t divisor = reduced.weights.front();
  for (const std::uint64_t weight : reduced.weights) {
    if (weight % divisor != 0) divisor = std::gcd(divisor, weight);
    if (divisor == 1) break;
  }
  return divisor;
}

/// Whether some prime divides nearly all weights, which would leave most residues out of reach.
bool has_hidden_divisor(const ReducedProblem& reduced, std::uint64_t divisor) {
  for (const std::uint64_t prime : {2U, 3U, 5U, 7U, 11U, 13U}) {
    const auto odd = std::count_if(reduced.weights.begin(), reduced.weights.end(),
                                   [&](std::uint64_t weight) { return weight / divisor % prime != 0; });
    if (static_cast<std::size_t>(odd) * 4 < reduced.size()) return true;
  }
  return false;
}

/// Whether sums are so dense, and have no common divisor that forbids it, that some subset must hit the target.
void predict_hit(const ReducedProblem& reduced, std::uint64_t divisor, Facts& facts) {
  constexpr std::size_t core_items = 60;
  constexpr double hits_that_suffice = 100;
  const std::uint64_t target = reduced.complement ? reduced.low : reduced.high;
  if (target % divisor != 0 || has_hidden_divisor(reduced, divisor)) return;
  Uint128 total = 0;
  std::vector<Item> items;
  items.reserve(reduced.size());
  for (const std::uint64_t weight : reduced.weights) {
    total += weight;
    items.push_back({weight, 0});
  }
  if (total <= target) return;
  const Core core = best_core(items, break_of(items, target), std::min(items.size(), core_items));
  facts.hit = core.solutions * static_cast<double>(divisor) > hits_that_suffice;
  facts.spread = core.spread;
}

Facts facts_of(const ReducedProblem& reduced, const ReducedProblem& balsub_reduced, bool searched) {
  Facts facts;
  facts.items = static_cast<double>(reduced.size());
  facts.capacities = static_cast<double>(capacities_to_sweep(reduced));
  facts.high = static_cast<double>(reduced.high);
  for (const std::uint64_t weight : reduced.weights) facts.weight += static_cast<double>(weight);
  const std::uint64_t divisor = divisor_of(reduced);
  facts.divisor = static_cast<double>(divisor);
  if (!searched) predict_hit(reduced, divisor, facts);
  const LargestSum problem(balsub_reduced);
  std::size_t broken = 0;
  std::uint64_t left = problem.capacity;
  while (broken < problem.weights.size() && problem.weights[broken] <= left) left -= problem.weights[broken++];
  facts.broken = static_cast<double>(broken);
  facts.balsub_items = static_cast<double>(problem.weights.size());
  if (!problem.weights.empty()) facts.heaviest = static_cast<double>(problem.weights[0]);
  if (broken < problem.weights.size()) facts.break_weight = static_cast<double>(problem.weights[broken]);
  return facts;
}

Uint128 whole(double bytes) { return static_cast<Uint128>(std::ceil(bytes)); }

Prediction bellman_cost(const Facts& facts, const HostSpeed& speed) {
  const double cells = (facts.items + 1) * (facts.high + 1);
  const double bytes = cells * sizeof(std::uint32_t);
  return {Method::bellman, cells / speed.bellman_cells + bytes * speed.fresh_byte, whole(bytes), bytes <= 1 << 30,
          true};
}

Prediction yanasse_soma_cost(const Facts& facts, const HostSpeed& speed) {
  const double bytes = (facts.high + 1) * sizeof(std::uint32_t);
  return {Method::yanasse_soma, facts.capacities / speed.yanasse_soma_steps + bytes * speed.fresh_byte, whole(bytes),
          bytes <= 4.0 * (1 << 30), true};
}

Prediction balsub_cost(const Facts& facts, const HostSpeed& speed) {
  const BalsubMemory memory;
  const double states = facts.heaviest + facts.break_weight + 1;
  const double items = facts.balsub_items - facts.broken;
  const double bytes_a_state = facts.broken < std::numeric_limits<std::int16_t>::max() ? 2 : 4;
  const double table = states * bytes_a_state;
  // The log that the subset is read from is reserved, and mostly used where many states are raised.
  const double log = std::min(static_cast<double>(memory.events), 512 * states);
  const double steps = facts.hit ? std::min(items, items_until_hit) : items;
  const double reached = std::min(1.0, facts.broken / items_that_fill) * std::log(1 + steps);
  const double seconds = steps * facts.heaviest / speed.balsub_states * bytes_a_state / 2 +
                         states * reached * (speed.balsub_state + speed.balsub_reached / facts.divisor) +
                         facts.break_weight / facts.divisor * facts.broken * speed.balsub_removal +
                         table * speed.fresh_byte;
  return {Method::balsub, seconds, whole(table + log),
          table <= static_cast<double>(memory.states) && states <= std::numeric_limits<std::uint32_t>::max(), false};
}

Prediction decomp_cost(const Facts& facts, const HostSpeed& speed) {
  constexpr double most_bytes = 2.0 * (1 << 30);
  if (facts.hit) {
    const double sums = 16 * std::sqrt(facts.spread) + facts.items;
    const double bytes = 32 * sums;
    return {Method::decomp, sums / speed.decomp_sums, whole(bytes), bytes <= most_bytes, false};
  }
  // Rows keep a word for each sum that is reached, at most, in two lists.
  const double bytes = facts.high / facts.divisor * 2 * 9;
  return {Method::decomp, facts.high * speed.decomp_capacity + facts.capacities / speed.decomp_capacities, whole(bytes),
          bytes <= most_bytes, false};
}

Prediction meet_cost(const ReducedProblem& reduced, const HostSpeed& speed) {
  const MeetInTheMiddleNeed need = meet_in_the_middle_need(reduced);
  const auto sums = static_cast<double>(need.sums);
  const double seconds = need.streamed ? speed.streaming + sums * speed.streamed_sum : sums * speed.listed_sum;
  return {Method::meet_in_the_middle, seconds, need.bytes,
          reduced.size() <= most_met_items && need.bytes <= meet_in_the_middle_memory, !need.streamed};
}

Prediction sweep_cost(Method method, const Facts& facts, const SweepSpeed& speed, const MemoryLimits& limits) {
  const double bytes = bytes_of_sweep(method, facts.high);
  Prediction prediction{method,
                        speed.seconds + facts.items * speed.seconds_an_item +
                            facts.capacities / speed.capacities_a_second + bytes * speed.seconds_a_byte,
                        whole(bytes), whole(bytes) <= limits.device, true};
  if (prediction.fits || !is_k3(name_of(method))) return prediction;
  // Pieces of four vectors' memory visit the device, once for items that weigh half of one together.
  const double visits = std::clamp(facts.weight / static_cast<double>(limits.device + 1), 1.0, facts.items);
  const double travelling = visits * facts.high / 8 * streamed_times;
  prediction.seconds = prediction.seconds * streamed_times / 2 + travelling * seconds_a_streamed_byte;
  prediction.fits = prediction.bytes <= limits.host;
  return prediction;
}

/// The OpenMP device's speeds.
std::map<std::string, SweepSpeed> on_threads(std::uint32_t count) {
  const double threads = count;
  // Threads touch new memory together, until the system's work for it is what bounds them.
  const double byte = 2.2e-10 / std::min(threads, 4.0);
  return {{"k1", {5e-6, 1e-6, byte, 1e9 * threads}},
          {"k2", {5e-6, 2e-6, byte, 5e8 * threads}},
          {"k3-16", {5e-6, 2e-6, byte, 4e10 * threads}},
          {"k3-32", {5e-6, 3e-7, byte, 3e11 * threads}},
          {"k3-64", {5e-6, 3e-7, byte, 3e11 * threads}}};
}

constexpr std::array sweep_methods{Method::k1, Method::k2, Method::k3_16, Method::k3_32, Method::k3_64};

}  // namespace

MemoryLimits memory_limits_of(const Device& device) {
  const std::uint64_t host = available_memory();
  const std::uint64_t own = sweep_memory(device);
  return {device.info().kind == DeviceKind::cpu ? std::min(own, host) : own, host};
}

double bytes_of_sweep(Method method, double high) {
  return (high + 1) * (method == Method::k1 || method == Method::k2 ? sizeof(std::uint32_t) : 3.0 / 8);
}

Speeds usual_speeds() { return {{}, on_threads(1)}; }

Speeds built_in_speeds(const Device& device) {
  const auto& info = device.info();
  Speeds speeds;
  if (info.launches_are_calls) {
    speeds.sweeps = on_threads(info.compute_units);
    speeds.host.streamed_sum /= info.compute_units;
  } else if (info.kind == DeviceKind::gpu) {
    speeds.sweeps = {{"k1", {3e-4, 4e-6, 1e-12, 7e11}},
                     {"k2", {3e-4, 4e-6, 1e-12, 2.5e11}},
                     {"k3-16", {1e-3, 3e-6, 1e-12, 6.6e12}},
                     {"k3-32", {1e-3, 3e-6, 1e-12, 1.28e13}},
                     {"k3-64", {1e-3, 3e-6, 1e-12, 2.1e13}}};
    speeds.host.streamed_sum = 2e-10;
    speeds.host.streaming = 1e-2;
  } else {
    // PoCL and Intel's runtime on a processor; llvmpipe, which has no long loops, is far slower.
    const double factor = device.has_long_loops() ? info.compute_units / 2.0 : 0.04;
    const double launch = device.has_long_loops() ? 3e-5 : 1e-3;
    speeds.sweeps = {{"k1", {1e-3, launch, 3e-10, 1.5e9 * factor}},
                     {"k2", {1e-3, launch, 3e-10, 7e8 * factor}},
                     {"k3-16", {1e-3, launch, 3e-10, 5e9 * factor}},
                     {"k3-32", {1e-3, launch, 3e-10, 1e10 * factor}},
                     {"k3-64", {1e-3, launch, 3e-10, 2e10 * factor}}};
    speeds.host.streamed_sum = 1e-8 / factor;
  }
  return speeds;
}

double usual_seconds(const ReducedProblem& bundled, const ReducedProblem& single) {
  constexpr MemoryLimits usual_memory{std::uint64_t{8} << 30, std::uint64_t{8} << 30};
  const auto predictions = predict(bundled, single, true, usual_speeds(), usual_memory);
  return predictions.front().fits ? predictions.front().seconds : std::numeric_limits<double>::max();
}

std::vector<Prediction> predict(const ReducedProblem& bundled, const ReducedProblem& single, bool searched,
                                const Speeds& speeds, const MemoryLimits& limits) {
  const Facts facts = facts_of(bundled, single, searched);
  std::vector<Prediction> predictions{bellman_cost(facts, speeds.host), yanasse_soma_cost(facts, speeds.host),
                                      balsub_cost(facts, speeds.host), decomp_cost(facts, speeds.host),
                                      meet_cost(bundled, speeds.host)};
  for (Prediction& each : predictions) each.fits = each.fits && each.bytes <= limits.host;
  for (const Method method : sweep_methods) {
    const auto speed = speeds.sweeps.find(std::string(name_of(method)));
    if (speed == speeds.sweeps.end()) continue;
    predictions.push_back(sweep_cost(method, facts, speed->second, limits));
  }
  std::stable_sort(predictions.begin(), predictions.end(), [](const Prediction& a, const Prediction& b) {
    return a.fits != b.fits ? a.fits : a.seconds < b.seconds;
  });
  const Prediction& best = predictions.front();
  const auto as_good = std::find_if(predictions.begin(), predictions.end(), [&](const Prediction& each) {
    return each.fits && each.canonical && each.seconds <= best.seconds * tolerated_factor + tolerated_seconds;
  });
  if (as_good != predictions.end()) std::rotate(predictions.begin(), as_good, as_good + 1);
  return predictions;
}

}  // namespace clopt::subset_sum
