#include <clopt/activity.hpp>

#include <mutex>

namespace clopt {
namespace {

using Clock = std::chrono::steady_clock;

// Neither is ever destroyed: a thread may still be in a driver when the process ends.
std::mutex& list_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
Activity* newest = nullptr;  // under the mutex

}  // namespace

Activity::Activity(std::string_view doing, std::string_view name, std::string_view place)
    : doing_(doing), name_(name), place_(place), begin_(Clock::now()) {
  const std::lock_guard lock(list_mutex());
  older_ = newest;
  if (older_) older_->newer_ = this;
  newest = this;
}

Activity::~Activity() {
  const std::lock_guard lock(list_mutex());
  (newer_ ? newer_->older_ : newest) = older_;
  if (older_) older_->newer_ = newer_;
}

std::string Activity::text() const {
  std::string text(doing_);
  if (!name_.empty()) text.append(" ").append(name_);
  if (!place_.empty()) text.append(" on ").append(place_);
  return text;
}

std::vector<ActivityReport> activities() {
  const std::lock_guard lock(list_mutex());
  const auto now = Clock::now();
  std::vector<ActivityReport> reports;
  for (const auto* each = newest; each != nullptr; each = each->older_)
    reports.push_back({each->text(), std::chrono::duration<double>(now - each->begin_).count()});
  return reports;
}

}  // namespace clopt
