/// \file
/// A solver as the program has it. Each describes itself in apps/solvers/<solver>/solver.hpp.
#pragma once

#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <frame/output/run_report.hpp>
#include <frame/status.hpp>
#include "benchmark.hpp"

namespace clopt {
class Device;
}

namespace clopt::apps {

/// What a case gave on a device.
struct ValidationOutcome {
  std::uint64_t checksum = 0;
  std::string wrong;      ///< what is wrong with the answer, by itself; empty where nothing is
  std::string skipped{};  ///< what the device lacks for this case, such as double precision; empty where it ran
};

/// Work that must end with the same checksum on every device.
struct ValidationCase {
  std::string name;         ///< what it runs: "subset-sum/k3-32/half:100"
  bool uses_device = true;  ///< false: the host does it alone, so that one device is enough
  /// Runs it; may end early, with any outcome, once a stop is requested.
  std::function<ValidationOutcome(Device&, const RunControl&)> run;
};

/// The slices of a whole run, by their numbers, none missing, and what is to be made of them.
struct MergeOrder {
  const std::vector<Slice>& slices;
  Json facts;                        ///< of the run, as SliceReport had them
  std::vector<std::string> outputs;  ///< files to write, as --output of the run without slices; they can be written
  bool keeps_population = false;     ///< whether the last population is to be written, too

  /// \param why "the last population goes to one file". \throws InvalidInput for several outputs.
  void require_one_output(std::string_view why) const;
};

/// A solver's subcommand, and what `validate`, `bench`, `tune` and the self-test of devices ask of it.
struct Solver {
  std::string_view name;             ///< as the user types it: "subset-sum"
  std::string_view short_name = {};  ///< what may be typed instead; empty: nothing
  std::string_view summary;          ///< one line of help
  /// The subcommand. Returns the exit status, or throws clopt::Error.
  int (*command)(const Arguments& arguments);
  std::vector<ValidationCase> (*cases)(bool with_long_ones);
  std::vector<BenchmarkTable> (*bench)();
  /// Measures what the solver's own choices rest on: a JSON value, or none where the run was stopped.
  std::optional<std::string> (*tune)(Device& device, const RunControl& control);
  /// Known answers on a device: an empty text, or what is wrong.
  std::string (*self_test)(Device& device);
  /// The report of a run that was divided by --shard; null where the solver's runs cannot be divided. Throws
  /// InvalidInput.
  std::unique_ptr<RunReport> (*merge)(const MergeOrder& order) = nullptr;
  bool shares_out = false;  ///< whether the ranks of a job of MPI share its work
};

/// Every solver, in the order of CMakeLists.txt's list.
const std::vector<Solver>& solvers();

}  // namespace clopt::apps
