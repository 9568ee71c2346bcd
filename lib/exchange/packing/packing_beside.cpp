#include "packing_beside.hpp"

#include <chrono>

namespace clopt::exchange {
namespace {

// Between two looks at the run's limits.
constexpr std::chrono::milliseconds shortest_wait{5};

}  // namespace

PackingBeside::PackingBeside(const Problem& problem, const Network& network, const PackingEffort& effort,
                             ThreadTeam& team, std::optional<double> time_limit)
    : effort_(effort) {
  control_.stop = stop_.get_token();
  control_.time_limit = time_limit;
  packing_ = std::async(std::launch::async, [this, &problem, &network, &team] {
    return pack(problem, network, effort_, team, Watch(control_));
  });
}

PackingBeside::~PackingBeside() {
  stop_.request_stop();
  if (packing_.valid()) packing_.wait();
}

Packed PackingBeside::finish(const Watch& watch) {
  while (packing_.wait_for(shortest_wait) != std::future_status::ready) {
    watch.report("packing", 0);
    if (watch.expired()) stop_.request_stop();
  }
  return packing_.get();
}

}  // namespace clopt::exchange
