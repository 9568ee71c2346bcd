/// \file
/// `clopt exchange`.
#include <clopt/detail/files.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <limits>
#include <sstream>

#include <frame/options/mpi_job.hpp>
#include <frame/run/solver_run.hpp>
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
      "no "
      "two messages of a step use the same one-way link. The topology's FILE holds `nodes N`, `link A B` (both ways), "
      "`arc A B` (one "
      "way), each with a third number for parallel channels, and `role A sender|receiver|router`, a statement a line; "
      "`#` starts a comment. "
      "--generations stops umda at once, the others after the launches or the packing that they have begun.");
  parser.example("--topology torus:4x4 --output schedule.json")
      .example("--verify schedule.json")
      .example("--topology dgx-1.txt --output schedule.xml --plot schedule.svg")
      .group("Problem")
      .value("topology", "CLASS:SIZE|FILE", fmt::format("{}, or a file", fmt::join(solver::topology_classes(), ", ")))
      .offers(solver::topology_classes())
      .value("without-links", "A-B[,...]", "links that are broken, both ways")
      .value("without-nodes", "A[,...]", "nodes that are broken")
      .value("pattern", "NAME|demand:FILE",
             fmt::format("one of {} (default all-to-all)", fmt::join(solver::pattern_classes(), ", ")))
      .offers(solver::pattern_classes())
      .add(fields(usual))
      .group("Files")
      .values("output", "FILE", "write the schedule as .json or as .xml (MSCCL), the topology as .anynet (BookSim)")
      .value("format", "NAME",
             "what .json files hold: schedule, which --verify reads, or mscclpp, a plan for MSCCL++ (default schedule)")
      .offers({"schedule", "mscclpp"})
      .value("verify", "FILE.json", "only check a schedule; the topology is the file's, or the one given")
      .group("Search")
      .switch_("bound", "only find the bound and its certificate");
  add_shard_option(parser.group("Files"), "--searches");
  add_certificate_option(parser);
  add_run_options(parser, {"statistics"});
  return parser;
}

const std::vector<std::string> options_of_a_search{
    "output",     "plot",     "checkpoint",  "resume",        "steps",      "optimizer",      "offload", "method",
    "population", "queues",   "islands",     "migrate-every", "tournament", "mutations",      "tries",   "symmetries",
    "replicas",   "searches", "generations", "shard",         "format",     "plot-background"};

void refuse_together(const Options& options, const std::string& one, const std::vector<std::string>& others) {
  for (const auto& other : others)
    if (options.has(other))
      throw InvalidInput(fmt::format("--{} and --{} contradict each other; give one of them", one, other));
}

// `bound` is known only once the bound is; until then only whether --steps is right is of interest.
std::optional<std::uint32_t> read_steps(const Options& options) {
  if (options.text("steps").value_or("bound") == "bound") return std::nullopt;
  return static_cast<std::uint32_t>(*options.integer("steps", 1, std::numeric_limits<std::uint32_t>::max() / 2));
}

solver::Options read_options(const Options& options) {
  solver::Options result;
  auto table = fields(result);
  table.check_needs(read_fields(options, table, {"steps"}));
  if (result.offload == "device" && (options.has("queues") || result.method == "pairs"))
    throw InvalidInput(
        fmt::format("--{} belongs to --offload host: a device that does all counts links, in one queue; "
                    "leave one of them out",
                    options.has("queues") ? "queues" : "method pairs"));
  result.steps = read_steps(options);
  result.steps_are_bound = options.text("steps") == "bound";
  return result;
}

JsonForm read_form(const Options& options, const std::vector<std::string>& outputs) {
  const auto text = options.text("format").value_or("schedule");
  if (text == "schedule") return JsonForm::schedule;
  if (text != "mscclpp") throw InvalidInput(fmt::format("--format {}: give schedule or mscclpp", printable(text)));
  if (std::none_of(outputs.begin(), outputs.end(), [](const auto& file) { return file.ends_with(".json"); }))
    throw InvalidInput("--format mscclpp is of a file called .json, and no --output is; give one");
  return JsonForm::mscclpp;
}

