#include <clopt/detail/activity.hpp>
#include <support/threads/process_mutex.hpp>

#include <mutex>
#include <utility>

namespace clopt {
namespace {

// Neither is ever destroyed: a thread may still be in a driver when the process ends.
ProcessMutex& list_mutex() {
  static auto* mutex = new ProcessMutex(Holding::alone);
  return *mutex;
}
// Under the mutex. Activities lie on the stacks of their threads: after a fork, of threads that are not there, whose
// stacks others take.
Activity* newest = nullptr;
unsigned forks_of_list = 0;

void forget_other_process() {
  const auto forks = number_of_forks();
  if (forks != forks_of_list) newest = nullptr;
  forks_of_list = forks;
}

}  // namespace

Activity::Activity(std::string preparation) : preparation_(std::move(preparation)) { begin(); }

Activity::Activity(std::string_view doing, std::string_view name, std::string_view place)
    : doing_(doing), name_(name), place_(place) {
  begin();
}

namespace {

thread_local bool activities_are_hidden = false;

}  // namespace

HiddenActivities::HiddenActivities(bool hides)
    : before_(std::exchange(activities_are_hidden, activities_are_hidden || hides)) {}
HiddenActivities::~HiddenActivities() { activities_are_hidden = before_; }
bool HiddenActivities::are_hidden() { return activities_are_hidden; }

void Activity::begin() {
  if (activities_are_hidden) return;
  is_listed_ = true;
  const std::lock_guard lock(list_mutex());
  forget_other_process();
  forks_ = forks_of_list;
  older_ = newest;
  if (older_) older_->newer_ = this;
  newest = this;
}

Activity::~Activity() {
  if (!is_listed_) return;
  const std::lock_guard lock(list_mutex());
  if (forks_ != number_of_forks()) return;
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
  forget_other_process();
  std::vector<ActivityReport> reports;
  for (const auto* each = newest; each != nullptr; each = each->older_)
    reports.push_back({each->text(), !each->preparation_.empty(), each->since_});
  return reports;
}

}  // namespace clopt
