#include "session.hpp"

#include <clopt/error.hpp>
#include <group/serving.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "launcher.hpp"
#include "module.hpp"
#include "start_check.hpp"

namespace clopt::cluster {
namespace {

using Clock = std::chrono::steady_clock;

// A rank answers as soon as it has a processor. One that does not is stopped, or its machine is gone: the job is
// aborted, which gives it a status of the launcher's, and Open MPI's may not end then.
constexpr std::chrono::seconds longest_bye{15};

const clopt_cluster_module& module_of(const Launcher& launcher) {
  environment::keep_hwloc_from_opencl();
  try {
    return load_module(launcher.modules);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} has started {}: {}. To run {} by itself, set CLOPT_CLUSTER=off", launcher.name,
                                   launcher.ranks == 1
                                       ? "one process, and it cannot reach MPI"
                                       : fmt::format("{} processes, and they cannot work together", launcher.ranks),
                                   error.what(), launcher.ranks == 1 ? "it" : "each"));
  }
}

}  // namespace

Session::Session(const Launcher& launcher) : communicator_(module_of(launcher)) {
  const auto ranks = static_cast<unsigned>(communicator_.ranks());
  if (ranks != launcher.ranks)
    throw InvalidInput(
        fmt::format("{} has started {} processes, and {} finds {}: the module is of another MPI than the launcher; "
                    "name the right one by CLOPT_CLUSTER, or run each process by itself with CLOPT_CLUSTER=off",
                    launcher.name, launcher.ranks, communicator_.library(), ranks));
  const auto descriptions = communicator_.gather(description_of_this_rank());
  const auto verdict = communicator_.broadcast(descriptions.empty() ? "" : difference(descriptions));
  if (!verdict.empty()) {
    communicator_.finalise();
    throw InvalidInput(verdict);
  }
  std::vector<std::string> hosts(ranks);
  std::transform(descriptions.begin(), descriptions.end(), hosts.begin(), host_in);
  set_members(std::move(hosts));
  become_job();
}

std::string Session::name_of(std::size_t rank) const { return fmt::format("rank {} on {}", rank, host_of(rank)); }

int Session::serve(const Open& open) {
  const int status = group::serve_first_rank(communicator_, open);
  has_left_ = true;
  return status;
}

// \returns whether all ranks have answered.
bool Session::await_byes() {
  const auto end = Clock::now() + longest_bye;
  group::Backoff backoff;
  while (true) {
    if (poll([](std::size_t, group::Kind, std::uint32_t, ByteReader) {})) backoff.reset();
    if (byes() + 1 == static_cast<std::size_t>(ranks()) && communicator_.has_sent_all()) return true;
    if (Clock::now() >= end) return false;
    backoff.wait(communicator_);
  }
}

void Session::leave(int status, bool waits) {
  if (has_left_) return;
  has_left_ = true;
  if (!waits) return;
  for (int rank = 1; rank < communicator_.ranks(); ++rank)
    communicator_.send(rank, group::begin_message(group::Kind::leave, 0).add(std::int32_t{status}).take());
  if (!await_byes()) communicator_.abort(status);
  communicator_.finalise();
}

}  // namespace clopt::cluster
