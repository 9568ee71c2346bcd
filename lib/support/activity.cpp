#include <clopt/activity.hpp>

#include <mutex>
#include <utility>

namespace clopt {
namespace {

struct Activities {
  std::mutex mutex;
  std::list<Activity::Current> list;
};

// Never destroyed: drivers may work when the process ends.
Activities& activities() {
  static auto* instance = new Activities;
  return *instance;
}

}  // namespace

Activity::Activity(std::string what) {
  auto& all = activities();
  const std::lock_guard lock(all.mutex);
  place_ = all.list.insert(all.list.end(), {std::move(what), std::chrono::steady_clock::now()});
}

Activity::~Activity() {
  auto& all = activities();
  const std::lock_guard lock(all.mutex);
  all.list.erase(place_);
}

std::optional<Activity::Current> Activity::current() {
  auto& all = activities();
  const std::lock_guard lock(all.mutex);
  if (all.list.empty()) return std::nullopt;
  return all.list.back();
}

}  // namespace clopt
