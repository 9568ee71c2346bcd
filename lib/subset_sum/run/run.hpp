/// \file
/// The order in which the ways to solve an instance are tried, apart from any device.
#pragma once

#include <clopt/subset_sum.hpp>
#include <functional>
#include <optional>

#include <subset_sum/device/cost.hpp>
#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt::subset_sum {

/// Options with their names turned into enumerations.
struct ParsedOptions {
  Method method = Method::automatic;
  bool reduce = true;
  Barrier barrier = Barrier::xiao_feng;
  Recovery recovery = Recovery::automatic;
  std::optional<std::uint32_t> work_groups = std::nullopt;
  std::optional<WorkRange> range = std::nullopt;
  std::function<void(std::int64_t value, const std::vector<std::size_t>& indices)> found = nullptr;
};

/// Checks what a caller gave. \throws InvalidInput.
ParsedOptions parse_options(const Instance& instance, const Options& options, const RunControl& control);
ParsedOptions parse_options(const Options& options, const RunControl& control);

/// Refuses options of a run that cannot be divided, and a range that there is not. \throws InvalidInput.
void require_divisible(const Options& options);

/// What `auto` reckons with.
struct Resources {
  MemoryLimits memory;
  Speeds speeds;
};

/// The sweep of a reduced problem, so that the solver is independent of the device. It leaves g as chapter 3.5.1
/// defines it, finds best_sum() and recover()s its items; it checks the watch between launches.
struct Sweeper {
  std::function<Found(const ReducedProblem& reduced, Method method, const Watch& watch)> sweep;
  std::function<Resources()> resources;  ///< asked only where `auto` must choose
};

/// The watch of a run whose methods report sums of their reduced problem. The caller gets the largest sum of the
/// instance that is known.
class Reporter {
 public:
  explicit Reporter(const RunControl& control);
  const Watch& watch() const { return watch_; }

  /// The value of a subset that is known.
  void know(std::uint64_t value) { known_ = static_cast<double>(value); }
  /// How to make a value of a reduced problem's sum.
  void value_by(std::function<double(double sum)> value_of_sum) { value_of_sum_ = std::move(value_of_sum); }

 private:
  RunControl with_best(const RunControl& control);

  bool continues_ = true;
  std::optional<double> known_;
  std::function<double(double)> value_of_sum_;
  RunControl control_;
  Watch watch_;
};

/// solve() with the device given as what it can do.
Result solve_with(const Instance& instance, const ParsedOptions& parsed, const Sweeper& sweeper, Reporter& reporter);
Result solve_with(const Instance& instance, const Options& options, const Sweeper& sweeper,
                  const RunControl& control = {});

}  // namespace clopt::subset_sum
