/// \file
/// `clopt exchange`.
#include <clopt/detail/files.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include <commands/subcommand.hpp>
#include <frame/options/field_options.hpp>
#include <frame/options/mpi_job.hpp>
#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>
#include <frame/output/last_report.hpp>
#include <frame/output/progress_bar.hpp>
#include <frame/run/watchdog.hpp>
#include "picture.hpp"
#include "report.hpp"
#include "solver.hpp"
#include "topology.hpp"

namespace clopt::apps::exchange {
namespace {

namespace solver = clopt::exchange;

OptionParser make_parser() {
  solver::Options usual;
  OptionParser parser(
      "exchange",
      "--topology CLASS:SIZE|FILE [OPTION...]\nclopt exchange --topology CLASS:SIZE|FILE --bound\nclopt exchange "
      "--verify FILE.json [--topology ...]",
      "Schedules the messages of a pattern on a wormhole network: each takes a shortest path in one of few steps, and "
      "no\n"
      "two messages of a step use the same one-way link. FILE holds `nodes N`, `link A B` (both ways), `arc A B` (one\n"
      "way), each with a third number for parallel channels, and `role A sender|receiver|router`, a statement a line;\n"
      "`#` starts a comment.\n"
      "--generations stops umda at once, the others after the launches or the packing that they have begun.");
  parser.value("topology", "TEXT", fmt::format("{}, or a file", fmt::join(solver::topology_classes(), ", ")))
      .value("without-links", "A-B[,...]", "links that are broken, both ways")
      .value("without-nodes", "A[,...]", "nodes that are broken")
      .value("pattern", "NAME",
             fmt::format("one of {} (default all-to-all)", fmt::join(solver::pattern_classes(), ", ")))
      .add(fields(usual))
      .values("output", "FILE", "write the schedule as .json or as .xml (MSCCL), the topology as .anynet (BookSim)")
      .value("verify", "FILE.json", "only check a schedule; the topology is the file's, or the one given")
      .switch_("bound", "only find the bound and its certificate");
  add_shard_option(parser, "--searches");
  add_run_options(parser, {"statistics"});
  return parser;
}

const std::vector<std::string> options_of_a_search{
    "output",     "plot",   "checkpoint", "resume",        "steps",    "optimizer", "offload",     "method",
    "population", "queues", "islands",    "migrate-every", "replicas", "searches",  "generations", "shard"};

void refuse_together(const Options& options, const std::string& one, const std::vector<std::string>& others) {
  for (const auto& other : others)
    if (options.has(other) && (other != "bound" || options.is_set(other)))
      throw InvalidInput(fmt::format("--{} and --{} contradict each other; give one of them", one, other));
}

solver::Options read_options(const Options& options, std::uint64_t seed) {
  solver::Options result;
  result.seed = seed;
  auto table = fields(result);
  std::vector<std::string> given;
  read_fields(options, table, given, {"steps"});
  table.check_needs(given);
  if (result.offload == "device" && (options.has("queues") || result.method == "pairs"))
    throw InvalidInput(
        fmt::format("--{} belongs to --offload host: a device that does all counts links, in one queue; "
                    "leave one of them out",
                    options.has("queues") ? "queues" : "method pairs"));
  return result;
}

// `bound` is known only once the bound is; until then only whether --steps is right is of interest.
std::optional<std::uint32_t> read_steps(const Options& options) {
  if (options.text("steps").value_or("bound") == "bound") return std::nullopt;
  return static_cast<std::uint32_t>(*options.integer("steps", 1, std::numeric_limits<std::uint32_t>::max() / 2));
}

std::vector<std::string> read_outputs(const Options& options) {
  if (options.has("shard")) return {};
  auto outputs = options.texts("output");
  check_outputs(outputs);
  return outputs;
}

/// What all three kinds of work begin with.
struct Setting {
  const Options& options;
  const CommonOptions& common;
};

// What ranks of a job share, a clause before "shared out".
void tell_of_one_rank(std::string_view clause) {
  const auto* const member = job_member();
  if (member != nullptr && member->ranks() > 1)
    print_error(
        fmt::format("clopt exchange: {} shared out, so rank 0 of {} does all the work\n", clause, member->ranks()));
}

int verify(const Setting& setting) {
  refuse_together(setting.options, "verify", {"bound"});
  refuse_together(setting.options, "verify", options_of_a_search);
  const auto name = *setting.options.text("verify");
  const Stopwatch reading;
  std::ifstream file(name, std::ios::binary);
  const auto claimed = solver::read_schedule(file, name);
  auto faults = read_faults(setting.options);
  if (!setting.options.has("topology")) {
    faults.links.insert(faults.links.end(), claimed.without_links.begin(), claimed.without_links.end());
    faults.nodes.insert(faults.nodes.end(), claimed.without_nodes.begin(), claimed.without_nodes.end());
  }
  const auto seed = setting.options.has("seed") ? setting.common.seed : claimed.seed;
  const auto problem =
      solver::make_problem(read_topology(setting.options.text("topology").value_or(claimed.topology), seed, faults),
                           setting.options.text("pattern").value_or(claimed.pattern));
  const double read_seconds = reading.seconds();
  const Stopwatch checking;
  const auto violation = solver::check(problem, claimed);
  const double seconds = checking.seconds();
  if (setting.common.json) {
    auto object = result_head("exchange", find_devices({"openmp:0"}), "verify", seed);
    object["topology"] = problem.topology.name;
    object["pattern"] = problem.pattern;
    object["nodes"] = problem.topology.nodes;
    object["links"] = problem.topology.links.size();
    object["transfers"] = problem.transfers.size();
    object["steps"] = claimed.steps;
    object["valid"] = violation.empty();
    object["violation"] = violation;
    object["seconds"] = {{"total", seconds}, {"compute", seconds}, {"read", read_seconds}};
    object["checksum"] = hexadecimal(solver::checksum_of(claimed));
    object["version"] = version();
    print_json(object);
  } else if (violation.empty()) {
    print(fmt::format("valid: {} transfers in {} steps, none waits for another\n", problem.transfers.size(),
                      claimed.steps));
  } else {
    print(fmt::format("invalid: {}\n", violation));
  }
  return violation.empty() ? Status::done : Status::not_reached;
}

int find_bound(const Setting& setting, const solver::Problem& problem) {
  refuse_together(setting.options, "bound", options_of_a_search);
  tell_of_one_rank("only several --searches are");
  const Stopwatch computing;
  ProgressBar bar(setting.common.shows_progress());
  Watchdog watchdog(setting.common, {"exchange", "bound", true, {}});
  const auto control = watchdog.control(bar);
  const auto bound = solver::find_bound(problem, control);
  watchdog.end();
  bar.wipe();
  const double seconds = computing.seconds();
  if (setting.common.json) {
    auto object = result_head("exchange", find_devices({"openmp:0"}), "bound", setting.common.seed);
    add_problem(object, problem, bound);
    object["interrupted"] = control.stop.stop_requested();
    object["seconds"] = {{"total", seconds}, {"compute", seconds}};
    object["checksum"] = hexadecimal(solver::checksum_of(bound));
    object["version"] = version();
    print_json(object);
  } else {
    print(fmt::format("bound     {}\nnetwork   {} nodes, {} one-way links, {} transfers\ntime      {}\n",
                      bound_text(bound), problem.topology.nodes, problem.topology.links.size(),
                      problem.transfers.size(), readable_seconds(seconds)));
  }
  return control.stop.stop_requested() ? Status::interrupted : Status::done;
}

// The parameters by which a run can go on elsewhere; a topology from a file is kept whole, since the file may change.
Json parameters_of(const Options& options, const solver::Options& chosen, const solver::Problem& problem) {
  Json parameters{{"topology", problem.topology.name}, {"pattern", problem.pattern}};
  add_parameters(fields_of(chosen), parameters);
  parameters.erase("steps-are-bound");
  parameters.erase("steps");
  parameters["shard"] = options.has("shard") ? Json(*options.text("shard")) : Json(nullptr);
  for (const char* each : {"steps", "without-links", "without-nodes", "offload", "method"})
    if (const auto text = options.text(each)) parameters[each] = *text;
  if (problem.topology.nodes_line > 0)
    parameters["topology_file"] = {{"text", solver::write_topology(problem.topology)}};
  return parameters;
}

solver::Problem read_problem(const Options& options, const Resumption& resumed, const Faults& faults,
                             std::uint64_t seed) {
  const auto name = options.text("topology");
  if (!name)
    throw InvalidInput(
        fmt::format("no topology: give --topology one of {}, or a file", fmt::join(solver::topology_classes(), ", ")));
  const auto pattern = options.text("pattern").value_or("all-to-all");
  if (resumed.checkpoint) {
    const auto parameters = apps::parameters_of(*resumed.checkpoint);
    if (const auto kept = parameters.find("topology_file"); kept != parameters.end()) {
      if (!kept->is_object() || !kept->contains("text") || !(*kept)["text"].is_string())
        resumed.checkpoint->refuse("its topology is damaged");
      std::istringstream text((*kept)["text"].get<std::string>());
      return solver::make_problem(solver::read_topology(text, *name), pattern);
    }
  }
  return solver::make_problem(read_topology(*name, seed, faults), pattern);
}

/// What a search is given besides the solver's options.
struct Order {
  Setting setting;
  const solver::Problem& problem;
  const Faults& faults;
  const RunOptions& limits;
  const Resumption& resumed;
  const std::vector<std::string>& outputs;
  double read_seconds;
  std::optional<SliceOrder> slice;
};

/// What a search found, and by which devices.
struct Found {
  solver::Result result;
  std::vector<DeviceInfo> devices;
  double open_seconds = 0;
};

// \returns what went wrong, an empty text for what did not.
std::vector<std::string> write_files(const Order& order, const solver::Schedule& schedule) {
  std::vector<std::string> failures;
  failures.reserve(order.outputs.size() + 1);
  for (const auto& file : order.outputs)
    failures.push_back(write_output(file, order.problem, schedule, order.faults, order.setting.common.seed));
  if (order.limits.plot) failures.push_back(write_file(*order.limits.plot, picture_of(order.problem, schedule)));
  return failures;
}

/// The best schedule while a run goes on, and the lower bound of all.
struct KnownSchedule {
  std::uint64_t bound;
  solver::Schedule schedule;
};

// The report of a run that does not return. Its progress value is the number of conflicts.
RunDescription description_of(const Order& order, const solver::Options& chosen,
                              const LastReport<KnownSchedule>& known) {
  const bool wants_steps = chosen.steps || chosen.steps_are_bound || chosen.optimizer == "umda";
  RunDescription run{.solver = "exchange",
                     .method = chosen.optimizer,
                     .has_target = wants_steps || order.slice,
                     .best = [](const BestSoFar& told) {
                       return Json{{"conflicts", told.value}};
                     }};
  // A slice has a file of its own, which wants all of its searches.
  if (order.slice) return run;
  run.found = [&known]() -> std::optional<Json> {
    const auto best = known.get();
    if (!best) return std::nullopt;
    return Json{{"steps", best->schedule.steps}, {"lower_bound", best->bound}, {"conflicts", 0}};
  };
  run.save = [&order, &known] {
    const auto best = known.get();
    return best ? write_files(order, best->schedule) : std::vector<std::string>{};
  };
  return run;
}

Found carry_out(const Order& order, solver::Options chosen) {
  auto common = order.setting.common;
  const bool is_one = chosen.searches == 1 && chosen.islands == 1;
  if (is_one || order.limits.checkpoint || order.resumed.checkpoint)
    tell_of_one_rank(is_one ? "only several --searches or --islands are"
                            : "with --checkpoint or --resume, --searches and --islands are not");

  LastReport<KnownSchedule> known;
  chosen.found = [&known](const auto& bound, const auto& schedule) { known.keep({bound.steps, schedule}); };
  Watchdog watchdog(common, description_of(order, chosen, known));
  const Stopwatch opening;
  const auto infos = find_devices_of_rank(common);
  chosen.threads = common.device.threads;
  watchdog.set_devices(infos);
  if (chosen.optimizer == "umda" && chosen.offload == "device" && infos.size() > chosen.islands)
    throw InvalidInput(
        fmt::format("--offload device keeps a population on one device, and {} are given for {}; give fewer, more "
                    "--islands, or choose --offload host, which shares out the individuals",
                    infos.size(), chosen.islands));
  std::vector<std::shared_ptr<Device>> devices;
  devices.reserve(infos.size());
  for (const auto& info : infos) devices.push_back(open_listed_device(info, common.device));
  const double open_seconds = opening.seconds();

  ProgressBar bar(common.shows_progress());
  Found found{{}, infos, open_seconds};
  found.result = solver::solve(order.problem, chosen, devices, watchdog.control(bar));
  watchdog.end();
  bar.wipe();
  return found;
}

int search(const Order& order, solver::Options chosen) {
  const auto& [setting, problem, faults, limits, resumed, outputs, read_seconds, slice] = order;
  const auto& options = setting.options;
  const auto& common = setting.common;
  if (limits.checkpoint)
    chosen.checkpoint = std::make_shared<CheckpointWriter>(
        *limits.checkpoint, run_description(parameters_of(options, chosen, problem), limits_json(fields_of(chosen))));
  chosen.resume = resumed.checkpoint;
  chosen.steps_are_bound = options.text("steps") == "bound";

  if (slice) {
    const SliceReport report{"exchange",
                             "searches",
                             solver::identity(problem, chosen),
                             chosen.searches,
                             facts_of(problem, faults, common.seed),
                             common.seed,
                             common.json};
    const int status = do_slice(*slice, report, [&](const WorkRange& range) {
      chosen.range = range;
      auto found = carry_out(order, chosen);
      auto record = solver::pack(found.result);
      return SliceOutcome{std::move(found.result), std::move(record), std::move(found.devices), found.open_seconds};
    });
    return status_with_files(status, {chosen.checkpoint ? chosen.checkpoint->failure() : std::string()}, "exchange");
  }

  const auto [result, infos, open_seconds] = carry_out(order, chosen);
  auto failures = write_files(order, result.schedule);
  if (chosen.checkpoint) failures.push_back(chosen.checkpoint->failure());
  const Report report{problem, result, infos, common.seed, read_seconds, open_seconds};
  if (common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(result), failures, "exchange");
}

}  // namespace

std::string_view summary() { return "schedules without conflicts of messages on a wormhole network"; }

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  if (!given) return Status::done;
  if (given->has("verify")) return verify({*given, read_common_options(*given)});
  const auto resumed = resume(*given, "exchange");
  const auto& options = resumed.options;
  const auto common = read_common_options(options);
  const auto limits = read_run_options(options);
  const auto slice = read_slice_order(options, {{"plot", "a slice has no picture"}});
  auto chosen = read_options(options, common.seed);
  chosen.steps = read_steps(options);
  chosen.threads = common.device.threads;
  const auto outputs = read_outputs(options);
  const auto faults = read_faults(options);
  const Stopwatch reading;
  const auto problem = read_problem(options, resumed, faults, common.seed);
  const double read_seconds = reading.seconds();
  if (std::any_of(outputs.begin(), outputs.end(), [](const auto& file) { return file.ends_with(".anynet"); }))
    static_cast<void>(solver::to_anynet(problem.topology));  // refuses what the format cannot say, before any work

  const Setting setting{options, common};
  if (options.is_set("bound")) return find_bound(setting, problem);

  return search({setting, problem, faults, limits, resumed, outputs, read_seconds, slice}, std::move(chosen));
}

}  // namespace clopt::apps::exchange
