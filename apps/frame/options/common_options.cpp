#include "common_options.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "field_options.hpp"

namespace clopt::apps {
namespace {

// More threads than this are a slip of the hand.
std::uint64_t most_threads() { return std::max(1024U, 4 * std::thread::hardware_concurrency()); }

FieldTable device_fields(CommonOptions& common) {
  FieldTable table;
  table.group("Device", FieldEffect::execution);
  table("threads", &common.device.threads)
      .range(1, most_threads())
      .unset("the cores that the process may use")
      .help("threads of the OpenMP device and of work on the host");
  table("force", &common.device.force).help("use a device although its self-test fails");
  return table;
}

FieldTable run_fields(CommonOptions& common) {
  FieldTable table;
  table.group("Search");
  add_seed(table, common);
  table.group("Limits", FieldEffect::limit);
  table("time_limit", &common.time_limit)
      .range(0.0, Field::unbounded)
      .value("SECONDS")
      .unit("seconds")
      .help("end after this time, with the best so far");
  return table;
}

FieldTable output_fields(CommonOptions& common) {
  FieldTable table;
  table.group("Output", FieldEffect::output);
  table("json", &common.json).help("print one JSON object");
  table("quiet", &common.quiet).help("show no progress");
  return table;
}

}  // namespace

void add_device_options(OptionParser& parser) {
  CommonOptions usual;
  parser.group("Device")
      .values("device", "ID|TEXT",
              "an id of `clopt devices`, a part of a device's or platform's name, or 'all'; repeatable or "
              "comma-separated; `auto`: a solver begins on openmp:0, and moves to the first GPU where its rest gains "
              "(default: $CLOPT_DEVICE, else auto; of other subcommands the first GPU, else openmp:0)")
      .add(device_fields(usual));
}

void add_output_options(OptionParser& parser) {
  CommonOptions usual;
  parser.add(output_fields(usual));
}

void add_common_options(OptionParser& parser, bool has_plot) {
  CommonOptions usual;
  add_device_options(parser);
  parser.add(run_fields(usual));
  add_output_options(parser);
  if (!has_plot) parser.hidden("plot");
}

CommonOptions read_device_options(const Options& options) {
  CommonOptions common;
  common.devices = options.texts("device");
  read_fields(options, device_fields(common));
  return common;
}

CommonOptions read_common_options(const Options& options) {
  auto common = read_device_options(options);
  read_fields(options, run_fields(common));
  read_fields(options, output_fields(common));
  return common;
}

}  // namespace clopt::apps
