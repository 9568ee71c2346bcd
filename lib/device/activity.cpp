#include <clopt/activity.hpp>
#include <support/process_mutex.hpp>

#include <mutex>
#include <utility>

namespace clopt {
namespace {

// Neither is ever destroyed: a thread may still be in a driver when the process ends.
ProcessMutex& list_mutex() {
  static auto* mutex = new ProcessMutex(Holding::alone);
  return *mutex;
}
Activity* newest = nullptr;  // under the mutex

}  // namespace

Activity::Activity(std::string preparation) : preparation_(std::move(preparation)) { begin(); }

Activity::Activity(std::string_view doing, std::string_view name, std::string_view place)
    : doing_(doing), name_(name), place_(place) {
  begin();
}

void Activity::begin() {
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
  if (!preparation_.empty()) return preparation_;
  std::string text(doing_);
  if (!name_.empty()) text.append(" ").append(name_);
  if (!place_.empty()) text.append(" on ").append(place_);
  return text;
}

std::vector<ActivityReport> activities() {
  const std::lock_guard lock(list_mutex());
  std::vector<ActivityReport> reports;
  for (const auto* each = newest; each != nullptr; each = each->older_)
    reports.push_back({each->text(), !each->preparation_.empty(), each->since_});
  return reports;
}

}  // namespace clopt
