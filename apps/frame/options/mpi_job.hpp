/// \file
/// The program as one of the ranks that a launcher of MPI has started.
#pragma once

#include <clopt/cluster.hpp>

#include <functional>
#include <string>
#include <string_view>

#include <frame/output/output.hpp>
#include "common_options.hpp"

namespace clopt::apps {

/// This process's part in the job; none outside one.
const cluster::Member* job_member();

/// Runs the program's work in its job, if it is in one: the first rank does it, the others serve the first one and
/// print nothing. \param works_alone whether the work is long, and the others have no part in it: a line says so.
/// \param work the whole work, which throws nothing. \param read_options calls the subcommand for options_by().
/// \returns the exit status. \throws InvalidInput where the job cannot begin.
int run_in_job(std::string_view subcommand, bool works_alone, const std::function<int()>& work,
               const std::function<void()>& read_options);

/// The devices that a run is to use, of those that its options name: in a job this rank's share, with its share of the
/// cores. \throws as find_devices().
std::vector<DeviceInfo> find_devices_of_rank(CommonOptions& common);

/// Says on standard error what ranks do not share, where there are several. \param clause before "shared out": "one
/// population is not".
void report_unshared(std::string_view solver, std::string_view clause);

}  // namespace clopt::apps
