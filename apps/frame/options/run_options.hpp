/// \file
/// The options that solvers with generations share: files that a run writes, and resuming from a checkpoint.
#pragma once

#include <clopt/checkpoint.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common_options.hpp"

namespace clopt::apps {

/// What they say.
struct RunOptions {
  std::string checkpoint;  ///< files; empty: none
  std::string resume;
  std::string statistics;
  std::string plot;
  std::string plot_background = "white";
  std::string certificate;
};

/// Adds --checkpoint, --resume, --statistics and --plot, but those that a solver has no use for. To be called instead
/// of add_common_options(), which it calls.
void add_run_options(OptionParser& parser, const std::vector<std::string>& without = {});

/// Adds --certificate, for solvers whose answers have proofs, which RunReport::certificate() gives.
void add_certificate_option(OptionParser& parser);

/// Reads them. \throws InvalidInput.
RunOptions read_run_options(const Options& options);

/// A resumed run: the checkpoint, and the options completed from it.
struct Resumption {
  std::shared_ptr<const Checkpoint> checkpoint;  ///< none where --resume was not given
  Options options;
};

/// Reads the checkpoint that --resume names. Each parameter in it that is not among the options is added to them, and
/// one that is must be equal, numbers by value; limits (--generations, --evaluations, --stagnation, --target) may be
/// given anew, and so may "auto". What is read from the returned options is then the whole run. Call it right after
/// parsing.
/// \param solver the subcommand's name.
/// \throws InvalidInput for a damaged or foreign checkpoint, and options that do not agree with it, naming both values;
/// and as check_files().
Resumption resume(const Options& given, const std::string& solver);

/// What a checkpoint's text holds: parameters that must agree, by the names of their options, and the run's limits, as
/// limits_json() has them.
/// \param parameters every option that has a part in the result, --seed included, with the value that was used even if
///        it was a default: a number, a text, or null for an option that must not be given. Fields that are not options
///        are kept for the solver's own use (texts of objectives, tables), and found again by parameters_of(). How a
///        run is carried out (device, threads, granularity) is not among them.
std::string run_description(const Json& parameters, const Json& limits);

/// The parameters of a checkpoint, as run_description() was given them.
Json parameters_of(const Checkpoint& checkpoint);

/// The generation that a run resumes from; none where it starts from the beginning.
std::optional<std::uint64_t> resumed_generation(const std::shared_ptr<const Checkpoint>& checkpoint);

}  // namespace clopt::apps
