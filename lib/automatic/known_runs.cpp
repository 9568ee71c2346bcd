#include "known_runs.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/version.hpp>
#include <support/numbers/instruction_set.hpp>
#include <support/process/environment.hpp>
#include <support/threads/thread_team.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace clopt {
namespace {

constexpr std::string_view kind = "run-times";
constexpr std::size_t most_kept = 1000;
constexpr double shortest_stored = 0.03;
// Times that differ by less are no news.
constexpr double notable_factor = 1.5;
constexpr double usual_opening = 0.3;

std::string key_of(const std::string& what) {
  return fmt::format("{}\n{} threads, {}\n{}\n{}", version(), usable_cores(), name_of(instruction_set()),
                     environment::accelerator(), what);
}

std::string text_of(const KnownRun& known) {
  return fmt::format("{},{},{}", static_cast<int>(known.start), known.processor, known.accelerator);
}

std::optional<KnownRun> run_in(const std::string& text) {
  const auto numbers = numbers_in<double>(text);
  if (!numbers || numbers->size() != 3) return std::nullopt;
  const auto start = (*numbers)[0] == 1 ? Start::processor : (*numbers)[0] == 2 ? Start::accelerator : Start::unknown;
  return KnownRun{start, (*numbers)[1], (*numbers)[2]};
}

bool is_notable(double before, double after) {
  return std::max(before, after) > notable_factor * std::min(before, after);
}

bool is_news(const KnownRun& before, const KnownRun& after) {
  return before.start != after.start || is_notable(before.processor, after.processor) ||
         is_notable(before.accelerator, after.accelerator);
}

}  // namespace

KnownRuns& KnownRuns::instance() {
  static auto* const known = new KnownRuns(Cache::instance());  // never destroyed: a trial may end with the process
  return *known;
}

KnownRun KnownRuns::find(const std::string& likeness, bool in_cache) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = runs_.find(likeness); found != runs_.end()) return found->second;
  }
  if (!in_cache) return {};
  const auto text = cache_.load(kind, key_of(likeness));
  const auto known = (text ? run_in(*text) : std::nullopt).value_or(KnownRun{});
  const std::lock_guard lock(mutex_);
  if (runs_.size() >= most_kept) runs_.erase(runs_.begin());
  return runs_.emplace(likeness, known).first->second;
}

void KnownRuns::keep(const std::string& likeness, const KnownRun& known, bool in_cache) {
  bool stores = false;
  {
    const std::lock_guard lock(mutex_);
    if (runs_.size() >= most_kept) runs_.erase(runs_.begin());
    auto& kept = runs_[likeness];
    const double longest = std::max({kept.processor, kept.accelerator, known.processor, known.accelerator});
    stores = in_cache && longest >= shortest_stored && is_news(kept, known);
    kept = known;
  }
  if (stores) cache_.store(kind, key_of(likeness), text_of(known));
}

double KnownRuns::opening_seconds() {
  {
    const std::lock_guard lock(mutex_);
    if (opening_seconds_) return *opening_seconds_;
  }
  const auto text = cache_.load(kind, key_of("opening"));
  const auto seconds = text ? number_in<double>(*text) : std::nullopt;
  const std::lock_guard lock(mutex_);
  opening_seconds_ = seconds.value_or(usual_opening);
  return *opening_seconds_;
}

void KnownRuns::keep_opening(double seconds) {
  const bool is_new = is_notable(opening_seconds(), seconds);
  {
    const std::lock_guard lock(mutex_);
    opening_seconds_ = seconds;
  }
  if (is_new) cache_.store(kind, key_of("opening"), fmt::format("{}", seconds));
}

}  // namespace clopt
