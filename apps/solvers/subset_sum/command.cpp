/// \file
/// `clopt subset-sum`.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>
#include <clopt/subset_sum.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include <commands/subcommand.hpp>
#include <frame/common_options.hpp>
#include <frame/progress_bar.hpp>
#include <frame/run_options.hpp>
#include <frame/watchdog.hpp>

namespace clopt::apps::subset_sum {
namespace {

namespace solver = clopt::subset_sum;

constexpr std::size_t indices_shown = 30;

OptionParser make_parser() {
  OptionParser parser(
      "subset-sum", "FILE --capacity C [OPTION...]\nclopt subset-sum --instance CLASS:N [OPTION...]",
      "Finds the subset of numbers with the largest sum that is at most a capacity, exactly.\n"
      "FILE holds the numbers, integers or decimals of either sign, with white space, commas or semicolons\n"
      "between them; `#` starts a comment; `-` is standard input.");
  parser.argument("FILE")
      .value("capacity", "C", "the largest sum that is allowed, such as 300 or 12.50; a negative one as --capacity=-5")
      .switch_("exactly", "ask for a subset with just this sum: exit status 0 with one, 4 without")
      .value("output", "FILE", "write the chosen numbers, a line each: index,number")
      .value("instance", "CLASS:N",
             fmt::format("draw an instance of N weights instead: {}; BOUND limits the weights, as 1000000 or 1e6",
                         fmt::join(solver::instance_classes(), ", ")))
      .value("method", "NAME", fmt::format("one of {} (default auto)", fmt::join(solver::methods(), ", ")))
      .choices(solver::methods())
      .value("barrier", "NAME", "how work-groups wait for each other in k2: xiao-feng (default) or cyclic")
      .choices({"xiao-feng", "cyclic"})
      .value("recovery", "NAME",
             "how k3 finds the subset again: table (4 bytes a capacity), checkpoints (3 bits), or auto (default), the "
             "cheaper one that fits")
      .choices({"auto", "table", "checkpoints"})
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

solver::Decimal capacity_of(const Options& options) {
  try {
    return solver::decimal_of(*options.text("capacity"));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--capacity: {}", error.what()));
  }
}

solver::Amounts read_amounts(const Options& options) {
  const auto capacity = capacity_of(options);
  const auto name = *options.text("FILE");
  if (name == "-") {
    std::ios::sync_with_stdio(false);
    return solver::read_amounts(std::cin, "standard input", capacity);
  }
  std::ifstream file(name, std::ios::binary);
  return solver::read_amounts(file, name, capacity);
}

/// What is solved: amounts that were read, or an instance that was drawn.
class Question {
 public:
  Question(const Options& options, std::uint64_t seed) {
    if (const auto drawn = options.text("instance")) {
      instance_ = solver::make_instance(*drawn, seed);
      amounts_.capacity = static_cast<std::int64_t>(instance_->capacity);
    } else {
      amounts_ = read_amounts(options);
    }
  }

  solver::AmountsResult solve(const solver::Options& options, Device& device, const RunControl& control) const {
    if (!instance_) return solver::solve(amounts_, options, device, control);
    solver::AmountsResult result;
    result.possible = true;
    result.run = solver::solve(*instance_, options, device, control);
    result.value = static_cast<std::int64_t>(result.run.value);
    result.indices = result.run.indices;
    return result;
  }

  std::size_t size() const { return instance_ ? instance_->weights.size() : amounts_.numbers.size(); }
  std::int64_t capacity() const { return amounts_.capacity; }
  std::int64_t number(std::size_t index) const {
    return instance_ ? static_cast<std::int64_t>(instance_->weights[index]) : amounts_.numbers[index];
  }
  /// In the unit of the file.
  std::string text_of(std::int64_t digits) const { return solver::text_of({digits, amounts_.decimals}); }
  std::uint64_t scale() const {
    std::uint64_t scale = 1;
    for (unsigned i = 0; i < amounts_.decimals; ++i) scale *= 10;
    return scale;
  }

 private:
  std::optional<solver::Instance> instance_;
  solver::Amounts amounts_;  // where an instance was drawn, its capacity only
};

std::string explanation_of(const solver::Result& run) {
  switch (run.proof) {
    case solver::Proof::everything_fits: return "optimal: " + run.reason;
    case solver::Proof::capacity_reached: return "optimal: the capacity is reached";
    case solver::Proof::divisor: return "optimal: no multiple of the weights' common divisor lies between";
    case solver::Proof::exhaustive: return "optimal: every sum that matters was considered";
    case solver::Proof::none: break;
  }
  return "not proven to be optimal";
}

/// What belongs to a run besides the solver's result.
struct Report {
  const Question& question;
  const solver::AmountsResult& answer;
  const DeviceInfo& device;
  bool exactly;
  double read_seconds;
  double open_seconds;

  bool is_reached() const { return answer.possible && answer.value == question.capacity(); }
};

Json to_json(const Report& report, std::uint64_t seed) {
  const auto& [question, answer, device, exactly, read_seconds, open_seconds] = report;
  const auto& run = answer.run;
  auto object = result_head("subset-sum", {device}, run.method, seed);
  object["solved_by"] = run.solved_by;
  object["n"] = question.size();
  object["capacity"] = question.capacity();
  object["scale"] = question.scale();
  object["possible"] = answer.possible;
  object["value"] = answer.possible ? Json(answer.value) : Json();
  object["value_text"] = answer.possible ? Json(question.text_of(answer.value)) : Json();
  object["reached"] = report.is_reached();
  object["optimal"] = run.optimal;
  object["proof"] = name_of(run.proof);
  object["reason"] = run.reason;
  if (!run.candidates.empty()) {
    object["candidates"] = Json::array();
    for (const auto& each : run.candidates)
      object["candidates"].push_back(
          {{"method", each.method}, {"seconds", each.seconds}, {"bytes", each.bytes}, {"fits", each.fits}});
  }
  object["interrupted"] = run.interrupted();
  object["indices"] = answer.indices;
  object["zeros"] = answer.zeros;
  object["capacities_swept"] = run.capacities_swept;
  object["launches"] = run.launches;
  object["recovery"] = run.recovery;
  object["recovery_bytes"] = run.recovery_bytes;
  object["seconds"] = {
      {"total", run.seconds.total}, {"compute", run.seconds.compute}, {"recovery", run.recovery_seconds},
      {"read", read_seconds},       {"open", open_seconds},           {"build", run.seconds.build}};
  object["checksum"] = hexadecimal(run.checksum);
  object["version"] = version();
  return object;
}

std::string value_line(const Report& report) {
  const auto& [question, answer, device, exactly, read_seconds, open_seconds] = report;
  const auto capacity = question.text_of(question.capacity());
  if (!answer.possible) return fmt::format("value     none: {}, {}\n", answer.run.reason, capacity);
  auto line =
      fmt::format("value     {} of {} ({})\n", question.text_of(answer.value), capacity, explanation_of(answer.run));
  if (exactly)
    line += fmt::format("exactly   {}\n", report.is_reached()  ? "yes"
                                          : answer.run.optimal ? "no subset has just this sum"
                                                               : "not decided; give it more time");
  return line;
}

std::string to_text(const Report& report) {
  const auto& [question, answer, device, exactly, read_seconds, open_seconds] = report;
  const auto& run = answer.run;
  const auto shown = std::min(answer.indices.size(), indices_shown);
  auto text = value_line(report);
  text +=
      fmt::format("subset    {} of {} numbers: {}", answer.indices.size(), question.size(),
                  fmt::join(answer.indices.begin(), answer.indices.begin() + static_cast<std::ptrdiff_t>(shown), " "));
  if (shown < answer.indices.size()) text += fmt::format(" ... ({} more: --json)", answer.indices.size() - shown);
  if (answer.zeros > 0) text += fmt::format("\nzeros     {} numbers, left out", answer.zeros);
  text += fmt::format("\nsolved by {} ({})\n", run.solved_by, run.reason);
  text += fmt::format("device    {} ({})\n", device.id, device.name);
  text +=
      fmt::format("time      {} ({} computing); reading {}, opening the device {}, building kernels {}\n",
                  readable_seconds(run.seconds.total), readable_seconds(run.seconds.compute),
                  readable_seconds(read_seconds), readable_seconds(open_seconds), readable_seconds(run.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(run.checksum));
  return text;
}

// \returns why it could not be written.
std::string write_chosen(const std::string& file, const Report& report) {
  std::string text;
  for (const auto index : report.answer.indices)
    text += fmt::format("{},{}\n", index, report.question.text_of(report.question.number(index)));
  return write_file(file, text);
}

int status_of(const Report& report) {
  const auto& run = report.answer.run;
  if (run.interrupted()) return Status::interrupted;
  if (report.exactly) return report.is_reached() ? Status::done : Status::not_reached;
  return run.optimal && report.answer.possible ? Status::done : Status::not_reached;
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
  const auto output = options->text("output");
  if (output) check_writable(*output);

  const Stopwatch reading;
  const Question question(*options, common.seed);
  const double read_seconds = reading.seconds();

  Watchdog watchdog(common, {"subset-sum", solver_options.method, true, {}});
  const auto chosen = find_one_device(common, "subset-sum");
  watchdog.set_devices({chosen});
  const Stopwatch opening;
  const auto device = open_listed_device(chosen, common.device);
  const double open_seconds = opening.seconds();

  ProgressBar bar(common.shows_progress());
  const auto answer = question.solve(solver_options, *device, watchdog.control(bar));
  watchdog.end();
  bar.wipe();

  const Report report{question, answer, device->info(), options->is_set("exactly"), read_seconds, open_seconds};
  const auto unwritten = output ? write_chosen(*output, report) : std::string();
  if (common.json)
    print_json(to_json(report, common.seed));
  else
    print(to_text(report));
  return status_with_files(status_of(report), {unwritten}, "subset-sum");
}

}  // namespace clopt::apps::subset_sum
