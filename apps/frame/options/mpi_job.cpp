#include "mpi_job.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <frame/status.hpp>
#include "options.hpp"

namespace clopt::apps {
namespace {

cluster::Member* the_member = nullptr;

// Another rank than the first reads its arguments for the devices in them, and nothing else.
int serve(cluster::Member& member, const std::function<void()>& read_options) {
  silence_output();
  CommonOptions common;
  std::optional<Options> options;
  try {
    options = options_by(read_options);
    if (options) common = read_device_options(*options);
  } catch (...) {
    return member.serve_as_failed();
  }
  return member.serve([&] {
    if (!options) throw InvalidInput("its command line runs no solver; give all ranks the same one");
    std::vector<std::shared_ptr<Device>> devices;
    for (const auto& info : find_devices_of_rank(common)) devices.push_back(open_listed_device(info, common.device));
    return devices;
  });
}

}  // namespace

const cluster::Member* job_member() { return the_member; }

int run_in_job(std::string_view subcommand, bool works_alone, const std::function<int()>& work,
               const std::function<void()>& read_options) {
  const auto member = [] {
    try {
      return cluster::join();
    } catch (...) {
      // The first rank speaks for all. When one ends by an error, a launcher ends the others at once, even before what
      // they have said is passed on.
      if (cluster::announced_rank() != 0) {
        silence_output();
        std::this_thread::sleep_for(std::chrono::seconds(1));
      }
      throw;
    }
  }();
  if (!member) return work();
  the_member = member.get();
  int status = 0;
  if (member->is_first()) {
    if (works_alone && member->ranks() > 1)
      print_error(fmt::format("clopt{}{}: its work is not shared out, so rank 0 of {} does all of it\n",
                              subcommand.empty() ? "" : " ", subcommand, member->ranks()));
    status = work();
    member->leave(status, status != Status::interrupted);
  } else {
    status = serve(*member, read_options);
    // Abandoned work may still be in a driver.
    _exit(status);
  }
  the_member = nullptr;
  return status;
}

std::vector<DeviceInfo> find_devices_of_rank(CommonOptions& common) {
  auto found = find_devices(common.devices);
  if (!the_member) return found;
  const auto threads = the_member->threads(0);
  if (common.device.threads > threads && the_member->local_ranks() > 1)
    print_error(
        fmt::format("clopt: rank {} is to use {} threads and has {} cores to itself; give fewer --threads, or "
                    "have the launcher bind it to more (mpirun --bind-to none)\n",
                    the_member->rank(), common.device.threads, threads));
  common.device.threads = the_member->threads(common.device.threads);
  return the_member->share_of(found);
}

void report_unshared(std::string_view solver, std::string_view clause) {
  if (the_member != nullptr && the_member->ranks() > 1)
    print_error(fmt::format("clopt {}: {} shared out, so rank 0 of {} does all the work\n", solver, clause,
                            the_member->ranks()));
}

}  // namespace clopt::apps
