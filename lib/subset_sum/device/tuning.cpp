#include "tuning.hpp"

#include <algorithm>
#include <array>
#include <clopt/device.hpp>
#include <clopt/subset_sum.hpp>
#include <limits>
#include <optional>

#include <clopt/detail/run_times.hpp>
#include <run/tuning.hpp>
#include <subset_sum/host/balsub.hpp>
#include <subset_sum/host/bellman.hpp>
#include <subset_sum/host/decomp.hpp>
#include <subset_sum/host/yanasse_soma.hpp>
#include <subset_sum/meet/meet_in_the_middle.hpp>
#include <subset_sum/options.hpp>
#include <subset_sum/sweep/sweep.hpp>

namespace clopt::subset_sum {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SweepSpeed, seconds, seconds_an_item, seconds_a_byte, capacities_a_second)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostSpeed, bellman_cells, yanasse_soma_steps, balsub_states, balsub_state,
                                   balsub_reached, balsub_removal, decomp_capacity, decomp_capacities, decomp_sums,
                                   listed_sum, streamed_sum, streaming, fresh_byte)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Speeds, host, sweeps)

namespace {

/// Seconds of a run that measures a rate accurately enough.
constexpr double least_measured_seconds = 0.03;
constexpr std::uint64_t smallest_high = std::uint64_t{1} << 18;
constexpr std::uint64_t largest_high = std::uint64_t{1} << 28;
constexpr std::uint64_t growth = 8;

/// Enough weights that every capacity up to `high` is swept for most of them, in descending order.
ReducedProblem reduced_of(std::size_t items, std::uint64_t high) {
  constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;
  ReducedProblem reduced;
  reduced.low = 1;
  reduced.high = high;
  for (std::size_t i = 1; i <= items; ++i) reduced.weights.push_back(high / 8 + (i * golden_ratio >> 20) % (high / 8));
  std::sort(reduced.weights.rbegin(), reduced.weights.rend());
  return reduced;
}

/// Runs methods on one device; throws TuningStopped where the run must end.
class Tuner {
 public:
  Tuner(Device& device, const Watch& watch) : device_(device), watch_(watch) {}

  Speeds measure() {
    Speeds speeds = built_in_speeds(device_);
    double done = 0;
    for (auto& [method, speed] : speeds.sweeps) {
      watch_.report("sweeps", done++ / static_cast<double>(speeds.sweeps.size()));
      speed = sweep_speed(method_names.value(method, "method"));
    }
    watch_.report("host", 0);
    measure_host(speeds.host);
    return speeds;
  }

 private:
  /// The best of two runs, and one before them that builds kernels and warms up.
  template <typename Work>
  double seconds_of(const Work& work) {
    double best = std::numeric_limits<double>::max();
    for (int run = 0; run < 3; ++run) {
      const RunTimes times;
      work();
      const auto spent = times.seconds();
      const double seconds = spent.compute + spent.other;
      if (watch_.expired()) throw TuningStopped{};
      if (run > 0) best = std::min(best, seconds);
      if (seconds > 10 * least_measured_seconds) return seconds;
    }
    return best;
  }

  double sweep_seconds(Method method, const ReducedProblem& reduced) {
    return seconds_of([&] { return sweep_on_device(reduced, {method}, device_, watch_); });
  }

