#include "block.hpp"

#include <objective/program.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fit/options.hpp>
#include "consecutive.hpp"
#include "rows.hpp"

namespace clopt::fit {
namespace {

// Rows of the first launch, at least, and for each of its compute units: what a GPU does as quickly as one. A thread of
// the host is soon through with some.
constexpr double first_rows = 4096;
constexpr double first_rows_of_unit = 256;
constexpr double first_rows_of_thread = 16;
// Rows that a thread of the host prepares at a time.
constexpr std::size_t rows_of_part = 1024;
constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A fit that still runs was cut off.
Status status_of(std::uint32_t state) { return state == FIT_RUNS ? Status::limit : static_cast<Status>(state); }

Pacing pace_of(const Device& device) {
  const auto& info = device.info();
  const auto units = static_cast<double>(std::max(1U, info.compute_units));
  if (info.launches_are_calls) return Pacing(first_rows_of_thread * units, units);
  return Pacing(std::max(first_rows, first_rows_of_unit * units), first_rows);
}

template <class Work>
void for_parts(ThreadTeam& threads, std::size_t count, const Work& work) {
  threads.run((count + rows_of_part - 1) / rows_of_part,
              [&](std::size_t part) { work(part * rows_of_part, std::min((part + 1) * rows_of_part, count)); });
}

}  // namespace

template <class Real>
Fitter<Real>::Fitter(const Rows& rows, std::shared_ptr<Device> on, KeptTeam own, bool is_of_caller)
    : Kernels<Real>(build_kernels<Real>(*on, Specialisation(rows.plan))),
      device(std::move(on)),
      own_threads(std::move(own)),
      threads(own_threads ? *own_threads : rows.plan.threads),
      reports(is_of_caller),
      pace(pace_of(*device)),
      optimised_(Specialisation(rows.plan).optimised()),
      code_(device->info().launches_are_calls ? rows.plan.code : nullptr) {
  tables = objective::upload_tables<Real>(*device, *rows.plan.residuals);
}

template <class Real>
void Fitter<Real>::improve(double seconds_left) {
  if (!code_) return;
  if (seconds_left >= seconds_worth_compiler) code_->optimise(optimised_);
  if (!code_->is_optimised()) return;
  static_cast<Kernels<Real>&>(*this) = build_kernels<Real>(*device, optimised_);
  code_ = nullptr;
}

template <class Real>
Block<Real>::Block(Rows& rows, std::shared_ptr<Fitter<Real>> fitter, bool is_ahead)
    : rows_(rows),
      problem_(rows.plan.problem),
      fitter_(std::move(fitter)),
      is_ahead_(is_ahead),
      parts_(rows.plan.residuals->row_parts()),
      queue_(fitter_->device->queue()),
      // Powers of two apart, numbers of a row would share a set of the processor's cache.
      stride_(rows.block % 64 == 0 && !fitter_->has_long_rows ? rows.block + 16 : rows.block) {
  const auto n = problem_.parameters;
  data_ = transferred<Real>("rows of data", stride_ * problem_.columns * parts_.count());
  guess_ = of_parameters("guesses", rows.plan.guess.size() > n);
  const bool own_bounds = problem_.lower.size() > n || problem_.upper.size() > n;
  lower_ = of_parameters("lower bounds", own_bounds);
  upper_ = of_parameters("upper bounds", own_bounds);
  parameters_ = transferred<Real>("parameters", stride_ * n);
  values_ = transferred<Real>("sums of squares", stride_ * 2);
  states_ = transferred<std::uint32_t>("states", stride_);
  if (rows.plan.has_errors()) errors_ = transferred<Real>("errors", stride_ * n * (n + 1) / 2);
  if (!own_bounds) fixed_of_all_ = fixed_parameters(0);
  settings_.fits = static_cast<std::uint32_t>(stride_);
  settings_.columns = static_cast<std::uint32_t>(problem_.columns * parts_.count());
  settings_.own_guess = guess_.own ? 1 : 0;
  settings_.own_bounds = own_bounds ? 1 : 0;
  for (const auto place : problem_.fixed) settings_.fixed |= 1U << place;
  settings_.loss_scale = static_cast<float>(rows.plan.options.loss_scale);
  settings_.loss_scale_rest =
      static_cast<float>(rows.plan.options.loss_scale - static_cast<double>(settings_.loss_scale));
  settings_.most_rounds = static_cast<std::uint32_t>(rows.plan.options.iterations);
}

template <class Real>
Block<Real>::~Block() {
  rows_.launches += queue_->counts().launches;
}

template <class Real>
typename Block<Real>::OfParameters Block<Real>::of_parameters(const char* name, bool own) const {
  return {transferred<Real>(name, problem_.parameters * (own ? stride_ : 1)), own};
}

template <class Real>
void Block<Real>::begin(const group::Batch& batch) {
  count_ = batch.count;
  launched_ = 0;
  unfinished_ = 0;
  reads_ = false;
  if (rows_.is_cut) return;
  const auto first = static_cast<std::size_t>(rows_.range.first + batch.first);
  const auto count = static_cast<std::size_t>(batch.count);
  write_rows(first, count);
  upload(data_);
  upload(guess_.numbers);
  upload(lower_.numbers);
  upload(upper_.numbers);
  if (!is_ahead_) return;
  launch(fitter_->pace.steps());
  reads_ = launched_ == count_;
  if (reads_) download_results();
}

template <class Real>
void Block<Real>::finish(const group::Batch& batch) {
  const auto first = static_cast<std::size_t>(rows_.range.first + batch.first);
  const auto leave = [&](std::uint64_t begin) {
    leave_at_guess(rows_.plan, rows_.range, rows_.result, static_cast<std::size_t>(batch.first + begin),
                   static_cast<std::size_t>(batch.count - begin));
  };
  if (rows_.is_cut && launched_ == 0) return leave(0);
  fit_rest();
  if (!reads_) {
    download_results();
    queue_->finish();
  }
  set_rows(first);
  leave(launched_);
  rows_.done += launched_ - unfinished_;
}

template <class Real>
void Block<Real>::download_results() {
  download(parameters_);
  download(values_);
  download(states_);
  if (rows_.plan.has_errors()) download(errors_);
}

template <class Real>
void Block<Real>::write_parameters(std::size_t first, std::size_t begin, std::size_t end) {
  write(guess_, rows_.plan.guess, first, begin, end, 0);
  write(lower_, problem_.lower, first, begin, end, -infinity);
  write(upper_, problem_.upper, first, begin, end, infinity);
}

/// Numbers of each parameter. \param otherwise where there are none.
template <class Real>
void Block<Real>::write(const OfParameters& to, const SharedNumbers& numbers, std::size_t first, std::size_t begin,
                        std::size_t end, double otherwise) {
  if (!to.own && begin != 0) return;
  const auto n = problem_.parameters;
  const auto step = to.own ? stride_ : 1;
  const auto own = numbers.size() > n ? n : 0;
  auto* const host = &to.numbers.host[0];
  numbers.visit([&](const auto& from) {
    for (std::size_t k = 0; k < n; ++k)
      for (auto row = begin; row < (to.own ? end : 1); ++row)
        host[k * step + row] = static_cast<Real>(from.empty() ? otherwise : from[(first + row) * own + k]);
  });
}

template <class Real>
void Block<Real>::write_rows(std::size_t first, std::size_t count) {
  for_parts(fitter_->threads, count, [&](std::size_t begin, std::size_t end) {
    write_data(first, begin, end);
    write_parameters(first, begin, end);
  });
}

template <class Real>
void Block<Real>::write_data(std::size_t first, std::size_t part_begin, std::size_t part_end) {
  // Few rows at a time, so that lines of the cache are written as a whole.
  constexpr std::size_t tile = 16;
  const auto columns = problem_.columns;
  auto* const host = &data_.host[0];
  const auto copy = [&](std::size_t part, std::size_t begin, std::size_t end) {
    const auto& numbers = numbers_of_part(problem_, parts_, part);
    const bool is_sigma = &numbers == &problem_.sigma;
    numbers.visit([&](const auto& from) {
      for (std::size_t j = 0; j < columns; ++j)
        for (auto row = begin; row < end; ++row) {
          const auto n = (first + row) * columns + j;
          host[(part * columns + j) * stride_ + row] =
              static_cast<Real>(is_sigma ? deviation_of(from[n], problem_.data[n]) : static_cast<double>(from[n]));
        }
    });
  };
  for (auto begin = part_begin; begin < part_end; begin += tile)
    for (std::size_t part = 0; part < parts_.count(); ++part) copy(part, begin, std::min(begin + tile, part_end));
}

template <class Real>
void Block<Real>::launch(std::uint64_t count) {
  settings_.first = static_cast<std::uint32_t>(launched_);
  settings_.count = static_cast<std::uint32_t>(std::min(count, count_ - launched_));
  queue_->launch(fitter_->fit_rows, range_of(fitter_->fit_rows, settings_.count),
                 {.rows = data_.buffer,
                  .tables = fitter_->tables,
                  .guesses = guess_.numbers.buffer,
                  .lower = lower_.numbers.buffer,
                  .upper = upper_.numbers.buffer,
                  .parameters = parameters_.buffer,
                  .values = values_.buffer,
                  .states = states_.buffer,
                  .settings = settings_});
  if (rows_.plan.has_errors())
    queue_->launch(fitter_->find_errors, range_of(fitter_->find_errors, settings_.count),
                   {.rows = data_.buffer,
                    .tables = fitter_->tables,
                    .lower = lower_.numbers.buffer,
                    .upper = upper_.numbers.buffer,
                    .parameters = parameters_.buffer,
                    .errors = errors_.buffer,
                    .settings = settings_});
  queue_->flush();
  launched_ += settings_.count;
}

template <class Real>
void Block<Real>::note_fitted(std::uint64_t count) {
  rows_.fitted += count;
  if (fitter_->reports) rows_.report();
  if (rows_.watch.expired()) rows_.is_cut = true;
  const double done = rows_.share_fitted();
  if (done < 1 && !rows_.is_cut) fitter_->improve(rows_.working.seconds() * (1 - done) / done);
}

template <class Real>
void Block<Real>::fit_rest() {
  const double wanted = seconds_of_launch(*fitter_->device);
  if (launched_ != 0) {
    const Stopwatch waiting;
    queue_->finish();
    // Rows behind those that were measured may take longer.
    if (waiting.seconds() > wanted) fitter_->pace.aim_at(wanted, launched_, waiting.seconds());
    note_fitted(launched_);
  }
  while (launched_ < count_ && !rows_.is_cut) {
    const Stopwatch stopwatch;
    launch(fitter_->pace.steps());
    queue_->finish();
    fitter_->pace.aim_at(wanted, settings_.count, stopwatch.seconds());
    note_fitted(settings_.count);
  }
}

template <class Real>
void Block<Real>::set_rows(std::size_t first) {
  for_parts(fitter_->threads, static_cast<std::size_t>(launched_), [&](std::size_t begin, std::size_t end) {
    for (auto place = begin; place < end; ++place) set_row(first + place, place);
  });
}

template <class Real>
void Block<Real>::set_row(std::size_t row, std::size_t place) {
  auto& result = rows_.result;
  const auto to = row - rows_.range.first;
  const auto n = problem_.parameters;
  const auto data = parts_.gaps ? present_data(problem_, row) : problem_.columns;
  const auto status = data == 0 ? Status::no_data : status_of(states_.host[place] % 256);
  const bool has_answer = status != Status::no_data && status != Status::not_finite;
  const double scale = values_.host[stride_ + place];
  const double chi_squared = has_answer ? values_.host[place] / scale / scale : none;
  const auto free = n - (fixed_of_all_ ? *fixed_of_all_ : fixed_parameters(row));
  const auto degrees = data > free ? data - free : 0;
  for (std::size_t k = 0; k < n; ++k)
    result.parameters[to * n + k] = has_answer ? static_cast<double>(parameters_.host[k * stride_ + place]) : none;
  result.chi_squared[to] = chi_squared;
  result.degrees_of_freedom[to] = degrees;
  result.statuses[to] = status;
  result.iterations[to] = states_.host[place] / 256;
  if (!rows_.plan.has_errors()) return;
  const auto n_of_pairs = rows_.plan.options.covariance ? n * n : 0;
  if (!has_answer || unfinished_ != 0) {
    std::fill_n(result.errors.begin() + static_cast<std::ptrdiff_t>(to * n), n, none);
    std::fill_n(result.covariance.begin() + static_cast<std::ptrdiff_t>(to * n_of_pairs), n_of_pairs, none);
    return;
  }
  const double unit = !problem_.sigma.empty() || rows_.plan.options.loss == "poisson" ? 1
                      : degrees == 0                                                  ? infinity
                                     : std::sqrt(chi_squared / static_cast<double>(degrees));
  const auto pair = [&](std::size_t a, std::size_t b) {
    return static_cast<double>(errors_.host[(a * (a + 1) / 2 + b) * stride_ + place]);
  };
  for (std::size_t k = 0; k < n; ++k) result.errors[to * n + k] = pair(k, k) == 0 ? 0 : pair(k, k) * unit;
  if (!rows_.plan.options.covariance) return;
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

template <class Real>
std::size_t Block<Real>::fixed_parameters(std::size_t row) const {
  std::size_t number = 0;
  for (std::size_t k = 0; k < problem_.parameters; ++k) {
    const auto bound = [&](const SharedNumbers& bounds) {
      return bounds[bounds.size() > problem_.parameters ? row * problem_.parameters + k : k];
    };
    const bool has_both = !problem_.lower.empty() && !problem_.upper.empty();
    const bool is_fixed = std::find(problem_.fixed.begin(), problem_.fixed.end(), k) != problem_.fixed.end();
    if (is_fixed || (has_both && static_cast<Real>(bound(problem_.lower)) >= static_cast<Real>(bound(problem_.upper))))
      ++number;
  }
  return number;
}

template struct Fitter<float>;
template struct Fitter<double>;
template class Block<float>;
template class Block<double>;

}  // namespace clopt::fit
