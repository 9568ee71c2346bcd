/// \file
/// Fits of a range of rows, block by block.
#include <clopt/detail/huge_pages.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <device/solver_devices.hpp>
#include <group/batch_team.hpp>
#include <objective/precision.hpp>
#include <run/nested_run.hpp>
#include <run/record_fields.hpp>
#include <run/timed_run.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include <fit/blocks/block.hpp>
#include <fit/blocks/kernels.hpp>
#include <fit/blocks/long_block.hpp>
#include "options.hpp"
#include "ranks.hpp"
#include "result.hpp"
#include "run/parts.hpp"
#include "run/search.hpp"

namespace clopt::fit {
namespace {

// A block's numbers: few enough for a launch to be short, and many enough for a GPU.
constexpr std::size_t most_numbers = std::size_t{1} << 24;
constexpr std::size_t most_rows = std::size_t{1} << 18;
// Enough for load balancing, and for one block to be prepared while another one is fitted.
constexpr std::size_t blocks_of_device = 4;
constexpr std::size_t least_rows = std::size_t{1} << 14;
// To look through them.
constexpr std::size_t numbers_worth_threads = std::size_t{1} << 16;

/// Whether a device works while its host prepares.
bool is_apart(const Device& device) { return !device.info().launches_are_calls; }

/// Threads that prepare a device's rows. \param cores of the host for that device: a driver of a GPU has a thread, too,
/// which is late where others spin on all of them.
unsigned threads_beside(const Device& device, unsigned cores) {
  if (!is_apart(device)) return device.info().compute_units;
  return device.info().kind == DeviceKind::gpu && cores > 4 ? cores - 1 : cores;
}

/// A device that computes on the host's cores has them while the threads wait.
KeptTeam team_beside(const Device& device, unsigned cores) {
  return kept_team(threads_beside(device, cores),
                   device.info().kind == DeviceKind::gpu ? Waiting::spinning_in_use : Waiting::sleeping);
}

/// The rows of a block. O(1).
std::size_t rows_of_block(const Problem& problem, std::size_t parts, std::uint64_t rows,
                          std::span<const std::shared_ptr<Device>> devices) {
  const auto numbers = problem.columns * parts + problem.parameters * (problem.parameters + 6);
  const auto most = std::clamp<std::size_t>(most_numbers / numbers, 1, most_rows);
  // A device alone that is the host has nothing to wait for.
  const auto blocks = devices.size() == 1 && !is_apart(*devices.front()) ? 1 : devices.size() * blocks_of_device;
  const auto even = (rows + blocks - 1) / blocks;
  return std::min<std::size_t>(std::min<std::size_t>(most, rows), std::max<std::size_t>(even, least_rows));
}

template <class Real>
group::BatchTeam::Places places_of(Rows& rows, std::span<const std::shared_ptr<Device>> devices, std::size_t number) {
  const auto& device = devices[number];
  auto own = devices.size() == 1
                 ? KeptTeam()
                 : team_beside(*device, std::max(1U, usable_cores() / static_cast<unsigned>(devices.size())));
  const auto fitter = std::make_shared<Fitter<Real>>(rows, device, std::move(own), number == 0);
  group::BatchTeam::Places places;
  if (fitter->has_long_rows) {
    places.push_back(std::make_unique<LongBlock<Real>>(rows, fitter));
    return places;
  }
  const std::size_t count = is_apart(*device) && rows.block < rows.range.count ? 2 : 1;
  for (std::size_t place = 0; place < count; ++place)
    places.push_back(std::make_unique<Block<Real>>(rows, fitter, is_apart(*device)));
  return places;
}

template <class Real>
Result fit_range(const Plan& plan, const WorkRange& range, std::span<const std::shared_ptr<Device>> devices,
                 const Watch& watch) {
  auto result = result_of(plan, range);
  const auto block = rows_of_block(plan.problem, plan.residuals->row_parts().count(), range.count, devices);
  Rows rows{plan, range, block, watch, result};
  {
    group::BatchTeam team(devices, [&](std::size_t number) { return places_of<Real>(rows, devices, number); });
    const TimedPart computing(TimePart::compute);
    rows.working = Stopwatch();
    team.run(range.count, block, [&] { rows.report(); });
    if (plan.code) plan.code->add_seconds(rows.working.seconds());
    result.failures = team.failures();
    if (devices.size() > 1) result.devices = team.parts();
  }
  result.ending = rows.done == range.count ? Ending::complete
                  : watch.interrupted()    ? Ending::interrupted
                                           : Ending::time;
  result.launches = rows.launches;
  return result;
}

/// Compilers make vectors of the loop.
std::uint64_t number_converged(const Column<Status>& statuses) {
  std::uint64_t count = 0;
  for (const auto status : statuses) count += is_converged(status) ? 1 : 0;
  return count;
}

/// Fits by all ranks, or here.
Result fit_rows(const Plan& plan, const WorkRange& range, std::span<const std::shared_ptr<Device>> devices,
                const Watch& watch, const RunControl& control) {
  auto by_ranks = fit_by_ranks(plan, range, devices, watch, control);
  return by_ranks ? std::move(*by_ranks) : fit_here(plan, range, devices, watch);
}

/// Fits from guesses that are searched for first, within the same limits. A search that they end leaves its rows as
/// they are.
Result fit_after_search(const Plan& plan, Search& search, const WorkRange& range,
                        std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  const Watch watch(control);
  // A driver's compiler does not stop at a time limit, and would keep a search that does from returning.
  std::vector<std::shared_ptr<Device>> beside(devices.begin(), devices.end());
  if (control.time_limit) std::erase_if(beside, [](const auto& device) { return is_apart(*device); });
  KernelsBeside kernels(Specialisation(plan), std::move(beside));
  const auto run = search.run(range, devices, nested_control(control, watch, true));
  const bool was_ended = run.ending == Ending::time || run.ending == Ending::interrupted;
  if (!was_ended) kernels.finish();
  const auto rest = nested_control(control, watch);
  auto result = was_ended ? begun_result(plan, range) : fit_rows(plan, range, devices, Watch(rest), rest);
  if (was_ended) result.ending = run.ending;
  add_run_result(result, run);
  if (!result.cluster) result.cluster = run.cluster;
  return result;
}

}  // namespace

KeptTeam team_for(const Problem& problem, std::span<const std::shared_ptr<Device>> devices) {
  if (problem.data.size() < numbers_worth_threads) return kept_team(1);
  const auto cores = usable_cores();
  const auto most = std::max_element(devices.begin(), devices.end(), [&](const auto& a, const auto& b) {
    return threads_beside(*a, cores) < threads_beside(*b, cores);
  });
  return team_beside(**most, cores);
}

Result result_of(const Plan& plan, const WorkRange& range) {
  const auto n = plan.problem.parameters;
  const auto& options = plan.options;
  Result result;
  const auto make_room = [&](auto& numbers, std::size_t numbers_of_row) {
    reserve_in_huge_pages(numbers, range.count * numbers_of_row);
    numbers.resize(range.count * numbers_of_row);
  };
  make_room(result.parameters, n);
  if (options.errors || options.covariance) make_room(result.errors, n);
  if (options.covariance) make_room(result.covariance, n * n);
  make_room(result.chi_squared, 1);
  make_room(result.degrees_of_freedom, 1);
  make_room(result.statuses, 1);
  make_room(result.iterations, 1);
  return result;
}

void leave_at_guess(const Plan& plan, const WorkRange& range, Result& result, std::size_t first, std::size_t count) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto n = plan.problem.parameters;
  const bool is_own = plan.guess.size() > n;
  for (auto row = first; row < first + count; ++row)
    for (std::size_t k = 0; k < n; ++k)
      result.parameters[row * n + k] = plan.guess[is_own ? (range.first + row) * n + k : k];
  const auto fill = [&](auto& numbers, auto value) {
    const auto width = numbers.size() / range.count;
    std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(first * width), count * width, value);
  };
  fill(result.errors, none);
  fill(result.covariance, none);
  fill(result.chi_squared, none);
  fill(result.degrees_of_freedom, std::uint64_t{0});
  fill(result.statuses, Status::limit);
  fill(result.iterations, std::uint64_t{0});
}

