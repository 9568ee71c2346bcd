/// \file
/// A search by annealing: cycles in their order, as many at once as there are devices.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "cycle.hpp"

namespace clopt::exchange {

/// One search, launch by launch.
class AnnealingSearch {
 public:
  /// Continues from the task's state where it has one. \throws InvalidInput where that is of another search.
  explicit AnnealingSearch(const SearchTask& task);

  /// Whether it has found a schedule, or may not continue within its limit.
  bool is_over() const;
  bool is_successful() const;
  /// Makes a launch in two parts, so that devices and their queues can work on several searches at once.
  /// \param searches that share the devices.
  void start(std::size_t searches);
  void finish_launch();
  /// Conflicts of the best schedule of the cycles before the first, and of that one; none where there is none yet.
  std::optional<std::uint64_t> fewest_conflicts() const;
  std::uint64_t generations() const;
  std::uint64_t evaluations() const;
  /// The conflicts of the first cycle's trials after the last launch.
  const std::vector<double>& conflicts() const { return conflicts_; }
  /// What it leads to: the schedule, where one is wanted, and counts. Nothing may be asked for afterwards.
  /// \throws DeviceError.
  SearchResult result(bool wants_schedule);
  /// Without what is ahead of the first cycle, which is made again.
  Record state();

 private:
  BestPlacing best() const;
  double left() const;
  void add_cycles(std::size_t searches);
  void drop_those_ahead();
  void end_first();
  void take(const BestPlacing& best, SearchResult& result) const;
  void take_first_fit(SearchResult& result) const;
  void resume(const Record& state);

  const SearchTask& task_;
  SuccessiveHalving halving_;
  std::deque<std::unique_ptr<Cycle>> cycles_;
  std::uint64_t first_ = 0;     ///< the number of the first of them
  bool has_room_ahead_ = true;  ///< no cycle ahead has run out of memory
  std::vector<double> conflicts_;
  // Of the cycles before it:
  BestPlacing best_;
  std::uint64_t generations_ = 0;
  std::uint64_t evaluations_ = 0;
  std::uint64_t evaluations_in_vain_ = 0;  ///< of cycles that were begun ahead and given up
};

}  // namespace clopt::exchange
