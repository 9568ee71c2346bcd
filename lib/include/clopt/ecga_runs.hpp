/// \file
/// Several runs of a problem that differ in their seeds, all of them or some.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/ecga_sizing.hpp>
#include <clopt/export.hpp>
#include <clopt/runs.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clopt::ecga {

using RunsOptions = SeveralRunsOptions<Trial>;
using Runs = SeveralRuns<Trial>;

/// Whether a result is as good as the target or, without one, as the objective's best value, if that is known or
/// proven.
CLOPT_API bool succeeded(const Problem& problem, const Options& options, const Result& result);

/// Makes the runs, one after the other, all on the same devices.
/// \param control of all runs together: a progress callback that returns false ends them, within one launch.
/// \throws InvalidInput for no run, for a range that there is not, with a checkpoint, and as solve(); DeviceError.
CLOPT_API Runs solve_runs(const Problem& problem, const Options& options, const RunsOptions& runs,
                          std::span<const std::shared_ptr<Device>> devices, const RunControl& control = {});
/// The same on the devices that are given, or each run on the one that its work chooses (clopt/devices.hpp).
CLOPT_API Runs solve_runs(const Problem& problem, const Options& options, const RunsOptions& runs,
                          const Devices& devices, const RunControl& control = {});

/// A line of each run. O(runs).
CLOPT_API std::vector<RunOutcome> outcomes_of(const Runs& runs);

/// Everything that the results of all runs depend on, limits included: results of ranges belong together where it is
/// the same. \throws InvalidInput for a single run, which cannot be divided, and as solve_runs().
CLOPT_API RunIdentity identity(const Problem& problem, const Options& options, const RunsOptions& runs);

/// Results as numbers, to be sent or written. O(their size).
CLOPT_API Record pack(const Runs& runs);
/// The packed results of a number of runs. \throws InvalidInput where the record is not of such results.
CLOPT_API Runs unpack_runs(const Record& record, std::size_t runs, std::uint32_t length);

/// The results of all runs, of those of ranges in their order. Times are added up.
/// \param parts at least one, of the same runs. O(their sizes).
CLOPT_API Runs merge(std::vector<Runs> parts);

}  // namespace clopt::ecga