  SweepSpeed sweep_speed(Method method) {
    constexpr std::size_t few = 8;
    constexpr std::size_t many = 40;
    constexpr std::size_t very_many = 264;
    constexpr std::uint64_t tiny = 1000;
    constexpr double least = 1e-15;
    SweepSpeed speed;
    speed.seconds = sweep_seconds(method, reduced_of(few, tiny));
    speed.seconds_an_item = std::max(0.0, (sweep_seconds(method, reduced_of(very_many, tiny)) - speed.seconds) /
                                              static_cast<double>(very_many - few));
    for (std::uint64_t high = smallest_high; high <= largest_high; high *= growth) {
      const ReducedProblem light = reduced_of(few, high);
      const ReducedProblem heavy = reduced_of(many, high);
      // The last size must do: pieces of the host's memory say nothing of the device's speed.
      if (!sweep_refusal(heavy, {method, {}, Recovery::checkpoints}, device_).empty()) break;
      const double seconds_of_light = sweep_seconds(method, light);
      const double seconds_of_heavy = sweep_seconds(method, heavy);
      const double items = static_cast<double>(many - few) * speed.seconds_an_item;
      const auto more = static_cast<double>(capacities_to_sweep(heavy) - capacities_to_sweep(light));
      speed.capacities_a_second = more / std::max(seconds_of_heavy - seconds_of_light - items, more * least);
      const double rest = seconds_of_light - speed.seconds - few * speed.seconds_an_item -
                          static_cast<double>(capacities_to_sweep(light)) / speed.capacities_a_second;
      speed.seconds_a_byte = std::max(0.0, rest / bytes_of_sweep(method, static_cast<double>(high)));
      if (seconds_of_heavy > least_measured_seconds) break;
    }
    return speed;
  }

  /// How many times as long as predicted with `speed` a method takes.
  template <typename Work>
  double factor(const ReducedProblem& reduced, Method name, const HostSpeed& speed, const Work& work) {
    constexpr MemoryLimits all{std::uint64_t{1} << 62, std::uint64_t{1} << 62};
    const auto predictions = predict(reduced, reduced, true, {speed, {}}, all);
    const auto prediction = std::find_if(predictions.begin(), predictions.end(),
                                         [&](const Prediction& each) { return each.method == name; });
    return seconds_of([&] { return work(reduced, watch_); }) / prediction->seconds;
  }

  void measure_host(HostSpeed& speed) {
    const HostSpeed usual;
    const ReducedProblem narrow = reduced_of(60, 100'000);
    const ReducedProblem wide = odd_target(100, 20);
    const double bellman_factor = factor(narrow, Method::bellman, usual, bellman);
    speed.bellman_cells /= bellman_factor;
    speed.yanasse_soma_steps /= factor(narrow, Method::yanasse_soma, usual, yanasse_soma);
    const double balsub_factor =
        factor(wide, Method::balsub, usual,
               [](const ReducedProblem& reduced, const Watch& watch) { return balsub(reduced, watch); });
    speed.balsub_states /= balsub_factor;
    speed.balsub_state *= balsub_factor;
    speed.balsub_reached *= balsub_factor;
    speed.balsub_removal *= balsub_factor;
    const double decomp_factor =
        factor(wide, Method::decomp, usual,
               [](const ReducedProblem& reduced, const Watch& watch) { return decomp(reduced, watch); });
    speed.decomp_capacity *= decomp_factor;
    speed.decomp_capacities /= decomp_factor;
    speed.decomp_sums /= decomp_factor;
    const auto meet = [&](const ReducedProblem& reduced, const Watch& watch) {
      return meet_in_the_middle(reduced, device_, watch);
    };
    speed.listed_sum *= factor(odd_target(36, 31), Method::meet_in_the_middle, usual, meet);
    speed.streamed_sum *= factor(odd_target(44, 50), Method::meet_in_the_middle, usual, meet);
  }

  /// Even weights up to 2^bits and an odd target of half their sum: no hit ends a search early.
  static ReducedProblem odd_target(std::size_t items, int bits) {
    ReducedProblem reduced = reduced_of(items, std::uint64_t{1} << (bits + 2));
    std::uint64_t sum = 0;
    for (std::uint64_t& weight : reduced.weights) sum += weight &= ~std::uint64_t{1};
    reduced.high = sum / 2 | 1;
    reduced.low = reduced.high - reduced.weights.front();
    return reduced;
  }

  Device& device_;
  const Watch& watch_;
};

}  // namespace

Speeds speeds_of(const Device& device) {
  const auto measured = tuned<Speeds>(device, "subset-sum");
  return measured ? *measured : built_in_speeds(device);
}

std::optional<std::string> tune(Device& device, const RunControl& control) {
  return tune_by(control, [&](const Watch& watch) { return Tuner(device, watch).measure(); });
}

}  // namespace clopt::subset_sum