Result begun_result(const Plan& plan, const WorkRange& range) {
  auto result = result_of(plan, range);
  leave_at_guess(plan, range, result, 0, range.count);
  return result;
}

Result fit_here(const Plan& plan, const WorkRange& range, std::span<const std::shared_ptr<Device>> devices,
                const Watch& watch) {
  std::vector<std::string> left_out;
  const auto able = objective::with_doubles(devices, plan.is_double, left_out);
  auto result =
      plan.is_double ? fit_range<double>(plan, range, able, watch) : fit_range<float>(plan, range, able, watch);
  result.failures.insert(result.failures.begin(), left_out.begin(), left_out.end());
  return result;
}

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return timed([&] {
    const Watch watch(control);
    check(problem, options);
    require_devices(devices);
    const auto range = options.range.value_or(WorkRange{0, problem.rows()});
    check_range(range, problem.rows(), "rows");
    auto threads = team_for(problem, devices);
    const auto numbers = survey(problem, *threads);
    const auto precision = precision_of(numbers, options);
    const auto residuals = std::make_shared<const Objective>(residuals_of(problem, numbers.has_gaps));
    std::optional<Search> search;
    if (problem.guess.empty()) search.emplace(problem, options, precision.is_double, *threads);
    const auto guess = search ? search->guess() : problem.guess;
    Plan plan{problem, options, residuals, guess, precision.is_double, false, *threads};
    const auto fit = [&](const WorkRange& part, const RunControl& limits, const Watch& own) {
      const auto rows_left = range.first + range.count - part.first;
      choose_build(plan, rows_left, devices);
      return search ? fit_after_search(plan, *search, part, devices, limits)
                    : fit_rows(plan, part, devices, own, limits);
    };
    const auto fit_part = [&](const WorkRange& part, const RunControl& limits) {
      return fit(part, limits, Watch(limits));
    };
    auto result = options.checkpoint || options.resume ? fit_in_parts(plan, range, watch, control, fit_part)
                                                       : fit(range, control, watch);
    result.precision = precision.is_double ? "double" : "float";
    result.converged = number_converged(result.statuses);
    result.method = search ? "differential-evolution, levenberg-marquardt" : "levenberg-marquardt";
    result.reason = precision.reason;
    result.unchecked = "rows are not fitted a second time";
    set_checksum(result, *threads);
    return result;
  });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  return solve(problem, options, devices, control);
}

}  // namespace clopt::fit
