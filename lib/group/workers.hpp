/// \file
/// Solvers whose work ranks share.
#pragma once

#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/run.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mailbox.hpp"

namespace clopt::group {

/// Works at a run on another rank than the first, until it has ended.
/// \param message what the first rank has sent of it. \param seconds left of the run's limit of time.
using Worker = void (*)(ByteReader message, std::optional<double> seconds,
                        std::span<const std::shared_ptr<Device>> devices, Mailbox& mailbox);

/// Makes a solver known to this rank; where its code is in the program, so is the object that does so.
class WorkerEntry {
 public:
  WorkerEntry(std::string_view solver, Worker worker);
};

/// \throws InternalError for a solver that has none.
Worker worker_of(std::string_view solver);

/// Does ranges one after the other, with all devices of the rank, until the run has ended.
/// \param seconds left of the run's limit of time. \param shape what the rank takes.
/// \param work does a range, within its control: called with Order and RunControl, it returns the result's message and
/// the launches that it took. \param begin makes the rank ready to work: who takes long for that delays no other.
template <class WorkOfRange>
void serve_ranges(std::span<const std::shared_ptr<Device>> devices, std::optional<double> seconds, Mailbox& mailbox,
                  const RankShape& shape, const WorkOfRange& work, const std::function<void()>& begin = {}) {
  const Stopwatch serving;
  const RunTimes times;
  std::vector<std::string> names;
  for (const auto& device : devices) names.push_back(device->info().id);
  mailbox.prepared(shape, names);
  if (!mailbox.await_go()) return;
  double busy = 0;
  std::uint64_t launches = 0;
  try {
    if (begin) begin();
    mailbox.ask();
    while (const auto order = mailbox.await_order()) {
      mailbox.ask();
      RunControl control;
      control.stop = mailbox.stop();
      if (seconds) control.time_limit = std::max(0.0, *seconds - serving.seconds());
      const Stopwatch working;
      auto [result, own_launches] = work(*order, control);
      const double own_seconds = working.seconds();
      busy += own_seconds;
      launches += own_launches;
      const auto spent = times.seconds();
      mailbox.send_result(
          {order->range.ticket, own_seconds, busy, spent.open + spent.build, launches, std::move(result)});
    }
  } catch (const DeviceError& error) {
    mailbox.send_failure(error.what());
    mailbox.send_back(error.what());
  }
}

}  // namespace clopt::group
