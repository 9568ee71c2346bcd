/// \file
/// Fits of a range of rows, block by block.
#include <shared/fit/fit.h>
#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <device/device_threads.hpp>
#include <device/kernels/build_ahead.hpp>
#include <device/solver_devices.hpp>
#include <objective/program.hpp>
#include <run/pacing.hpp>
#include <run/timed_run.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "operations.hpp"
#include "options.hpp"
#include "result.hpp"
#include "rows.hpp"

namespace clopt::fit {
namespace {

// A block's numbers: few enough for a launch to be short, and many enough for a GPU.
constexpr std::size_t most_numbers = std::size_t{1} << 23;
constexpr std::size_t most_rows = std::size_t{1} << 18;
// Of a launch.
constexpr double seconds_of_launch = 0.05;
constexpr double first_rows = 4096;
constexpr std::uint32_t group_size = 64;
// So few would leave most lanes of a processor's vectors empty.
constexpr std::size_t few_rows = 8;

/// Numbers of each parameter, for all rows or each, as devices get them.
template <class Real>
struct OfParameters {
  Buffer<Real> buffer;
  bool own;
};

/// Of a range's rows that were not fitted: they stay at their guesses.
Result begun_result(const Problem& problem, const Options& options, const WorkRange& range) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto n = problem.parameters;
  const auto first = problem.guess.size() > n ? range.first * n : 0;
  Result result;
  result.parameters.resize(range.count * n);
  for (std::size_t i = 0; i < result.parameters.size(); ++i)
    result.parameters[i] = problem.guess[problem.guess.size() > n ? first + i : i % n];
  if (options.errors || options.covariance) result.errors.assign(range.count * n, none);
  if (options.covariance) result.covariance.assign(range.count * n * n, none);
  result.chi_squared.assign(range.count, none);
  result.degrees_of_freedom.assign(range.count, 0);
  result.statuses.assign(range.count, Status::limit);
  result.iterations.assign(range.count, 0);
  return result;
}

/// What the devices of a run share: each takes the next block of rows.
struct Rows {
  const WorkRange range;
  const std::size_t block;
  const Watch& watch;
  Result& result;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  std::atomic<std::uint64_t> launches = 0;
  std::atomic<bool> is_cut = false;
};

template <class Real>
class Fitter {
 public:
  Fitter(const Problem& problem, const Options& options, const Objective& residuals, Rows& shared, Device& device)
      : problem_(problem),
        options_(options),
        has_errors_(options.errors || options.covariance),
        residuals_(residuals),
        parts_(residuals.row_parts()),
        shared_(shared),
        device_(device),
        queue_(device.queue()),
        // Powers of two apart, numbers of a row would share a set of the processor's cache.
        stride_(shared.block % 64 == 0 ? shared.block + 16 : shared.block) {
    objective::require_device(device, residuals_, std::is_same_v<Real, double>);
  }

  /// \param reports whether this is the thread that called the solver.
  void run(bool reports) {
    reports_ = reports;
    build();
    const TimedPart computing(TimePart::compute);
    allocate();
    const auto count = shared_.range.count;
    for (std::size_t first; (first = shared_.next.fetch_add(shared_.block)) < count && !shared_.is_cut;)
      fit_block(shared_.range.first + first, std::min<std::size_t>(shared_.block, count - first));
    shared_.launches += queue_->counts().launches;
  }

 private:
  void build() {
    Program program;
    objective::prepare(program, residuals_, std::is_same_v<Real, double>,
                       static_cast<std::uint32_t>(problem_.parameters));
    program.defines.set("FIT_PARAMETERS", static_cast<std::int32_t>(problem_.parameters))
        .set("FIT_DERIVATIVE", problem_.model.has_derivative)
        .set("FIT_LOSS", static_cast<std::int32_t>(loss_of(options_.loss)))
        .set("FIT_BOUNDED", !problem_.lower.empty() || !problem_.upper.empty() || !problem_.fixed.empty());
    program.few_items = shared_.range.count <= few_rows;
    BuildAhead ahead;
    fit_rows_ = objective::build<operations::FitRows<Real>>(device_, program, residuals_);
    if (has_errors_) find_errors_ = objective::build<operations::FindErrors<Real>>(device_, program, residuals_);
    ahead.finish();
  }

