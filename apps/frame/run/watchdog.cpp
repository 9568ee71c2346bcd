#include "watchdog.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include <frame/options/options.hpp>
#include <frame/output/run_report.hpp>
#include <frame/status.hpp>
#include "interruption.hpp"

namespace clopt::apps {
namespace {

// The message and the result take far less, unless a hanging call holds what they need.
constexpr unsigned seconds_to_print = 1;
// The best so far is as old as this at most, beside the launch that hangs.
constexpr double seconds_between_bests = 0.02;
volatile std::sig_atomic_t status_at_the_end = Status::interrupted;

// Time limits may be any number: the clock's range ends earlier.
std::chrono::steady_clock::duration duration_of(double seconds) {
  constexpr double longest = 1e9;
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, longest)));
}

// Ends the process in any case: what prints the result may need a lock that the hanging call holds.
void end_soon(int status) {
  status_at_the_end = status;
  std::signal(SIGALRM, [](int) { _exit(static_cast<int>(status_at_the_end)); });
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  alarm(seconds_to_print);
}

// \param phase of the solver, which progress has named last; empty: none.
std::string what_hangs(const std::string& phase) {
  const auto calls = activities();
  if (!calls.empty())
    return with_option_names(fmt::format("it is {}, for {:.1f} s", calls.front().what, calls.front().seconds()));
  return fmt::format("its host code does not return{}", phase.empty() ? "" : fmt::format(" from its {}", phase));
}

// Of long lists the beginning.
std::string text_of_best(Json best) {
  constexpr std::size_t most_shown = 30;
  for (auto& [name, value] : best.items()) {
    if (!value.is_array() || value.size() <= most_shown) continue;
    value.erase(value.begin() + most_shown, value.end());
    value.push_back("...");
  }
  return best.dump();
}

Json best_json(const RunDescription& run, const BestSoFar& best) {
  if (run.best) return run.best(best);
  return {{"value", best.value}, {"point", best.point}};
}

}  // namespace

Watchdog::Watchdog(const CommonOptions& common, RunDescription run)
    : common_(common), run_(std::move(run)), stop_(Interruption::instance().begin_work()) {
  if (common_.time_limit) deadline_ = begin_ + duration_of(*common_.time_limit + grace);
  watcher_ = std::jthread([this](const std::stop_token& over) { watch(over); });
}

void Watchdog::end() {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  watcher_.join();
  ended_ = Clock::now();
}

void Watchdog::proceed(std::string missing) {
  const auto pause = Clock::now() - ended_;
  if (deadline_) *deadline_ += pause;
  if (interrupted_) *interrupted_ += pause;
  missing_ = std::move(missing);
  watcher_ = std::jthread([this](const std::stop_token& over) { watch(over); });
}

void Watchdog::set_devices(const std::vector<DeviceInfo>& devices) {
  const std::lock_guard lock(mutex_);
  devices_ = devices;
}

double Watchdog::seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

RunControl Watchdog::control(ProgressBar& bar) {
  RunControl control;
  control.stop = stop_;
  control.progress_interval = seconds_between_bests;
  if (common_.time_limit) control.time_limit = std::max(0.0, *common_.time_limit - seconds());
  bar.set_time_limit(control.time_limit);
  control.progress = [this, &bar](const Progress& progress) {
    keep(progress);
    return bar.show(progress);
  };
  return control;
}

void Watchdog::keep(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  phase_ = progress.phase;
  if (!progress.best || (run_.has_points && progress.best_point.empty())) return;
  best_ = BestSoFar{*progress.best, {progress.best_point.begin(), progress.best_point.end()}};
}

void Watchdog::watch(const std::stop_token& over) {
  const std::stop_callback asked(stop_, [this] {
    {
      const std::lock_guard lock(mutex_);
      if (!interrupted_) interrupted_ = Clock::now();
    }
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  while (!over.stop_requested()) {
    auto latest = deadline_;
    if (interrupted_) latest = *interrupted_ + duration_of(grace);
    const auto now = Clock::now();
    if (latest && now >= *latest) {
      const bool interrupted = interrupted_.has_value();
      lock.unlock();
      end_process(interrupted);
    }
    // The deadline may move while it waits.
    constexpr std::chrono::milliseconds longest_wait{100};
    const auto wait = latest ? std::min<Clock::duration>(*latest - now, longest_wait) : Clock::duration(longest_wait);
    changed_.wait_for(lock, over, wait, [] { return false; });
  }
}

void Watchdog::end_printed_process(bool interrupted, const std::string& missing) {
  const int status = interrupted ? Status::interrupted : Status::wrong_use;
  end_soon(status);
  print_error(fmt::format("clopt {}: {}, and {}: {}\n", run_.solver,
                          interrupted ? "it was interrupted" : "the time limit has passed", missing, what_hangs({})));
  _exit(status);
}

void Watchdog::end_process(bool interrupted) {
  std::unique_lock lock(mutex_);
  const auto best = best_;
  const auto devices = devices_;
  const auto missing = missing_;
  const auto phase = phase_;
  lock.unlock();
  if (!missing.empty()) end_printed_process(interrupted, missing);
  auto field = run_.found ? run_.found() : std::nullopt;
  if (!field && best) field = best_json(run_, *best);
  const int status = interrupted ? Status::interrupted : !field || run_.has_target ? Status::not_reached : Status::done;
  end_soon(status);
  const auto hangs = what_hangs(phase);
  const auto ending = interrupted ? "interrupted" : "time";
  print_error(fmt::format("clopt {}: {}, and the run does not end: {}. {}\n", run_.solver,
                          interrupted ? "it was interrupted" : "the time limit has passed", hangs,
                          field ? "The result is the best so far" : "Nothing was found until then"));
  if (common_.json) {
    auto object = result_head(run_.solver, devices, run_.method, common_.seed);
    object["best"] = field.value_or(Json(nullptr));
    object["ending"] = ending;
    object["interrupted"] = interrupted;
    object["unfinished"] = hangs;
    object["seconds"] = {{"total", seconds()}};
    object["checksum"] = nullptr;
    object["version"] = version();
    print_json(object);
  } else if (field) {
    print(fmt::format("best      {}\nended by  {}\n", text_of_best(*field), ending));
  }
  // Last: a disk may be what hangs.
  _exit(run_.save ? status_with_files(status, run_.save(), run_.solver) : status);
}

}  // namespace clopt::apps