int verify(const Options& options) {
  const auto common = read_common_options(options);
  refuse_together(options, "verify", {"bound", "certificate"});
  refuse_together(options, "verify", options_of_a_search);
  const auto name = *options.text("verify");
  const Stopwatch reading;
  std::ifstream file(name, std::ios::binary);
  const auto claimed = solver::read_schedule(file, name);
  auto faults = read_faults(options);
  if (!options.has("topology")) {
    faults.links.insert(faults.links.end(), claimed.without_links.begin(), claimed.without_links.end());
    faults.nodes.insert(faults.nodes.end(), claimed.without_nodes.begin(), claimed.without_nodes.end());
  }
  const auto seed = options.has("seed") ? common.seed : claimed.seed;
  const auto given = options.text("topology");
  auto topology =
      given ? read_topology(*given, seed, faults) : read_topology(claimed.topology, seed, faults, claimed.network);
  const auto pattern = options.text("pattern");
  if (!pattern && solver::has_demands(claimed.pattern) && claimed.demands.empty())
    throw InvalidInput(
        fmt::format("{}: its pattern is '{}', and it has no 'demands'; give them by --pattern demand:FILE",
                    printable(name), printable(claimed.pattern)));
  const auto problem = !pattern && !claimed.demands.empty()
                           ? solver::make_problem(std::move(topology), claimed.pattern, claimed.demands)
                           : problem_of(std::move(topology), pattern.value_or(claimed.pattern));
  const double read_seconds = reading.seconds();
  const Stopwatch checking;
  const auto violation = solver::check(problem, claimed);
  const double seconds = checking.seconds();
  if (common.json) {
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

int find_bound(const RunRequest& request, const solver::Problem& problem) {
  const auto& common = request.common;
  refuse_together(request.given, "bound", options_of_a_search);
  report_unshared("exchange", "only several --searches are");
  const Stopwatch computing;
  ProgressBar bar(common.shows_progress());
  Watchdog watchdog(common, {"exchange", "bound", true, {}});
  const auto control = watchdog.control(bar);
  const auto bound = solver::find_bound(problem, control);
  watchdog.end();
  bar.wipe();
  const double seconds = computing.seconds();
  if (common.json) {
    auto object = result_head("exchange", find_devices({"openmp:0"}), "bound", common.seed);
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
  int status = control.stop.stop_requested() ? Status::interrupted : Status::done;
  std::vector<std::string> failures;
  if (const auto& file = request.files.certificate; !file.empty())
    status = write_certificate(file, certify(problem, bound), "exchange", status, failures);
  return status_with_files(status, failures, "exchange");
}

// The parameters by which a run can be resumed elsewhere; a topology and demands from files are kept whole, since the
// files may change.
Json parameters_of(const Options& options, const solver::Options& chosen, const solver::Problem& problem) {
  Json parameters{{"topology", problem.topology.name}, {"pattern", problem.pattern}};
  add_parameters(fields_of(chosen), parameters);
  parameters.erase("steps");
  parameters["shard"] = options.has("shard") ? Json(*options.text("shard")) : Json(nullptr);
  for (const char* each : {"steps", "without-links", "without-nodes", "offload", "method"})
    if (const auto text = options.text(each)) parameters[each] = *text;
  if (problem.topology.nodes_line > 0)
    parameters["topology_file"] = {{"text", solver::write_topology(problem.topology)}};
  if (solver::has_demands(problem.pattern)) parameters["demands"] = solver::write_demands(solver::demands_of(problem));
  return parameters;
}

solver::Problem read_problem(const RunRequest& request, const Faults& faults) {
  const auto& options = request.options;
  const auto name = options.text("topology");
  if (!name)
    throw InvalidInput(
        fmt::format("no topology: give --topology one of {}, or a file", fmt::join(solver::topology_classes(), ", ")));
  const auto pattern = options.text("pattern").value_or("all-to-all");
  const auto parameters = request.resumed ? apps::parameters_of(*request.resumed) : Json::object();
  auto topology = [&] {
    const auto kept = parameters.find("topology_file");
    if (kept == parameters.end()) return read_topology(*name, request.common.seed, faults);
    if (!kept->is_object() || !kept->contains("text") || !(*kept)["text"].is_string())
      request.resumed->refuse("its topology is damaged");
    std::istringstream text((*kept)["text"].get<std::string>());
    return solver::read_topology(text, *name);
  }();
  const auto demands = parameters.value("demands", Json(""));
  if (!demands.is_string()) request.resumed->refuse("its demands are damaged");
  return problem_of(std::move(topology), pattern, demands.get<std::string>());
}

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(read_run_request("exchange", given, {{"plot", "a slice has no picture"}})),
        options_(read_options(request().options)),
        faults_(read_faults(request().options)),
        problem_(read_problem(request(), faults_)),
        read_seconds_(reading_.seconds()) {
    solver::check(problem_, options_);
    check_outputs(request().outputs);
    form_ = read_form(request().options, request().outputs);
    // What the format cannot say is refused before any work.
    for (const auto& file : request().outputs)
      if (file.ends_with(".anynet")) static_cast<void>(solver::to_anynet(problem_.topology));
  }

  /// Searches, or finds the bound alone.
  int run_or_bound() { return request().options.is_set("bound") ? find_bound(request(), problem_) : run(); }

 private:
  Json settings() const override {
    auto settings = settings_json(fields_of(options_));
    if (options_.steps_are_bound || (!options_.steps && options_.optimizer == "umda")) settings["steps"] = "bound";
    return settings;
  }

  // Progress shows the number of conflicts.
  RunDescription description() const override {
    const bool wants_steps = options_.steps || options_.steps_are_bound || options_.optimizer == "umda";
    return {
        .method = options_.optimizer, .has_target = wants_steps || request().slice, .best = [](const BestSoFar& best) {
          return Json{{"conflicts", best.value}};
        }};
  }

  void begin_files(RunFiles& files) override {
    files.begin_checkpoint(parameters_of(request().options, options_, problem_), fields_of(options_));
    options_.checkpoint = files.checkpoint();
    options_.resume = request().resumed;
  }

  void check_devices(const std::vector<DeviceInfo>& found) const override {
    if (options_.optimizer == "umda" && options_.offload == "device" && found.size() > options_.islands)
      throw InvalidInput(
          fmt::format("--offload device keeps a population on one device, and {} are given for {}; give fewer, more "
                      "--islands, or choose --offload host, which shares out the individuals",
                      found.size(), options_.islands));
  }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    return std::make_unique<Report>(problem_, search(devices, control), faults_, request().common.seed, read_seconds_);
  }

  solver::Result search(const Devices& devices, const RunControl& control) {
    if (options_.searches == 1 && options_.islands == 1)
      report_unshared("only several --searches or --islands are");
    else if (options_.checkpoint || options_.resume)
      report_unshared("with --checkpoint or --resume, --searches and --islands are not");
    options_.threads = request().common.device.threads;  // in a job, this rank's share
    options_.found = [this](const auto& bound, const auto& schedule) {
      keep_best(
          [steps = schedule.steps, bound = bound.steps] {
            return Json{{"steps", steps}, {"lower_bound", bound}, {"conflicts", 0}};
          },
          [this, schedule] { return write_schedule(schedule); });
    };
    return solver::solve(problem_, options_, devices, control);
  }

  std::vector<std::string> write_schedule(const solver::Schedule& schedule) const {
    std::vector<std::string> failures;
    for (const auto& file : request().outputs)
      failures.push_back(write_output(file, problem_, schedule, faults_, request().common.seed, form_));
    if (const auto& files = request().files; !files.plot.empty())
      failures.push_back(write_plot(files, picture_of(problem_, schedule)));
    return failures;
  }

  std::vector<std::string> finish_files(const RunReport& report) override {
    const auto& schedule = static_cast<const Report&>(report).result().schedule;
    auto failures = write_schedule(schedule);
    for (const auto& file : request().outputs) report_limits(file, problem_, schedule, form_);
    for (auto& failure : files().finish()) failures.push_back(std::move(failure));
    return failures;
  }

  SliceReport slice_report() const override {
    return {.items = "searches",
            .identity = solver::identity(problem_, options_),
            .number_of_items = options_.searches,
            .facts = facts_of(problem_, faults_, request().common.seed)};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    options_.range = range;
    const auto result = search(devices, control);
    return {result, solver::pack(result)};
  }

  solver::Options options_;
  Faults faults_;
  Stopwatch reading_;
  solver::Problem problem_;
  double read_seconds_;
  JsonForm form_ = JsonForm::schedule;
};

}  // namespace

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  if (!given) return Status::done;
  return given->has("verify") ? verify(*given) : Run(*given).run_or_bound();
}

}  // namespace clopt::apps::exchange