  void allocate() {
    const auto n = problem_.parameters;
    rows_ = device_.buffer<Real>("rows of data", stride_ * problem_.columns * parts_.count());
    tables_ = objective::upload_tables<Real>(device_, *queue_, residuals_);
    guess_ = of_parameters("guesses", problem_.guess.size() > n);
    const bool own_bounds = problem_.lower.size() > n || problem_.upper.size() > n;
    lower_ = of_parameters("lower bounds", own_bounds);
    upper_ = of_parameters("upper bounds", own_bounds);
    parameters_ = device_.buffer<Real>("parameters", stride_ * n);
    values_ = device_.buffer<Real>("sums of squares", stride_ * 2);
    states_ = device_.buffer<std::uint32_t>("states", stride_);
    if (has_errors_) errors_ = device_.buffer<Real>("errors", stride_ * n * (n + 1) / 2);
    host_.assign(stride_ * problem_.columns * parts_.count(), Real{0});
  }

  OfParameters<Real> of_parameters(const char* name, bool own) {
    return {device_.buffer<Real>(name, problem_.parameters * (own ? stride_ : 1)), own};
  }

  /// Writes numbers of each parameter of a block's rows. \param otherwise where there are none.
  void write(const OfParameters<Real>& to, const std::vector<double>& numbers, std::size_t first, std::size_t count,
             double otherwise) {
    const auto n = problem_.parameters;
    const bool given_own = numbers.size() > n;
    const auto rows = to.own ? count : 1;
    std::vector<Real> moved(n * (to.own ? stride_ : 1));
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t row = 0; row < rows; ++row)
        moved[k * (to.own ? stride_ : 1) + row] =
            static_cast<Real>(numbers.empty() ? otherwise : numbers[given_own ? (first + row) * n + k : k]);
    queue_->write(to.buffer, std::span<const Real>(moved));
  }

  void write_rows(std::size_t first, std::size_t count) {
    const auto places = problem_.columns * parts_.count();
    // Few rows at a time, so that lines of the cache are written as a whole.
    constexpr std::size_t tile = 16;
    for (std::size_t begin = 0; begin < count; begin += tile)
      for (std::size_t place = 0; place < places; ++place)
        for (std::size_t row = begin; row < std::min(begin + tile, count); ++row)
          host_[place * stride_ + row] = static_cast<Real>(part_of_row(problem_, parts_, first + row, place));
    queue_->write(rows_, std::span<const Real>(host_).first(places * stride_));
  }

  shared::fit_rows_settings settings_of_block() const {
    shared::fit_rows_settings settings{};
    settings.fits = static_cast<std::uint32_t>(stride_);
    settings.columns = static_cast<std::uint32_t>(problem_.columns * parts_.count());
    settings.own_guess = guess_.own ? 1 : 0;
    settings.own_bounds = lower_.own ? 1 : 0;
    for (const auto place : problem_.fixed) settings.fixed |= 1U << place;
    settings.loss_scale = static_cast<float>(options_.loss_scale);
    settings.loss_scale_rest = static_cast<float>(options_.loss_scale - static_cast<double>(settings.loss_scale));
    settings.most_rounds = static_cast<std::uint32_t>(options_.iterations);
    return settings;
  }

  /// Whole groups, see kernels_cl/fit/fit_rows.cl.
  template <class Kernel>
  static Range range_of(const Kernel& kernel, const shared::fit_rows_settings& settings) {
    const auto size = std::min(group_size, kernel.max_group_size());
    return Range::of_groups((settings.count + size - 1) / size, size);
  }

