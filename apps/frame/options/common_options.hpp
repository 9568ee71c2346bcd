/// \file
/// The options that every solver takes, in one place.
#pragma once

#include <clopt/devices.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <frame/output/output.hpp>
#include "options.hpp"

namespace clopt::apps {

/// What the common options say.
struct CommonOptions {
  std::vector<std::string> devices;  ///< texts that name devices; empty: the default
  DeviceOptions device;
  std::uint64_t seed = 1;
  std::optional<double> time_limit;
  bool quiet = false;
  bool json = false;

  bool shows_progress() const { return !quiet && !json; }
};

/// Adds --device, --threads and --force.
void add_device_options(OptionParser& parser);
/// Adds --json and --quiet.
void add_output_options(OptionParser& parser);
/// Adds all of them, but for options that the parser has already: a solver's own field comes first. \param has_plot
/// whether the solver adds --plot itself; else it is known, to be refused with a reason.
void add_common_options(OptionParser& parser, bool has_plot = false);

/// Reads those of the common options that were added. \throws InvalidInput.
CommonOptions read_common_options(const Options& options);

/// Reads --device, --threads and --force alone, as far as they were added. \throws InvalidInput.
CommonOptions read_device_options(const Options& options);

}  // namespace clopt::apps
