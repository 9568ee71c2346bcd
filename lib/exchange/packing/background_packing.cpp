#include "background_packing.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace clopt::exchange {
namespace {

// Of the run's limits and of the packing.
constexpr std::chrono::milliseconds time_between_looks{5};

}  // namespace

BackgroundPacking::BackgroundPacking(const Problem& problem, const Network& network, const PackingEffort& effort,
                                     ThreadTeam& team, std::optional<double> time_limit,
                                     std::function<void(const Packed&)> on_end)
    : problem_(problem), network_(network), effort_(effort), team_(team), on_end_(std::move(on_end)) {
  control_.stop = stop_.get_token();
  control_.time_limit = time_limit;
  control_.progress_interval = 0;
  control_.progress = [this](const Progress& progress) {
    done_ = progress.done;
    return true;
  };
  try {
    packing_ = std::async(std::launch::async, [this] { return make(); });
  } catch (const std::system_error&) {
    // The run continues with the threads that it has.
  }
}

BackgroundPacking::~BackgroundPacking() {
  stop_.request_stop();
  if (packing_.valid()) packing_.wait();
}

Packed BackgroundPacking::make() {
  auto packed = pack(problem_, network_, effort_, team_, Watch(control_));
  seconds_ = stopwatch_.seconds();
  on_end_(packed);
  return packed;
}

Packed BackgroundPacking::finish(const Watch& watch) {
  if (watch.expired()) stop_.request_stop();
  if (!packing_.valid()) return make();
  while (packing_.wait_for(time_between_looks) != std::future_status::ready) {
    if (!watch.expired()) watch.report("packing", done_);
    if (watch.expired()) stop_.request_stop();
  }
  return packing_.get();
}

}  // namespace clopt::exchange