  void launch(const shared::fit_rows_settings& settings) {
    queue_->launch(fit_rows_, range_of(fit_rows_, settings),
                   {.rows = rows_,
                    .tables = tables_,
                    .guesses = guess_.buffer,
                    .lower = lower_.buffer,
                    .upper = upper_.buffer,
                    .parameters = parameters_,
                    .values = values_,
                    .states = states_,
                    .settings = settings});
    if (!has_errors_) return;
    queue_->launch(find_errors_, range_of(find_errors_, settings),
                   {.rows = rows_,
                    .tables = tables_,
                    .lower = lower_.buffer,
                    .upper = upper_.buffer,
                    .parameters = parameters_,
                    .errors = errors_,
                    .settings = settings});
  }

  /// Fits a block's rows in launches that are short. \returns how many of them were fitted before the run's end.
  std::size_t launch_block(std::size_t count) {
    auto settings = settings_of_block();
    std::size_t done = 0;
    while (done < count && !shared_.is_cut) {
      const Stopwatch stopwatch;
      settings.first = static_cast<std::uint32_t>(done);
      settings.count = static_cast<std::uint32_t>(std::min<std::size_t>(pace_.steps(), count - done));
      launch(settings);
      queue_->finish();
      pace_.aim_at(seconds_of_launch, settings.count, stopwatch.seconds());
      done += settings.count;
      shared_.done += settings.count;
      if (reports_)
        shared_.watch.report("fits", static_cast<double>(shared_.done) / static_cast<double>(shared_.range.count));
      if (shared_.watch.expired()) shared_.is_cut = done < count || shared_.next < shared_.range.count;
    }
    return done;
  }

  void fit_block(std::size_t first, std::size_t count) {
    write_rows(first, count);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    write(guess_, problem_.guess, first, count, 0);
    write(lower_, problem_.lower, first, count, -infinity);
    write(upper_, problem_.upper, first, count, infinity);
    const auto done = launch_block(count);
    const auto states = queue_->read_all(states_);
    const auto values = queue_->read_all(values_);
    const auto parameters = queue_->read_all(parameters_);
    const auto errors = has_errors_ ? queue_->read_all(errors_) : std::vector<Real>{};
    for (std::size_t row = 0; row < done; ++row) set_row(first + row, row, states, values, parameters, errors);
  }

  void set_row(std::size_t row, std::size_t place, const std::vector<std::uint32_t>& states,
               const std::vector<Real>& values, const std::vector<Real>& parameters, const std::vector<Real>& errors) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    auto& result = shared_.result;
    const auto to = row - shared_.range.first;
    const auto n = problem_.parameters;
    const auto data = present_data(problem_, row);
    const auto status = data == 0 ? Status::no_data : static_cast<Status>(states[place] % 256);
    const bool has_answer = status != Status::no_data && status != Status::not_finite;
    const double scale = values[stride_ + place];
    const double chi_squared = has_answer ? values[place] / scale / scale : none;
    const auto free = n - fixed_parameters(row);
    const auto degrees = data > free ? data - free : 0;
    for (std::size_t k = 0; k < n; ++k)
      result.parameters[to * n + k] = has_answer ? static_cast<double>(parameters[k * stride_ + place]) : none;
    result.chi_squared[to] = chi_squared;
    result.degrees_of_freedom[to] = degrees;
    result.statuses[to] = status;
    result.iterations[to] = states[place] / 256;
    if (!has_errors_ || !has_answer) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double unit = !problem_.sigma.empty() || options_.loss == "poisson" ? 1
                        : degrees == 0                                        ? infinity
                                       : std::sqrt(chi_squared / static_cast<double>(degrees));
    const auto pair = [&](std::size_t a, std::size_t b) {
      return static_cast<double>(errors[(a * (a + 1) / 2 + b) * stride_ + place]);
    };
    for (std::size_t k = 0; k < n; ++k) result.errors[to * n + k] = pair(k, k) == 0 ? 0 : pair(k, k) * unit;
    if (!options_.covariance) return;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        const double product = result.errors[to * n + a] * result.errors[to * n + b];
        const double correlation = a == b ? 1 : pair(std::max(a, b), std::min(a, b));
        // Of what is fixed it is 0, and unknown as the errors are.
        result.covariance[(to * n + a) * n + b] = pair(a, a) == 0 || pair(b, b) == 0 ? 0
                                                  : std::isinf(product)              ? infinity
                                                                                     : product * correlation;
      }
  }

  std::size_t fixed_parameters(std::size_t row) const {
    std::size_t number = 0;
    for (std::size_t k = 0; k < problem_.parameters; ++k) {
      const auto bound = [&](const std::vector<double>& bounds) {
        return bounds[bounds.size() > problem_.parameters ? row * problem_.parameters + k : k];
      };
      const bool has_both = !problem_.lower.empty() && !problem_.upper.empty();
      const bool is_fixed = std::find(problem_.fixed.begin(), problem_.fixed.end(), k) != problem_.fixed.end();
      if (is_fixed ||
          (has_both && static_cast<Real>(bound(problem_.lower)) >= static_cast<Real>(bound(problem_.upper))))
        ++number;
    }
    return number;
  }

  const Problem& problem_;
  const Options& options_;
  const bool has_errors_;
  const Objective& residuals_;
  const Objective::RowParts parts_;
  Rows& shared_;
  Device& device_;
  std::unique_ptr<Queue> queue_;
  const std::size_t stride_;
  bool reports_ = false;
  Pacing pace_{first_rows, first_rows};
  Kernel<operations::FitRows<Real>> fit_rows_;
  Kernel<operations::FindErrors<Real>> find_errors_;
  Buffer<Real> rows_;
  Buffer<Real> tables_;
  OfParameters<Real> guess_{};
  OfParameters<Real> lower_{};
  OfParameters<Real> upper_{};
  Buffer<Real> parameters_;
  Buffer<Real> values_;
  Buffer<std::uint32_t> states_;
  Buffer<Real> errors_;
  std::vector<Real> host_;
};

