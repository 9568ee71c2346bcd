#include "best_schedule.hpp"

namespace clopt::apps::exchange {

void BestSchedule::keep(const clopt::exchange::Bound& bound, const clopt::exchange::Schedule& schedule) {
  const std::lock_guard lock(mutex_);
  bound_ = bound.steps;
  schedule_ = schedule;
}

std::optional<Json> BestSchedule::to_json() const {
  const std::lock_guard lock(mutex_);
  if (!schedule_) return std::nullopt;
  return Json{{"steps", schedule_->steps}, {"lower_bound", bound_}, {"conflicts", 0}};
}

std::optional<clopt::exchange::Schedule> BestSchedule::schedule() const {
  const std::lock_guard lock(mutex_);
  return schedule_;
}

}  // namespace clopt::apps::exchange
