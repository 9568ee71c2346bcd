/// \file
/// `clopt subset-sum`.
#include <clopt/cluster.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iostream>

#include <frame/run/solver_run.hpp>
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
      .group("Problem")
      .value("capacity", "C", "the largest sum that is allowed, such as 300 or 12.50; a negative one as --capacity=-5")
      .switch_("exactly", "ask for a subset with just this sum: exit status 0 with one, 4 without")
      .value("instance", "CLASS:N",
             fmt::format("draw an instance of N weights instead: {}; BOUND limits the weights, as 1000000 or 1e6",
                         fmt::join(solver::instance_classes(), ", ")))
      .add(fields(usual))
      .group("Files")
      .value("output", "FILE", "write the chosen numbers, a line each: index,number");
  add_certificate_option(parser);
  add_shard_option(parser, "work of meet-in-the-middle");
  add_common_options(parser);
  return parser;
}

solver::Options read_options(const Options& options) {
  solver::Options result;
  auto table = fields(result);
  table.check_needs(read_fields(options, table));
  return result;
}

void check_source(const Options& options) {
  if (options.has("plot")) throw InvalidInput("subset-sum has no picture to draw; leave --plot out");
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
  check_source(options);
  if (const auto drawn = options.text("instance")) return Question(solver::make_instance(*drawn, seed));
  return Question(read_amounts(options));
}

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(read_run_request("subset-sum", given)),
        options_(read_options(given)),
        exactly_(given.is_set("exactly")),
        question_(read_question(given, request().common.seed)),
        read_seconds_(reading_.seconds()) {
    question_.check(options_);
  }

 private:
  Json settings() const override { return settings_json(fields_of(options_)); }

  RunDescription description() const override { return {.method = options_.method, .has_target = true}; }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    return std::make_unique<Report>(question_, answer(devices, control), exactly_, request().common.seed,
                                    read_seconds_);
  }

  solver::AmountsResult answer(const Devices& devices, const RunControl& control) {
    constexpr const char* shared = "only meet-in-the-middle is";
    const bool may_share = options_.method == "auto" || options_.method == "meet-in-the-middle";
    if (!may_share) report_unshared(shared);
    options_.found = [this](std::int64_t value, const auto& indices) {
      keep_best(
          [this, value, indices] {
            return Json{{"value", value}, {"value_text", question_.text_of(value)}, {"indices", indices}};
          },
          [this, indices] {
            std::vector<std::string> failures;
            for (const auto& file : request().outputs) failures.push_back(write_chosen(file, question_, indices));
            return failures;
          });
    };
    auto answer = question_.solve(options_, devices, control);
    // What `auto` would choose was not known before.
    if (may_share && (!answer.run.cluster || !answer.run.cluster->alone.empty())) report_unshared(shared);
    return answer;
  }

  SliceReport slice_report() const override {
    const auto amounts = question_.amounts();
    return {.items = "parts of the sums",
            .identity = solver::identity(amounts, options_),
            .number_of_items = solver::meet_parts,
            .facts = {{"numbers", amounts.numbers},
                      {"capacity", amounts.capacity},
                      {"decimals", amounts.decimals},
                      {"exactly", exactly_},
                      {"seed", request().common.seed}}};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    options_.range = range;
    const auto part = answer(devices, control);
    return {part.run, solver::pack(part)};
  }

  solver::Options options_;
  bool exactly_;
  Stopwatch reading_;
  Question question_;
  double read_seconds_;
};

}  // namespace

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  return given ? Run(*given).run() : Status::done;
}

}  // namespace clopt::apps::subset_sum