/// A device's share of the rows at a time. O(1).
std::size_t rows_of_block(const Problem& problem, const Objective::RowParts& parts, std::uint64_t rows,
                          std::size_t devices) {
  const auto numbers = problem.columns * parts.count() + problem.parameters * (problem.parameters + 6);
  const auto most = std::clamp<std::size_t>(most_numbers / numbers, 1, most_rows);
  return std::min<std::size_t>(most, (rows + devices - 1) / devices);
}

template <class Real>
Result fit_range(const Problem& problem, const Options& options, const WorkRange& range,
                 std::span<const std::shared_ptr<Device>> devices, const Watch& watch) {
  auto result = begun_result(problem, options, range);
  const auto residuals = residuals_of(problem);
  Rows shared{range, rows_of_block(problem, residuals.row_parts(), range.count, devices.size()), watch, result};
  const auto fit_on = [&](std::size_t device) {
    Fitter<Real>(problem, options, residuals, shared, *devices[device]).run(device == 0);
  };
  DeviceThreads(devices.size()).run(fit_on);
  result.precision = std::is_same_v<Real, double> ? "double" : "float";
  result.ending = !shared.is_cut ? Ending::complete : watch.interrupted() ? Ending::interrupted : Ending::time;
  result.launches = shared.launches;
  result.converged = static_cast<std::uint64_t>(std::count_if(result.statuses.begin(), result.statuses.end(),
                                                              [](Status status) { return is_converged(status); }));
  return result;
}

}  // namespace

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return timed([&] {
    const Watch watch(control);
    check(problem, options);
    require_devices(devices);
    const auto range = options.range.value_or(WorkRange{0, problem.rows()});
    check_range(range, problem.rows(), "rows");
    const auto precision = precision_of(problem, options);
    auto result = precision.is_double ? fit_range<double>(problem, options, range, devices, watch)
                                      : fit_range<float>(problem, options, range, devices, watch);
    result.method = "levenberg-marquardt";
    result.reason = precision.reason;
    result.unchecked = "rows are not fitted a second time";
    set_checksum(result);
    return result;
  });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  return solve(problem, options, devices, control);
}

}  // namespace clopt::fit
