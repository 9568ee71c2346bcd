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
class Annealing {
 public:
  /// Continues from the task's state where it has one. \throws InvalidInput where that is of another search.
  explicit Annealing(const SearchTask& task);

  /// Whether it has found a schedule, or may not go on within its limit.
  bool is_over() const;
  bool is_successful() const { return best().has_schedule() && best().conflicts == 0; }
  /// Makes a launch in two parts, so that devices and their queues can work on several searches at once.
  void start();
  void finish_launch();
  /// Of the cycles before the first, and of that one.
  BestPlacing best() const;
  std::uint64_t generations() const;
  std::uint64_t evaluations() const;
  /// The conflicts of the first cycle's trials.
  std::vector<double> conflicts() const;
  /// What it leads to. \throws DeviceError.
  SearchResult result();
  /// Without what is ahead of the first cycle, which is made again.
  SearchState state();

 private:
  double left() const;
  void add_cycles();
  void add(double limit);
  void end_first();
  void take(const BestPlacing& best, SearchResult& result) const;
  void take_first_fit(SearchResult& result) const;
  void resume(const SearchState& state);

  const SearchTask& task_;
  Competition competition_;
  std::deque<std::unique_ptr<Cycle>> cycles_;
  std::uint64_t first_ = 0;  ///< the number of the first of them
  // Of the cycles before it:
  BestPlacing best_;
  std::uint64_t generations_ = 0;
  std::uint64_t evaluations_ = 0;
  std::uint64_t evaluations_in_vain_ = 0;  ///< of cycles that were begun ahead and made again within the limit
};

}  // namespace clopt::exchange
