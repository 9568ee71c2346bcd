/// \file
/// `clopt subset-sum`.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>

#include <commands/subcommand.hpp>
#include <frame/common_options.hpp>
#include <frame/progress_bar.hpp>
#include <frame/watchdog.hpp>

namespace clopt::apps::subset_sum {
namespace {

namespace solver = clopt::subset_sum;

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t indices_shown = 30;

OptionParser make_parser() {
  OptionParser parser(
      "subset-sum", "FILE --capacity C [OPTION...]\nclopt subset-sum --instance CLASS:N [OPTION...]",
      "Finds the subset of positive integers with the largest sum that is at most a capacity, exactly.\n"
      "FILE holds the integers, with white space between them; `#` starts a comment; `-` is standard "
      "input.");
  parser.argument("FILE")
      .value("capacity", "C", "the largest sum that is allowed, from 0 to 2^63-1")
      .value("instance", "CLASS:N",
             fmt::format("draw an instance of N weights instead: {}; BOUND limits the weights, as 1000000 or 1e6",
                         fmt::join(solver::instance_classes(), ", ")))
      .value("method", "NAME", fmt::format("one of {} (default auto)", fmt::join(solver::methods(), ", ")))
      .value("barrier", "NAME", "how work-groups wait for each other in k2: xiao-feng (default) or cyclic")
      .value(
          "recovery", "NAME",
          "how k3 finds the subset again: table (4 bytes a capacity), checkpoints (3 bits), or auto, the cheaper one "
          "that fits (default)")
      .switch_("no-reduce", "use no common divisor and no certificate: the whole work of the method");
  add_common_options(parser);
  return parser;
}

std::string method_of(const Options& options) {
  auto method = options.text("method").value_or("auto");
  const auto& known = solver::methods();
  if (std::find(known.begin(), known.end(), method) == known.end())
    throw InvalidInput(
        fmt::format("there is no method '{}'; choose one of {}", printable(method), fmt::join(known, ", ")));
  return method;
}

// Options whose values are few.
void check_choices(const Options& options, const std::string& method) {
  const auto barrier = options.text("barrier");
  if (barrier && method != "k2")
    throw InvalidInput(fmt::format("--barrier belongs to the method k2, not to '{}'; leave it out", method));
  if (barrier && *barrier != "xiao-feng" && *barrier != "cyclic")
    throw InvalidInput(fmt::format("there is no barrier '{}'; choose xiao-feng or cyclic", printable(*barrier)));
  const auto recovery = options.text("recovery");
  if (recovery && *recovery != "auto" && *recovery != "table" && *recovery != "checkpoints")
    throw InvalidInput(
        fmt::format("there is no recovery '{}'; choose auto, table or checkpoints", printable(*recovery)));
  if (recovery && method != "auto" && !method.starts_with("k3-"))
    throw InvalidInput(fmt::format("--recovery belongs to the methods k3, not to '{}'; leave it out", method));
  refuse_plot(options, "subset-sum");
}

void check_source(const Options& options) {
  const bool file = options.has("FILE");
  const bool drawn = options.has("instance");
  if (file && drawn) throw InvalidInput("FILE and --instance contradict each other; give one of them");
  if (!file && !drawn)
    throw InvalidInput("no weights: give a FILE (`-` is standard input) with --capacity C, or --instance CLASS:N");
  if (drawn && options.has("capacity"))
    throw InvalidInput("--instance draws its own capacity; leave --capacity out, or give a FILE");
  if (file && !options.has("capacity")) throw InvalidInput("FILE needs --capacity C, the largest sum that is allowed");
}

solver::Instance read_instance(const Options& options, std::uint64_t capacity, std::uint64_t seed) {
  if (const auto drawn = options.text("instance")) return solver::make_instance(*drawn, seed);
  const auto name = *options.text("FILE");
  if (name == "-") {
    std::ios::sync_with_stdio(false);
    return {solver::read_weights(std::cin, "standard input"), capacity};
  }
  std::ifstream file(name, std::ios::binary);
  return {solver::read_weights(file, name), capacity};
}

std::string_view explanation_of(solver::Proof proof) {
  switch (proof) {
    case solver::Proof::everything_fits: return "optimal: everything fits";
    case solver::Proof::capacity_reached: return "optimal: the capacity is reached";
    case solver::Proof::divisor: return "optimal: no multiple of the weights' common divisor lies between";
    case solver::Proof::exhaustive: return "optimal: every sum that matters was considered";
    case solver::Proof::none: break;
  }
  return "not proven to be optimal";
}

/// What belongs to a run besides the solver's result.
struct Report {
  const solver::Instance& instance;
  const solver::Result& result;
  const DeviceInfo& device;
  double read_seconds;
  double open_seconds;
};

Json to_json(const Report& report, std::uint64_t seed) {
  const auto& result = report.result;
  auto object = result_head("subset-sum", {report.device}, result.method, seed);
  object["n"] = report.instance.weights.size();
  object["capacity"] = report.instance.capacity;
  object["value"] = result.value;
  object["optimal"] = result.optimal;
  object["proof"] = name_of(result.proof);
  object["reason"] = result.reason;
  if (!result.candidates.empty()) {
    object["candidates"] = Json::array();
    for (const auto& each : result.candidates)
      object["candidates"].push_back(
          {{"method", each.method}, {"seconds", each.seconds}, {"bytes", each.bytes}, {"fits", each.fits}});
  }
  object["interrupted"] = result.interrupted();
  object["indices"] = result.indices;
  object["capacities_swept"] = result.capacities_swept;
  object["launches"] = result.launches;
  object["recovery"] = result.recovery;
  object["recovery_bytes"] = result.recovery_bytes;
  object["seconds"] = {{"total", result.seconds.total},       {"compute", result.seconds.compute},
                       {"recovery", result.recovery_seconds}, {"read", report.read_seconds},
                       {"open", report.open_seconds},         {"build", result.seconds.build}};
  object["checksum"] = hexadecimal(result.checksum);
  object["version"] = version();
  return object;
}

std::string to_text(const Report& report) {
  const auto& result = report.result;
  const auto shown = std::min(result.indices.size(), indices_shown);
  std::string text =
      fmt::format("value     {} of {} ({})\n", result.value, report.instance.capacity, explanation_of(result.proof));
  text +=
      fmt::format("subset    {} of {} weights: {}", result.indices.size(), report.instance.weights.size(),
                  fmt::join(result.indices.begin(), result.indices.begin() + static_cast<std::ptrdiff_t>(shown), " "));
  if (shown < result.indices.size()) text += fmt::format(" ... ({} more: --json)", result.indices.size() - shown);
  text += fmt::format("\nmethod    {} ({})\n", result.method, result.reason);
  text += fmt::format("device    {} ({})\n", report.device.id, report.device.name);
  text += fmt::format("time      {} ({} computing); reading {}, opening the device {}, building kernels {}\n",
                      readable_seconds(result.seconds.total), readable_seconds(result.seconds.compute),
                      readable_seconds(report.read_seconds), readable_seconds(report.open_seconds),
                      readable_seconds(result.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(result.checksum));
  return text;
}

}  // namespace

std::string_view summary() { return "the subset with the largest sum that is at most a capacity"; }

int run(const Arguments& arguments) {
  const auto options = make_parser().parse(arguments);
  if (!options) return Status::done;
  const auto common = read_common_options(*options);
  solver::Options solver_options;
  solver_options.method = method_of(*options);
  solver_options.reduce = !options->is_set("no-reduce");
  check_choices(*options, solver_options.method);
  solver_options.barrier = options->text("barrier").value_or(solver_options.barrier);
  solver_options.recovery = options->text("recovery").value_or(solver_options.recovery);
  check_source(*options);
  const auto capacity = options->integer("capacity", 0, largest).value_or(0);

  const Stopwatch reading;
  const auto instance = read_instance(*options, capacity, common.seed);
  const double read_seconds = reading.seconds();

  Watchdog watchdog(common, {"subset-sum", solver_options.method, true, {}});
  const auto chosen = find_one_device(common, "subset-sum");
  watchdog.set_devices({chosen});
  const Stopwatch opening;
  const auto device = open_listed_device(chosen, common.device);
  const double open_seconds = opening.seconds();

  ProgressBar bar(common.shows_progress());
  const auto result = solver::solve(instance, solver_options, *device, watchdog.control(bar));
  watchdog.end();
  bar.wipe();

  const Report report{instance, result, device->info(), read_seconds, open_seconds};
  if (common.json)
    print_json(to_json(report, common.seed));
  else
    print(to_text(report));
  if (result.interrupted()) return Status::interrupted;
  return result.optimal ? Status::done : Status::not_reached;
}

}  // namespace clopt::apps::subset_sum
