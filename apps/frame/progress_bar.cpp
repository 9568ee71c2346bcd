#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "output.hpp"

namespace clopt::apps {
namespace {

constexpr std::chrono::milliseconds before_the_first{100};
constexpr std::chrono::milliseconds between_updates{100};
constexpr std::size_t bar_width = 40;

}  // namespace

// A run that ends before the first update shows nothing.
ProgressBar::ProgressBar(bool wanted)
    : wanted_(wanted && isatty(STDERR_FILENO) == 1), next_(Clock::now() + before_the_first) {}

bool ProgressBar::show(const Progress& progress) {
  if (!wanted_ || Clock::now() < next_) return true;
  next_ = Clock::now() + between_updates;
  const double part = std::clamp(progress.done, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar_width));
  print_cursor(fmt::format("\r{:<10.20} [{:#<{}}{:.<{}}] {:3.0f} %", progress.phase, "", filled, "", bar_width - filled,
                           part * 100));
  drawn_ = true;
  return true;
}

void ProgressBar::wipe() {
  if (!drawn_) return;
  print_cursor("\r\033[K");
  drawn_ = false;
}

}  // namespace clopt::apps
