#include "start_message.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "output.hpp"

namespace clopt::apps {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto pause = std::chrono::milliseconds(100);
constexpr auto delay = std::chrono::seconds(1);
// Steps of a start follow each other at once; a longer gap is the end of it.
constexpr auto longest_gap = std::chrono::milliseconds(300);

}  // namespace

StartMessage::StartMessage(bool wanted) {
  if (wanted && isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { watch(); });
}

StartMessage::~StartMessage() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void StartMessage::watch() {
  bool is_under_way = false;
  Clock::time_point begin;
  Clock::time_point last;
  std::string shown;
  const auto wipe = [&] {
    if (!shown.empty()) print_cursor("\r\033[K");
    shown.clear();
  };
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, pause, [this] { return ends_; })) {
    const auto now = Clock::now();
    const auto all = activities();
    const auto current =
        std::find_if(all.begin(), all.end(), [](const ActivityReport& each) { return each.is_preparation; });
    if (current == all.end()) {
      is_under_way = is_under_way && now - last <= longest_gap;
      wipe();
      continue;
    }
    if (!is_under_way) begin = current->since;
    is_under_way = true;
    last = now;
    if (now - begin < delay || current->what == shown) continue;
    print_cursor("\r\033[K");
    // What is built and tried is remembered.
    const bool is_first = current->what.find("for the first time") != std::string::npos;
    print_error(fmt::format("clopt is {}{}", printable(current->what, 200), is_first ? "; later runs need not" : ""));
    shown = current->what;
  }
  wipe();
}

}  // namespace clopt::apps
