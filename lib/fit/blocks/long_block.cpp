#include "long_block.hpp"

#include <objective/program.hpp>

#include <algorithm>
#include <limits>
#include <mutex>

#include "rows.hpp"

namespace clopt::fit {
namespace {

constexpr double first_sections = 64 * FIT_TILE_SECTIONS;
// Sums that the kernel which continues from them adds by itself.
constexpr std::uint32_t most_left = 64;
// Data that a thread of the host prepares at a time.
constexpr std::size_t data_of_part = std::size_t{1} << 16;
// About as many as a fit has.
constexpr double passes_of_fit = 10;
// Passes that errors take at most, see shared/fit/errors.h.
constexpr unsigned most_passes = 7;

/// Numbers of what is known of a fit under way, at most.
std::size_t numbers_of_work(std::size_t parameters) { return parameters * (parameters + 1) / 2 + 8 * parameters + 32; }

}  // namespace

template <class Real>
LongRowsKernels<Real> build_long_rows(Device& device, const Program& program, const Objective& residuals,
                                      bool with_errors) {
  const auto build = [&]<class Arguments>(Kernel<Arguments>& kernel) {
    kernel = objective::build<Arguments>(device, program, residuals);
  };
  LongRowsKernels<Real> kernels;
  build(kernels.begin);
  build(kernels.evaluate);
  build(kernels.add);
  build(kernels.advance);
  if (with_errors) build(kernels.advance_errors);
  return kernels;
}

template <class Real>
LongBlock<Real>::LongBlock(Rows& rows, const std::shared_ptr<Fitter<Real>>& fitter)
    : Base(rows, fitter, false),
      sums_(this->problem_.parameters * (this->problem_.parameters + 3) / 2 + 1),
      pace_(first_sections, FIT_TILE_SECTIONS) {
  Device& device = *fitter->device;
  extents_ = this->template transferred<Real>("extents", 2 * this->stride_);
  running_ = this->template transferred<std::uint32_t>("running fits", this->stride_);
  work_ = device.buffer<Real>("fits under way", this->stride_ * numbers_of_work(this->problem_.parameters));
  long_settings_.fits = this->settings_.fits;
  long_settings_.columns = this->settings_.columns;
  long_settings_.sections = shared::fit_sections(static_cast<std::uint32_t>(this->problem_.columns));
  long_settings_.most_rounds = this->settings_.most_rounds;
  const auto series = this->stride_ * sums_;
  parts_of_sections_ = device.buffer<Real>("sums of sections", series * long_settings_.sections);
  sums_of_parts_ = device.buffer<Real>("sums", series * ((long_settings_.sections + FIT_SUMMED - 1) / FIT_SUMMED));
}

template <class Real>
void LongBlock<Real>::write_rows(std::size_t first, std::size_t count) {
  for (std::size_t place = 0; place < count; ++place) write_row(first + place, place);
  this->write_parameters(first, 0, count);
  this->upload(extents_);
}

template <class Real>
void LongBlock<Real>::write_row(std::size_t row, std::size_t place) {
  const auto& problem = this->problem_;
  const auto columns = problem.columns;
  auto* const to = &this->data_.host[place * columns * this->parts_.count()];
  // Of a row, or the only one.
  const auto first_of = [&](const SharedNumbers& numbers) { return numbers.size() > columns ? row * columns : 0; };
  const auto write = [&](std::size_t part, std::size_t begin, std::size_t end) {
    const auto& numbers = numbers_of_part(problem, this->parts_, part);
    const bool is_sigma = &numbers == &problem.sigma;
    numbers.visit([&, first = first_of(numbers)](const auto& from) {
      for (auto j = begin; j < end; ++j)
        to[part * columns + j] =
            static_cast<Real>(from.empty() ? static_cast<double>(j)
                              : is_sigma   ? deviation_of(from[first + j], problem.data[row * columns + j])
                                           : static_cast<double>(from[first + j]));
    });
  };
  constexpr Real none = std::numeric_limits<Real>::max();
  Real least = none;
  Real most = -none;
  std::mutex mutex;
  const auto measure = [&](std::size_t begin, std::size_t end) {
    const bool has_sigma = !problem.sigma.empty();
    const auto first_sigma = first_of(problem.sigma);
    Real own_least = none;
    Real own_most = -none;
    problem.data.visit([&](const auto& data) {
      for (auto j = begin; j < end; ++j) {
        const double whole = data[row * columns + j];
        const auto datum = has_sigma ? static_cast<Real>(whole) /
                                           static_cast<Real>(deviation_of(problem.sigma[first_sigma + j], whole))
                                     : static_cast<Real>(whole);
        own_least = datum < own_least ? datum : own_least;
        own_most = datum > own_most ? datum : own_most;
      }
    });
    const std::lock_guard lock(mutex);
    least = std::min(least, own_least);
    most = std::max(most, own_most);
  };
  this->fitter_->threads.run((columns + data_of_part - 1) / data_of_part, [&](std::size_t piece) {
    const auto begin = piece * data_of_part;
    const auto end = std::min(begin + data_of_part, columns);
    for (std::size_t part = 0; part < this->parts_.count(); ++part) write(part, begin, end);
    measure(begin, end);
  });
  extents_.host[2 * place] = least;
  extents_.host[2 * place + 1] = most;
}

template <class Real>
void LongBlock<Real>::fit_rest() {
  const auto& kernels = this->fitter_->long_rows;
  auto& queue = *this->queue_;
  const auto rows = static_cast<std::uint32_t>(this->count_);
  long_settings_.rows = rows;
  this->settings_.count = rows;
  begin_fits(false);
  // What is left to do where a limit cuts it off, with the best so far.
  this->unfinished_ = this->count_;
  do {
    if (!evaluate()) return;
    queue.launch(kernels.advance, range_of(kernels.advance, rows),
                 {.sums = add_sections(),
                  .work = work_,
                  .parameters = this->parameters_.buffer,
                  .values = this->values_.buffer,
                  .states = this->states_.buffer,
                  .running = running_.buffer,
                  .settings = long_settings_});
    this->launched_ = this->count_;
  } while (is_running());
  if (this->rows_.plan.has_errors()) {
    begin_fits(true);
    unsigned passes = 0;
    do {
      if (!evaluate()) return;
      queue.launch(kernels.advance_errors, range_of(kernels.advance_errors, rows),
                   {.sums = add_sections(),
                    .work = work_,
                    .errors = this->errors_.buffer,
                    .running = running_.buffer,
                    .settings = long_settings_});
    } while (is_running() && ++passes < most_passes);
  }
  this->unfinished_ = 0;
  this->note_fitted(this->count_);
}

/// \param of_errors whether they begin at the parameters that were found.
template <class Real>
void LongBlock<Real>::begin_fits(bool of_errors) {
  const auto& kernel = this->fitter_->long_rows.begin;
  auto settings = this->settings_;
  if (of_errors) settings.own_guess = 1;
  this->queue_->launch(kernel, range_of(kernel, settings.count),
                       {.extents = extents_.buffer,
                        .guesses = of_errors ? this->parameters_.buffer : this->guess_.numbers.buffer,
                        .lower = this->lower_.numbers.buffer,
                        .upper = this->upper_.numbers.buffer,
                        .work = work_,
                        .settings = settings});
}

/// A pass over the data. \returns whether it is complete.
template <class Real>
bool LongBlock<Real>::evaluate() {
  const auto all = std::uint64_t{long_settings_.rows} * long_settings_.sections;
  for (std::uint64_t first = 0; first < all;) {
    // Whole tiles, so that groups are of one row.
    const auto tiles = std::max<std::uint64_t>(1, pace_.steps() / FIT_TILE_SECTIONS);
    long_settings_.first = static_cast<std::uint32_t>(first);
    long_settings_.count = static_cast<std::uint32_t>(std::min(tiles * FIT_TILE_SECTIONS, all - first));
    const bool is_whole = long_settings_.count == all;
    const Stopwatch stopwatch;
    const auto& kernel = this->fitter_->long_rows.evaluate;
    this->queue_->launch(kernel, range_of(kernel, long_settings_.count),
                         {.rows = this->data_.buffer,
                          .tables = this->fitter_->tables,
                          .work = work_,
                          .parts = parts_of_sections_,
                          .settings = long_settings_});
    first += long_settings_.count;
    // A launch on the host is done by now. A fit may have many more passes: as many as there were, at least.
    const double pass = stopwatch.seconds() * static_cast<double>(all) / long_settings_.count;
    this->fitter_->improve(std::max(passes_of_fit * pass, this->rows_.working.seconds()));
    if (is_whole) break;
    this->queue_->finish();
    pace_.aim_at(seconds_of_launch(*this->fitter_->device), long_settings_.count, stopwatch.seconds());
    if (this->rows_.watch.expired()) this->rows_.is_cut = true;
    if (this->rows_.is_cut) return false;
  }
  if (this->rows_.watch.expired()) this->rows_.is_cut = true;
  return !this->rows_.is_cut;
}

/// Adds what sections have found, until few sums are left of each. \returns where they are.
template <class Real>
Buffer<Real> LongBlock<Real>::add_sections() {
  const auto& kernel = this->fitter_->long_rows.add;
  const auto series = static_cast<std::uint32_t>(long_settings_.rows * sums_);
  auto from = parts_of_sections_;
  auto to = sums_of_parts_;
  std::uint32_t count = long_settings_.sections;
  while (count > most_left) {
    const auto left = (count + FIT_SUMMED - 1) / FIT_SUMMED;
    this->queue_->launch(kernel, range_of(kernel, series * left),
                         {.parts = from, .sums = to, .series = series, .count = count, .sum_count = left});
    std::swap(from, to);
    count = left;
  }
  long_settings_.sums = count;
  return from;
}

template <class Real>
bool LongBlock<Real>::is_running() {
  this->download(running_);
  this->queue_->finish();
  const auto* const running = &running_.host[0];
  return std::any_of(running, running + long_settings_.rows, [](std::uint32_t each) { return each != 0; });
}

template LongRowsKernels<float> build_long_rows(Device&, const Program&, const Objective&, bool);
template LongRowsKernels<double> build_long_rows(Device&, const Program&, const Objective&, bool);
template class LongBlock<float>;
template class LongBlock<double>;

}  // namespace clopt::fit
