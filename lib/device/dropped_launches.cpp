#include <clopt/detail/dropped_launches.hpp>

#include <utility>

namespace clopt {
namespace {

thread_local const std::stop_token* stop_of_this_thread = nullptr;

}  // namespace

DroppedLaunches::DroppedLaunches(const std::stop_token& stop) : before_(std::exchange(stop_of_this_thread, &stop)) {}
DroppedLaunches::~DroppedLaunches() { stop_of_this_thread = before_; }

const std::stop_token* DroppedLaunches::of_this_thread() { return stop_of_this_thread; }

std::stop_token DroppedLaunches::token() { return stop_of_this_thread ? *stop_of_this_thread : std::stop_token(); }

void DroppedLaunches::require_wanted() {
  if (token().stop_requested()) throw LaunchDropped();
}

}  // namespace clopt
