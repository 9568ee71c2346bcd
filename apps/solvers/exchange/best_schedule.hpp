/// \file
/// The best schedule while a run goes on.
#pragma once

#include <clopt/exchange.hpp>

#include <mutex>
#include <optional>

#include <frame/output.hpp>

namespace clopt::apps::exchange {

/// Takes the schedules that a run finds, and tells any thread which one was the last.
class BestSchedule {
 public:
  /// For Options::found.
  void keep(const clopt::exchange::Bound& bound, const clopt::exchange::Schedule& schedule);

  /// The result's field `best`; none before the first schedule.
  std::optional<Json> to_json() const;
  std::optional<clopt::exchange::Schedule> schedule() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t bound_ = 0;
  std::optional<clopt::exchange::Schedule> schedule_;
};

}  // namespace clopt::apps::exchange
