#include "parts.hpp"

#include <clopt/checkpoint.hpp>
#include <run/nested_run.hpp>
#include <run/pacing.hpp>
#include <run/record_fields.hpp>
#include <support/stopwatch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include <fit/result.hpp>

namespace clopt::fit {
namespace {

// Of the first part, whose time is not known, and how long later ones take: of a part under way nothing is kept where
// the process ends within it.
constexpr std::size_t first_numbers = std::size_t{1} << 20;
constexpr std::size_t first_rows = std::size_t{1} << 16;
constexpr std::size_t first_searches = 1024;
constexpr double seconds_of_part = 0.25;
// Of the time of a part, where its guesses are searched for.
constexpr double part_of_search = 0.9;

double rows_to_begin_with(const Problem& problem) {
  const auto most = problem.guess.empty() ? first_searches : first_rows;
  return static_cast<double>(std::clamp<std::size_t>(first_numbers / problem.columns, 1, most));
}

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
    for_done([&](const char* name, auto& column, std::size_t count) {
      using Number = typename std::decay_t<decltype(column)>::value_type;
      const auto values = checkpoint.array<RecordElement<Number>>(name, count);
      std::transform(values.begin(), values.end(), column.begin(),
                     [](auto value) { return static_cast<Number>(value); });
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
    for_done([&](const char* name, const auto& column, std::size_t count) {
      using Element = RecordElement<typename std::decay_t<decltype(column)>::value_type>;
      static_assert(sizeof(Element) == sizeof column.front());
      record.add_reference(name, std::span(reinterpret_cast<const Element*>(column.data()), count));
    });
    return record;
  }

 private:
  template <class T>
  using RecordElement = std::conditional_t<std::is_same_v<T, Status>, std::uint8_t, T>;

  /// Calls `work(name, column, count)` with how many of a column's numbers are of rows that are done.
  template <class Work>
  void for_done(const Work& work) {
    for_columns([&](const char* name, auto member) {
      auto& column = result_.*member;
      work(name, column, column.size() / range_.count * count_);
    });
  }

  const WorkRange range_;
  RunIdentity identity_;
  Result& result_;
  std::uint64_t count_ = 0;
};

/// Adds what a part has found, and what it has cost.
void take_part(Result&& part, std::uint64_t first, double share, Result& whole) {
  put_rows(part, first, whole);
  // In the same order in all parts.
  for (std::size_t i = 0; i < part.devices.size(); ++i) {
    auto& device = part.devices[i];
    device.share *= share;
    if (i == whole.devices.size()) {
      whole.devices.push_back(std::move(device));
      continue;
    }
    auto& known = whole.devices[i];
    known.share += device.share;
    known.seconds += device.seconds;
    for (auto& failure : device.failures)
      if (std::find(known.failures.begin(), known.failures.end(), failure) == known.failures.end())
        known.failures.push_back(std::move(failure));
  }
  whole.ending = part.ending;
  whole.cluster = part.cluster;
  add_run_result(whole, part);
}

/// The control of a part: its progress is reported as that of all rows. \param before, share of the rows.
RunControl control_of_part(const RunControl& control, const Watch& watch, bool searches, double before, double share) {
  auto own = nested_control(control, watch);
  own.progress_interval = 0;
  if (own.progress)
    own.progress = [report = std::move(own.progress), searches, before, share](Progress progress) {
      const bool is_search = searches && progress.phase != "fits";
      const double done = is_search  ? part_of_search * progress.done
                          : searches ? part_of_search + (1 - part_of_search) * progress.done
                                     : progress.done;
      progress.done = before + share * done;
      return report(progress);
    };
  return own;
}

/// How many of the first rows of a part have ended.
std::uint64_t rows_that_ended(const Result& part) {
  const auto left = std::find(part.statuses.begin(), part.statuses.end(), Status::limit);
  return static_cast<std::uint64_t>(left - part.statuses.begin());
}

}  // namespace

Result fit_in_parts(const Plan& plan, const WorkRange& range, const Watch& watch, const RunControl& control,
                    const FitPart& fit) {
  auto result = result_of(plan, range);
  DoneRows done(plan, range, result);
  if (plan.options.resume) done.restore(*plan.options.resume);
  const auto save = [&] {
    if (plan.options.checkpoint) plan.options.checkpoint->write(done.record());
  };
  const auto share_of = [&](std::uint64_t rows) {
    return static_cast<double>(rows) / static_cast<double>(range.count);
  };
  const bool searches = plan.problem.guess.empty();
  Pacing rows(rows_to_begin_with(plan.problem));
  result.ending = Ending::complete;
  while (done.count() < range.count) {
    const WorkRange part{range.first + done.count(), std::min(rows.steps(), range.count - done.count())};
    const Stopwatch stopwatch;
    auto found = [&] {
      try {
        return fit(part, control_of_part(control, watch, searches, share_of(done.count()), share_of(part.count)));
      } catch (...) {
        save();
        throw;
      }
    }();
    const bool is_complete = found.ending == Ending::complete;
    const auto ended = is_complete ? part.count : rows_that_ended(found);
    const auto behind = done.count() + part.count;
    take_part(std::move(found), done.count(), share_of(part.count), result);
    done.add(ended);
    // A callback that ends a run is not called again.
    if (is_complete && watch.interrupted() && done.count() < range.count) result.ending = Ending::interrupted;
    if (result.ending != Ending::complete) {
      leave_at_guess(plan, range, result, behind, range.count - behind);
      break;
    }
    rows.aim_at(seconds_of_part, part.count, stopwatch.seconds());
    if (plan.options.checkpoint && plan.options.checkpoint->due()) save();
  }
  save();
  return result;
}

}  // namespace clopt::fit
