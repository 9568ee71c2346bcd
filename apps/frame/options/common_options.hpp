/// \file
/// The options that every solver takes, in one place.
#pragma once

#include <clopt/devices.hpp>
#include <clopt/run.hpp>

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
/// Adds all of them. \param has_plot whether the solver adds --plot itself; else it is known, for refuse_plot().
void add_common_options(OptionParser& parser, bool has_plot = false);

/// Reads those of the common options that were added. \throws InvalidInput.
CommonOptions read_common_options(const Options& options);

/// Reads --device, --threads and --force alone, as far as they were added. \throws InvalidInput.
CommonOptions read_device_options(const Options& options);

/// Refuses --plot, for solvers that have no picture to draw.
void refuse_plot(const Options& options, std::string_view solver);

/// The one device for work that cannot be spread over several. Nothing is opened.
/// \throws InvalidInput where several are named, with the choices; NoDevice.
DeviceInfo find_one_device(const CommonOptions& common, std::string_view solver);
/// The same of devices that were found.
DeviceInfo the_only_one(const std::vector<DeviceInfo>& found, std::string_view solver);

/// The fields that every solver's result begins with.
Json result_head(std::string_view problem, const std::vector<DeviceInfo>& devices, std::string_view method,
                 std::uint64_t seed);
/// Adds the fields that every solver's result ends with: why the run ended, what ranks have done, whether the host has
/// checked it, its checksum, and the version.
void add_result_end(Json& object, const RunResult& result);
/// "; ended by the time limit" where it was, for a line of text; else empty.
std::string time_limit_text(const RunResult& result);

}  // namespace clopt::apps
