/// \file
/// Predicted times of each method on a reduced problem, for `auto`.
#pragma once

#include <clopt/subset_sum.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <subset_sum/reduction/reduced_problem.hpp>
#include <support/numbers/uint128.hpp>

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// Bytes that a sweep takes for capacities up to one: 4 a capacity, or by k3 at least the 3 bits of checkpoints.
double bytes_of_sweep(Method method, double high);

/// How quickly a method sweeps on a device.
struct SweepSpeed {
  double seconds = 0;              ///< that any reduced problem takes
  double seconds_an_item = 0;      ///< a launch, or what an item costs besides its capacities
  double seconds_a_byte = 0;       ///< of newly allocated memory
  double capacities_a_second = 1;  ///< capacities times items
};

/// How quickly the host's methods work, on one thread. The defaults were fitted to one core of a server of 2023.
struct HostSpeed {
  double bellman_cells = 1.2e9;       ///< cells of the table a second
  double yanasse_soma_steps = 3e9;    ///< capacities times items a second
  double balsub_states = 8e9;         ///< states of 2 bytes that an item's step examines a second
  double balsub_state = 1.9e-9;       ///< seconds for each state and logarithm of the items, reached or not,
  double balsub_reached = 2.6e-8;     ///< and for each that the weights' common divisor lets reach
  double balsub_removal = 2e-9;       ///< seconds for each state that is reached and item that may be removed from it
  double decomp_capacity = 5e-9;      ///< seconds for each capacity
  double decomp_capacities = 1.2e11;  ///< capacities times items a second, besides
  double decomp_sums = 1.5e8;         ///< sums listed a second, where a hit ends it early
  double listed_sum = 1e-8;           ///< seconds for each sum of meet in the middle's two lists
  double streamed_sum = 3e-9;         ///< seconds for each sum that its four lists stream, on the device
  double streaming = 1.5e-3;          ///< seconds that the four lists take besides
  double fresh_byte = 2.5e-10;        ///< seconds for each byte of newly allocated memory
};

/// All figures that predictions rest on. The built-in ones suit a kind of device, the others are measured by tune().
struct Speeds {
  HostSpeed host;
  std::map<std::string, SweepSpeed> sweeps;  ///< by the method's name
};

/// Built-in figures for one thread of the OpenMP device, and for a device of its kind.
Speeds usual_speeds();
Speeds built_in_speeds(const Device& device);

/// What may be taken, in bytes.
struct MemoryLimits {
  std::uint64_t device = 0;  ///< by a sweep
  std::uint64_t host = 0;    ///< by a method of the host, or a sweep whose pieces visit the device
};

/// What a device has, and what is left of the host's memory now.
MemoryLimits memory_limits_of(const Device& device);

/// What a method would take for a reduced problem.
struct Prediction {
  Method method = Method::automatic;
  double seconds = 0;
  Uint128 bytes = 0;
  bool fits = false;       ///< whether it can hold the reduced problem within the limits
  bool canonical = false;  ///< whether it gives the subset that recover() gives
};

/// Seconds of the quickest method that suits a reduced problem on an ordinary processor, whatever this machine is: a
/// measure that makes the same choices everywhere.
double usual_seconds(const ReducedProblem& bundled, const ReducedProblem& single);

/// One prediction for each method that `auto` may choose, the quickest of those that fit first. Where two are as good,
/// one that gives the subset of recover() comes before one that gives another.
/// \param bundled the reduced problem that all methods but balsub get; \param single the reduced problem that balsub
/// gets. \param searched whether reach_around_break() found nothing, so that methods which end at a hit will not
/// either.
std::vector<Prediction> predict(const ReducedProblem& bundled, const ReducedProblem& single, bool searched,
                                const Speeds& speeds, const MemoryLimits& limits);

}  // namespace clopt::subset_sum
