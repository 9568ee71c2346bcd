#include "parts.hpp"

#include <clopt/checkpoint.hpp>
#include <run/pacing.hpp>
#include <run/record_fields.hpp>
#include <support/stopwatch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

namespace clopt::fit {
namespace {

// Of the first part, and how long later ones take: what a part has done is lost where the process ends within it.
constexpr double first_rows = 1 << 16;
constexpr double seconds_of_part = 0.25;

/// What a checkpoint keeps of a run: the first rows of the range.
class DoneRows {
 public:
  DoneRows(const Plan& plan, const WorkRange& range, Result& result)
      : range_(range), identity_(identity(plan.problem, plan.options)), result_(result) {
    identity_.add("first", range.first).add("rows of range", range.count);
  }

  std::uint64_t count() const { return count_; }
  void add(std::uint64_t count) { count_ += count; }

  /// \throws InvalidInput for a checkpoint of another run, or a damaged one.
  void restore(const Checkpoint& checkpoint) {
    checkpoint.require(identity_);
    count_ = checkpoint.number<std::uint64_t>("done");
    if (count_ > range_.count) checkpoint.refuse(fmt::format("it has {} rows of {}", count_, range_.count));
    for_columns([&](const char* name, auto& column, std::size_t width) {
      using Element = RecordElementOf<typename std::decay_t<decltype(column)>::value_type>;
      const auto values = checkpoint.array<Element>(name, count_ * width);
      std::transform(values.begin(), values.end(), column.begin(), [](Element value) {
        return static_cast<typename std::decay_t<decltype(column)>::value_type>(value);
      });
    });
    const auto begin = result_.statuses.begin();
    const auto is_none = [](Status status) { return status < Status::by_value || status > Status::limit; };
    if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(count_), is_none))
      checkpoint.refuse("it has a row that has ended in no known way");
  }

  /// Refers to the result.
  Record record() {
    Record record(identity_);
    record.add("done", count_);
    for_columns([&](const char* name, const auto& column, std::size_t width) {
      using Element = RecordElementOf<typename std::decay_t<decltype(column)>::value_type>;
      static_assert(sizeof(Element) == sizeof column.front());
      record.add_reference(name, std::span(reinterpret_cast<const Element*>(column.data()), count_ * width));
    });
    return record;
  }

 private:
  template <class T>
  using RecordElementOf = std::conditional_t<std::is_same_v<T, Status>, std::uint8_t, T>;

  template <class Work>
  void for_columns(const Work& work) {
    const auto visit = [&](const char* name, auto& column) { work(name, column, column.size() / range_.count); };
    visit("parameters", result_.parameters);
    visit("errors", result_.errors);
    visit("covariance", result_.covariance);
    visit("chi_squared", result_.chi_squared);
    visit("degrees_of_freedom", result_.degrees_of_freedom);
    visit("statuses", result_.statuses);
    visit("iterations", result_.iterations);
  }

  const WorkRange range_;
  RunIdentity identity_;
  Result& result_;
  std::uint64_t count_ = 0;
};

/// Where rows without a guess stay that no search has come to.
SharedNumbers middle_of(const Problem& problem) {
  std::vector<double> middle;
  for (std::size_t k = 0; k < problem.parameters; ++k) middle.push_back(problem.lower[k] / 2 + problem.upper[k] / 2);
  return middle;
}

/// Adds what a part has found, and what it has cost.
void take_part(Result&& part, std::uint64_t first, double share, Result& whole) {
  const auto put = [&](const auto& from, auto& to) {
    const auto width = from.size() / part.statuses.size();
    std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(first * width));
  };
  put(part.parameters, whole.parameters);
  put(part.errors, whole.errors);
  put(part.covariance, whole.covariance);
  put(part.chi_squared, whole.chi_squared);
  put(part.degrees_of_freedom, whole.degrees_of_freedom);
  put(part.statuses, whole.statuses);
  put(part.iterations, whole.iterations);
  for (auto& device : part.devices) {
    device.share *= share;
    const auto known = std::find_if(whole.devices.begin(), whole.devices.end(),
                                    [&](const DevicePart& each) { return each.id == device.id; });
    if (known == whole.devices.end()) {
      whole.devices.push_back(std::move(device));
      continue;
    }
    known->share += device.share;
    known->seconds += device.seconds;
    for (auto& failure : device.failures)
      if (std::find(known->failures.begin(), known->failures.end(), failure) == known->failures.end())
        known->failures.push_back(std::move(failure));
  }
  whole.ending = part.ending;
  whole.cluster = part.cluster;
  add_run_result(whole, part);
}

/// The control of a part, whose progress is that of all rows.
RunControl control_of_part(const RunControl& control, const Watch& watch, double before, double share) {
  auto own = control;
  if (control.time_limit) own.time_limit = std::max(0.0, *control.time_limit - watch.seconds());
  if (control.progress)
    own.progress = [&control, before, share](const Progress& progress) {
      auto whole = progress;
      whole.done = before + share * progress.done;
      return control.progress(whole);
    };
  return own;
}

}  // namespace

Result fit_in_parts(const Plan& plan, const WorkRange& range, const RunControl& control, const FitPart& fit) {
  const Watch watch(control);
  auto result = result_of(plan, range);
  DoneRows done(plan, range, result);
  if (plan.options.resume) done.restore(*plan.options.resume);
  const auto save = [&] {
    if (plan.options.checkpoint) plan.options.checkpoint->write(done.record());
  };
  const auto share_of = [&](std::uint64_t rows) {
    return static_cast<double>(rows) / static_cast<double>(range.count);
  };
  Pacing rows(first_rows);
  result.ending = Ending::complete;
  while (done.count() < range.count) {
    const WorkRange part{range.first + done.count(), std::min(rows.steps(), range.count - done.count())};
    const Stopwatch stopwatch;
    try {
      take_part(fit(part, control_of_part(control, watch, share_of(done.count()), share_of(part.count))), done.count(),
                share_of(part.count), result);
    } catch (...) {
      save();
      throw;
    }
    if (result.ending != Ending::complete) {
      const auto guess = plan.guess.empty() ? middle_of(plan.problem) : plan.guess;
      const Plan begun{plan.problem, plan.options, plan.residuals, guess, plan.is_double, plan.few_rows, plan.threads};
      const auto begin = done.count() + part.count;
      leave_at_guess(begun, range, result, begin, range.count - begin);
      break;
    }
    done.add(part.count);
    rows.aim_at(seconds_of_part, part.count, stopwatch.seconds());
    if (plan.options.checkpoint && plan.options.checkpoint->due()) save();
  }
  save();
  return result;
}

}  // namespace clopt::fit
