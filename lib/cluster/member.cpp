#include <clopt/cluster.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "launcher.hpp"
#include "module.hpp"
#include "session.hpp"

namespace clopt::cluster {
namespace {

unsigned cores_of_this_rank() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return std::thread::hardware_concurrency();
  return static_cast<unsigned>(CPU_COUNT(&set));
}

}  // namespace

struct Member::Inside {
  explicit Inside(const Launcher& launcher) : session(launcher) {}
  Session session;
  int status = 0;
};

Member::Member(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Member::~Member() {
  try {
    if (!inside_->session.has_left() && is_first()) leave(0);
  } catch (...) {
    // MPI has failed, and the launcher ends the others.
  }
}

unsigned Member::rank() const { return static_cast<unsigned>(inside_->session.communicator().rank()); }
unsigned Member::ranks() const { return static_cast<unsigned>(inside_->session.communicator().ranks()); }
unsigned Member::local_rank() const { return static_cast<unsigned>(inside_->session.communicator().local_rank()); }
unsigned Member::local_ranks() const { return static_cast<unsigned>(inside_->session.communicator().local_ranks()); }
std::string Member::library() const { return inside_->session.communicator().library(); }

std::vector<DeviceInfo> Member::share_of(const std::vector<DeviceInfo>& devices) const {
  if (devices.size() <= local_ranks()) {
    if (devices.empty()) return {};
    return {devices[local_rank() % devices.size()]};
  }
  std::vector<DeviceInfo> own;
  for (std::size_t k = local_rank(); k < devices.size(); k += local_ranks()) own.push_back(devices[k]);
  return own;
}

unsigned Member::threads(unsigned asked) const {
  if (asked != 0) return asked;
  const auto own = cores_of_this_rank();
  // Fewer than the machine has: the launcher has dealt them out.
  return own < std::thread::hardware_concurrency() ? own : std::max(1U, own / local_ranks());
}

int Member::serve(const std::function<std::vector<std::shared_ptr<Device>>()>& open) {
  return inside_->session.serve([&open] {
    auto devices = open();
    if (devices.empty()) throw NoDevice("it has no device to run on");
    return devices;
  });
}

int Member::serve_as_failed() {
  const auto failure = std::current_exception();
  return serve([failure]() -> std::vector<std::shared_ptr<Device>> { std::rethrow_exception(failure); });
}

void Member::leave(int status, bool waits) { inside_->session.leave(status, waits); }

std::unique_ptr<Member> join() {
  const auto launcher = find_launcher();
  if (!launcher) return nullptr;
  // A rank that is alone needs no module, but one that is named has to be there.
  if (launcher->ranks == 1 && environment::cluster().empty()) {
    try {
      load_module(launcher->modules);
    } catch (const InvalidInput&) {
      return nullptr;
    }
  }
  if (group::Group::job())
    throw InvalidInput("this process has joined the job already; keep the object that join() made");
  return std::make_unique<Member>(std::make_unique<Member::Inside>(*launcher));
}

unsigned announced_rank() {
  const auto launcher = find_launcher();
  return launcher ? launcher->rank.value_or(0) : 0;
}

}  // namespace clopt::cluster
