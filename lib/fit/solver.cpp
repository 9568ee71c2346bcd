/// \file
/// Fits of a range of rows, block by block.
#include <shared/fit/fit.h>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <device/kernels/build_ahead.hpp>
#include <device/solver_devices.hpp>
#include <objective/program.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
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

/// Numbers of each parameter, for all rows or each, as devices get them.
template <class Real>
struct OfParameters {
  Buffer<Real> buffer;
  bool own;
};

template <class Real>
class Fitter {
 public:
  Fitter(const Problem& problem, const Options& options, const WorkRange& range, Device& device)
      : problem_(problem),
        options_(options),
        residuals_(residuals_of(problem)),
        parts_(residuals_.row_parts()),
        range_(range),
        device_(device),
        queue_(device.queue()) {
    objective::require_device(device, residuals_, std::is_same_v<Real, double>);
    const auto numbers = problem.columns * parts_.count() + problem.parameters * (problem.parameters + 6);
    block_ = std::clamp<std::size_t>(most_numbers / numbers, 1, most_rows);
    block_ = std::min<std::size_t>(block_, range.count);
    // Powers of two apart, numbers of a row would share a set of the processor's cache.
    stride_ = block_ % 64 == 0 ? block_ + 16 : block_;
  }

  Result run(const Watch& watch) {
    Result result;
    result.precision = std::is_same_v<Real, double> ? "double" : "float";
    const Stopwatch building;
    build();
    result.seconds.build = building.seconds();
    const Stopwatch computing;
    allocate();
    bool cut = false;
    for (std::size_t done = 0; done < range_.count; done += block_) {
      const auto count = std::min<std::size_t>(block_, range_.count - done);
      cut = cut || watch.expired();
      if (cut)
        leave(result, range_.first + done, count);
      else
        fit_block(result, range_.first + done, count);
      watch.report("fits", static_cast<double>(done + count) / static_cast<double>(range_.count));
    }
    result.ending = watch.interrupted() ? Ending::interrupted : cut ? Ending::time : Ending::complete;
    result.launches = queue_->counts().launches;
    result.seconds.compute = computing.seconds();
    return result;
  }

