#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "output.hpp"
#include "terminal.hpp"

namespace clopt::apps {
namespace {

constexpr std::chrono::milliseconds before_the_first{100};
constexpr std::chrono::milliseconds between_updates{100};
constexpr std::size_t bar_width = 10;

// "12 s", "3 min", "5 h".
std::string rough_time(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", std::min(seconds / 3600, 9999.0));
}

// "950", "1.2 k", "35 M".
std::string rough_number(double number) {
  constexpr std::array units{"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  for (; number >= 999.5 && unit + 1 < units.size(); ++unit) number /= 1000;
  return fmt::format("{:.{}f}{}", number, unit > 0 && number < 9.95 ? 1 : 0, units[unit]);
}

// A part that is too small gives no estimate.
std::optional<double> seconds_left(double done, double seconds, std::optional<double> until_limit) {
  constexpr double least_part = 0.02;
  constexpr double least_seconds = 1;
  if (done < least_part || done >= 1 || seconds < least_seconds) return until_limit;
  const double by_part = seconds / done * (1 - done);
  return until_limit ? std::min(*until_limit, by_part) : by_part;
}

}  // namespace

std::string progress_line(const Progress& progress, const Pace& pace, std::size_t width) {
  const double by_limit = pace.limit && *pace.limit > 0 ? pace.seconds / *pace.limit : 0;
  const double part = std::clamp(std::max(progress.done, by_limit), 0.0, 1.0);
  const auto until_limit = pace.limit ? std::optional(std::max(0.0, *pace.limit - pace.seconds)) : std::nullopt;
  const auto rest = seconds_left(std::clamp(progress.done, 0.0, 1.0), pace.phase_seconds, until_limit);
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar_width));
  const auto phase = fmt::format("{:<10.20}", progress.phase);
  const auto best = progress.best ? fmt::format("  best {:.6g}", *progress.best) : std::string();
  const auto per_cent = fmt::format(" {:3.0f} %", part * 100);
  auto bar = fmt::format(" [{:#<{}}{:.<{}}]", "", filled, "", bar_width - filled);
  auto speed = pace.rate ? fmt::format("  {} evaluations/s", rough_number(*pace.rate)) : std::string();
  auto taken = fmt::format("  {}", rough_time(pace.seconds));
  const auto left = rest ? fmt::format("  {} left", rough_time(*rest)) : std::string();
  const auto line = [&] { return phase + bar + per_cent + best + speed + taken + left; };
  for (auto* each : {&speed, &taken, &bar})
    if (line().size() > width) each->clear();
  return line().substr(0, width);
}

// A run that ends before the first update shows nothing.
ProgressBar::ProgressBar(bool wanted)
    : wanted_(wanted && isatty(STDERR_FILENO) == 1), next_(Clock::now() + before_the_first) {}

bool ProgressBar::show(const Progress& progress) {
  if (!wanted_ || Clock::now() < next_) return true;
  const auto now = Clock::now();
  next_ = now + between_updates;
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    phase_begin_ = now;
    evaluations_begin_ = progress.evaluations;
  }
  const auto since = [now](Clock::time_point begin) { return std::chrono::duration<double>(now - begin).count(); };
  const Pace pace{since(phase_begin_), since(begin_), limit_, rate(progress, since(phase_begin_))};
  // In the last column some terminals begin a new line.
  print_cursor("\r\033[K" + progress_line(progress, pace, line_width(STDERR_FILENO) - 1));
  drawn_ = true;
  return true;
}

std::optional<double> ProgressBar::rate(const Progress& progress, double seconds) const {
  if (!progress.evaluations || !evaluations_begin_ || *progress.evaluations <= *evaluations_begin_ || seconds <= 0)
    return std::nullopt;
  return static_cast<double>(*progress.evaluations - *evaluations_begin_) / seconds;
}

void ProgressBar::set_time_limit(std::optional<double> seconds) {
  limit_ = seconds;
  if (limit_) *limit_ += std::chrono::duration<double>(Clock::now() - begin_).count();
}

void ProgressBar::wipe() {
  if (!drawn_) return;
  print_cursor("\r\033[K");
  drawn_ = false;
}

}  // namespace clopt::apps
