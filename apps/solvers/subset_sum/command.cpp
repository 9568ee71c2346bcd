/// \file
/// `clopt subset-sum`.
#include <clopt/detail/files.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include <commands/subcommand.hpp>
#include <frame/options/common_options.hpp>
#include <frame/options/field_options.hpp>
#include <frame/options/mpi_job.hpp>
#include <frame/options/shard_options.hpp>
#include <frame/output/last_report.hpp>
#include <frame/output/progress_bar.hpp>
#include <frame/run/watchdog.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::subset_sum {
namespace {

namespace solver = clopt::subset_sum;

OptionParser make_parser() {
  solver::Options usual;
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
      .add(fields(usual));
  add_shard_option(parser, "work of meet-in-the-middle");
  add_common_options(parser);
  return parser;
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

Question read_question(const Options& options, std::uint64_t seed) {
  if (const auto drawn = options.text("instance")) return Question(solver::make_instance(*drawn, seed));
  return Question(read_amounts(options));
}

/// An answer, and the device that found it.
struct Found {
  solver::AmountsResult answer;
  DeviceInfo device;
  double open_seconds = 0;
};

void tell_of_one_rank() {
  const auto* const member = job_member();
  if (member != nullptr && member->ranks() > 1)
    print_error(
        fmt::format("clopt subset-sum: only meet-in-the-middle is shared out, so rank 0 of {} does all the work\n",
                    member->ranks()));
}

/// A subset that is known before a method has found the best one.
struct KnownSubset {
  std::int64_t value;
  std::vector<std::size_t> indices;
};

// What a run is ended with that does not return.
RunDescription description_of(const Question& question, const solver::Options& options,
                              const std::optional<std::string>& output, const LastReport<KnownSubset>& known) {
  return {.solver = "subset-sum",
          .method = options.method,
          .has_target = true,
          .save =
              [&] {
                const auto subset = known.get();
                return subset && output ? std::vector{write_chosen(*output, question, subset->indices)}
                                        : std::vector<std::string>{};
              },
          .found = [&]() -> std::optional<Json> {
            const auto subset = known.get();
            if (!subset) return std::nullopt;
            return Json{{"value", subset->value},
                        {"value_text", question.text_of(subset->value)},
                        {"indices", subset->indices}};
          }};
}

/// \param output where the chosen numbers of a run that does not return are written.
Found answer_of(const Question& question, solver::Options options, CommonOptions common,
                const std::optional<std::string>& output) {
  const bool may_share = options.method == "auto" || options.method == "meet-in-the-middle";
  if (!may_share) tell_of_one_rank();
  LastReport<KnownSubset> known;
  options.found = [&known](std::int64_t value, const auto& indices) { known.keep({value, indices}); };
  Watchdog watchdog(common, description_of(question, options, output, known));
  const auto chosen = the_only_one(find_devices_of_rank(common), "subset-sum");
  watchdog.set_devices({chosen});
  const Stopwatch opening;
  const auto device = open_listed_device(chosen, common.device);
  const double open_seconds = opening.seconds();
  ProgressBar bar(common.shows_progress());
  auto answer = question.solve(options, *device, watchdog.control(bar));
  watchdog.end();
  bar.wipe();
  // What `auto` would choose was not known before.
  if (may_share && (!answer.run.cluster || !answer.run.cluster->alone.empty())) tell_of_one_rank();
  return {std::move(answer), device->info(), open_seconds};
}

}  // namespace

std::string_view summary() { return "the subset with the largest sum that is at most a capacity"; }

int run(const Arguments& arguments) {
  const auto options = make_parser().parse(arguments);
  if (!options) return Status::done;
  const auto common = read_common_options(*options);
  solver::Options solver_options;
  auto table = fields(solver_options);
  std::vector<std::string> fields_given;
  read_fields(*options, table, fields_given);
  table.check_needs(fields_given);
  refuse_plot(*options, "subset-sum");
  check_source(*options);
  const auto slice = read_slice_order(*options);
  const auto output = slice ? std::nullopt : options->text("output");
  if (output) check_writable(*output);

  const Stopwatch reading;
  const auto question = read_question(*options, common.seed);
  const double read_seconds = reading.seconds();
  const bool exactly = options->is_set("exactly");
  if (slice) {
    const SliceReport report{"subset-sum",
                             "parts of the sums",
                             solver::identity(question.amounts(), solver_options),
                             solver::meet_parts,
                             facts_of(question, exactly, common.seed),
                             common.seed,
                             common.json};
    return do_slice(*slice, report, [&](const WorkRange& range) {
      solver_options.range = range;
      auto found = answer_of(question, solver_options, common, output);
      return SliceOutcome{found.answer.run, solver::pack(found.answer), {found.device}, found.open_seconds};
    });
  }
  const auto found = answer_of(question, solver_options, common, output);
  return tell({question, found.answer, {found.device}, exactly, common.seed, read_seconds, found.open_seconds},
              common.json, output, "subset-sum");
}

}  // namespace clopt::apps::subset_sum
