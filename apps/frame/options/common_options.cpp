#include "common_options.hpp"

#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "mpi_job.hpp"

namespace clopt::apps {
namespace {

// More threads than this are a slip of the hand.
std::uint64_t most_threads() { return std::max(1024U, 4 * std::thread::hardware_concurrency()); }

}  // namespace

void add_device_options(OptionParser& parser) {
  parser
      .values("device", "ID|TEXT",
              "an id of `clopt devices`, a part of a device's or platform's name, or `all`; repeatable or "
              "comma-separated (default: $CLOPT_DEVICE, else the first GPU, else openmp:0)")
      .value("threads", "N",
             "threads of the OpenMP device and of work on the host (default: the cores that the process may use)")
      .switch_("force", "use a device although its self-test fails");
}

void add_output_options(OptionParser& parser) {
  parser.switch_("json", "print one JSON object").switch_("quiet", "show no progress");
}

void add_common_options(OptionParser& parser, bool has_plot) {
  add_device_options(parser);
  parser.value("seed", "N", "the seed of everything that is drawn (default 1)")
      .value("time-limit", "SECONDS", "end after this time, with the best so far");
  add_output_options(parser);
  if (!has_plot) parser.hidden("plot");
}

CommonOptions read_device_options(const Options& options) {
  CommonOptions common;
  common.devices = options.texts("device");
  common.device.threads =
      static_cast<unsigned>(options.integer("threads", 1, most_threads()).value_or(common.device.threads));
  common.device.force = options.is_set("force");
  return common;
}

CommonOptions read_common_options(const Options& options) {
  auto common = read_device_options(options);
  common.seed = options.integer("seed", 0, std::numeric_limits<std::uint64_t>::max()).value_or(common.seed);
  common.time_limit = options.not_negative("time-limit");
  common.quiet = options.is_set("quiet");
  common.json = options.is_set("json");
  return common;
}

void refuse_plot(const Options& options, std::string_view solver) {
  if (options.has("plot")) throw InvalidInput(fmt::format("{} has no picture to draw; leave --plot out", solver));
}

DeviceInfo find_one_device(const CommonOptions& common, std::string_view solver) {
  return the_only_one(find_devices(common.devices), solver);
}

DeviceInfo the_only_one(const std::vector<DeviceInfo>& found, std::string_view solver) {
  if (found.size() == 1) return found.front();
  std::string choices;
  for (const auto& info : found) choices += fmt::format("{}{} ({})", choices.empty() ? "" : ", ", info.id, info.name);
  throw InvalidInput(fmt::format("{} runs on one device, and --device names several; name one of {}", solver, choices));
}

Json result_head(std::string_view problem, const std::vector<DeviceInfo>& devices, std::string_view method,
                 std::uint64_t seed) {
  Json head;
  head["problem"] = problem;
  head["device"] = Json::array();
  for (const auto& info : devices) head["device"].push_back(device_json(info));
  head["method"] = method;
  head["seed"] = seed;
  return head;
}

void add_result_end(Json& object, const RunResult& result) {
  object["ending"] = name_of(result.ending);
  if (result.cluster) object["cluster"] = cluster_json(*result.cluster);
  object["checked_on_host"] = result.unchecked.empty();
  if (!result.unchecked.empty()) object["unchecked"] = result.unchecked;
  object["checksum"] = hexadecimal(result.checksum);
  object["version"] = version();
}

std::string time_limit_text(const RunResult& result) {
  return result.ending == Ending::time ? "; ended by the time limit" : "";
}

}  // namespace clopt::apps