 private:
  void build() {
    Program program;
    objective::prepare(program, residuals_, std::is_same_v<Real, double>,
                       static_cast<std::uint32_t>(problem_.parameters));
    program.defines.set("FIT_PARAMETERS", static_cast<std::int32_t>(problem_.parameters))
        .set("FIT_DERIVATIVE", problem_.model.has_derivative)
        .set("FIT_BOUNDED", !problem_.lower.empty() || !problem_.upper.empty() || !problem_.fixed.empty());
    BuildAhead ahead;
    fit_rows_ = objective::build<operations::FitRows<Real>>(device_, program, residuals_);
    find_errors_ = objective::build<operations::FindErrors<Real>>(device_, program, residuals_);
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
    errors_ = device_.buffer<Real>("errors", stride_ * n * (n + 1) / 2);
    host_.assign(stride_ * std::max(problem_.columns * parts_.count(), n * (n + 1) / 2), Real{0});
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

  void fit_block(Result& result, std::size_t first, std::size_t count) {
    write_rows(first, count);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    write(guess_, problem_.guess, first, count, 0);
    write(lower_, problem_.lower, first, count, -infinity);
    write(upper_, problem_.upper, first, count, infinity);
    shared::fit_rows_settings settings{};
    settings.count = static_cast<std::uint32_t>(count);
    settings.fits = static_cast<std::uint32_t>(stride_);
    settings.columns = static_cast<std::uint32_t>(problem_.columns * parts_.count());
    settings.own_guess = guess_.own ? 1 : 0;
    settings.own_bounds = lower_.own ? 1 : 0;
    for (const auto place : problem_.fixed) settings.fixed |= 1U << place;
    settings.most_rounds = static_cast<std::uint32_t>(options_.rounds);
    queue_->launch(fit_rows_, Range::of_items(count),
                   {.rows = rows_,
                    .tables = tables_,
                    .guesses = guess_.buffer,
                    .lower = lower_.buffer,
                    .upper = upper_.buffer,
                    .parameters = parameters_,
                    .values = values_,
                    .states = states_,
                    .settings = settings});
    queue_->launch(find_errors_, Range::of_items(count),
                   {.rows = rows_,
                    .tables = tables_,
                    .lower = lower_.buffer,
                    .upper = upper_.buffer,
                    .parameters = parameters_,
                    .errors = errors_,
                    .settings = settings});
    const auto states = queue_->read_all(states_);
    const auto values = queue_->read_all(values_);
    const auto parameters = queue_->read_all(parameters_);
    const auto errors = queue_->read_all(errors_);
    for (std::size_t row = 0; row < count; ++row) add_row(result, first + row, row, states, values, parameters, errors);
  }

  void add_row(Result& result, std::size_t row, std::size_t place, const std::vector<std::uint32_t>& states,
               const std::vector<Real>& values, const std::vector<Real>& parameters, const std::vector<Real>& errors) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto n = problem_.parameters;
    const auto data = present_data(problem_, row);
    const auto status = data == 0 ? Status::no_data : static_cast<Status>(states[place] % 256);
    const bool has_answer = status != Status::no_data && status != Status::not_finite;
    const double scale = values[stride_ + place];
    const double chi_squared = has_answer ? values[place] / scale / scale : none;
    const auto free = n - fixed_parameters(row);
    const auto degrees = data > free ? data - free : 0;
    const double unit = !problem_.sigma.empty() ? 1
                        : degrees == 0          ? std::numeric_limits<double>::infinity()
                                                : std::sqrt(chi_squared / static_cast<double>(degrees));
    const auto pair = [&](std::size_t a, std::size_t b) {
      return static_cast<double>(errors[(a * (a + 1) / 2 + b) * stride_ + place]);
    };
    for (std::size_t k = 0; k < n; ++k) {
      result.parameters.push_back(has_answer ? static_cast<double>(parameters[k * stride_ + place]) : none);
      result.errors.push_back(!has_answer ? none : pair(k, k) == 0 ? 0 : pair(k, k) * unit);
    }
    for (std::size_t a = 0; options_.covariance && a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        result.correlations.push_back(!has_answer ? none : a == b ? 1 : pair(std::max(a, b), std::min(a, b)));
    result.chi_squared.push_back(chi_squared);
    result.degrees_of_freedom.push_back(degrees);
    result.statuses.push_back(status);
    result.rounds.push_back(states[place] / 256);
    if (is_converged(status)) ++result.converged;
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

  /// Rows that the run has no time for stay at their guess.
  void leave(Result& result, std::size_t first, std::size_t count) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto n = problem_.parameters;
    for (std::size_t row = first; row < first + count; ++row) {
      for (std::size_t k = 0; k < n; ++k) result.parameters.push_back(problem_.guess[guess_.own ? row * n + k : k]);
      result.errors.insert(result.errors.end(), n, none);
      if (options_.covariance) result.correlations.insert(result.correlations.end(), n * n, none);
      result.chi_squared.push_back(none);
      result.degrees_of_freedom.push_back(0);
      result.statuses.push_back(Status::limit);
      result.rounds.push_back(0);
    }
  }

  const Problem& problem_;
  const Options& options_;
  const Objective residuals_;
  const Objective::RowParts parts_;
  const WorkRange range_;
  Device& device_;
  std::unique_ptr<Queue> queue_;
  std::size_t block_ = 1;
  std::size_t stride_ = 1;
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

}  // namespace

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  const Watch watch(control);
  check(problem, options);
  require_devices(devices);
  const auto range = options.range.value_or(WorkRange{0, problem.rows()});
  check_range(range, problem.rows(), "rows");
  const auto precision = precision_of(problem, options);
  const FirstLaunchTime first_launches(devices);
  auto result = precision.is_double ? Fitter<double>(problem, options, range, *devices.front()).run(watch)
                                    : Fitter<float>(problem, options, range, *devices.front()).run(watch);
  result.method = "levenberg-marquardt";
  result.reason = precision.reason;
  result.unchecked = "rows are not fitted a second time";
  set_checksum(result);
  result.seconds.total = watch.seconds() - result.seconds.build;
  first_launches.move_to_build(result.seconds);
  return result;
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  return solve(problem, options, devices, control);
}

}  // namespace clopt::fit
