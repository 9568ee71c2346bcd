/// \file
/// `clopt subset-sum`.
#include <clopt/cluster.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <iostream>
#include <string_view>

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
      "Finds the subset of numbers with the largest sum that is at most a capacity, exactly. "
      "FILE holds the numbers, integers or decimals of either sign, with white space, semicolons, or commas beside "
      "white space between them; or it is a table, CSV with a heading. `#` starts a comment; `-` is standard input.");
  parser.argument("FILE")
      .example("invoices.txt --capacity 2192.97 --exactly --fewest --output chosen.csv --plot chosen.svg")
      .example("--instance half:10000")
      .group("Problem")
      .value("capacity", "C", "the largest sum that is allowed, such as 300 or 12.50; a negative one as --capacity=-5")
      .value("profits", "FILE",
             "0-1 knapsack: what the numbers bring, as many as there are in FILE; the most profit is found")
      .value("profit", "NAME", "likewise: the column that has the profits, of --profits or of FILE itself")
      .value("tolerance", "T", "--exactly, or with a sum that is at most T above or below")
      .value("column", "NAME", "of a FILE with a heading: the column that has the numbers")
      .value("label", "NAME", "likewise: a column that the answer repeats")
      .value("decimal", "CHAR", "what decimals follow in FILE: a comma (default: a point)")
      .value("thousands", "CHAR", "what stands between groups of digits in FILE: one of , . ' _ and a space")
      .value("separator", "CHAR", "what stands between numbers or columns in FILE: one of , ; | : / a space and a tab")
      .value("instance", "CLASS:N",
             fmt::format("draw an instance of N weights instead: {}; BOUND limits the weights, as 1000000 or 1e6",
                         fmt::join(solver::instance_classes(), ", ")))
      .add(fields(usual))
      .group("Files")
      .value(
          "output", "FILE",
          "write the chosen numbers, a line each: row,weight, the profit and the label; with `all` the subset before");
  add_certificate_option(parser);
  add_shard_option(parser, "work of meet-in-the-middle");
  add_run_options(parser, {"checkpoint", "resume", "statistics"});
  return parser;
}

solver::Options read_options(const Options& options) {
  solver::Options result;
  auto table = fields(result);
  table.check_needs(read_fields(options, table));
  result.exactly = result.exactly || options.has("tolerance");
  return result;
}

constexpr std::array of_file{"profits", "profit", "tolerance", "column", "label", "decimal", "thousands", "separator"};

void check_source(const Options& options) {
  const bool file = options.has("FILE");
  const bool drawn = options.has("instance");
  if (file && drawn) throw InvalidInput("FILE and --instance contradict each other; give one of them");
  if (!file && !drawn)
    throw InvalidInput("no weights: give a FILE (`-` is standard input) with --capacity C, or --instance CLASS:N");
  if (drawn && options.has("capacity"))
    throw InvalidInput("--instance draws its own capacity; leave --capacity out, or give a FILE");
  if (file && !options.has("capacity")) throw InvalidInput("FILE needs --capacity C, the largest sum that is allowed");
  const bool has_profits = options.has("profits") || options.has("profit");
  if (file && has_profits && *options.text("FILE") == "-" && options.text("profits").value_or("-") == "-")
    throw InvalidInput("standard input is read once: give numbers or profits by the name of a file");
  if (has_profits && options.has("shard")) throw InvalidInput("a knapsack cannot be divided; leave --shard out");
  for (const auto* each : of_file)
    if (drawn && options.has(each)) throw InvalidInput(fmt::format("--{} describes a FILE; leave it out", each));
}

solver::AmountsFormat format_of(const Options& options) {
  const auto text = [&](const auto* name) {
    const auto given = options.text(name);
    if (given && given->empty()) throw InvalidInput(fmt::format("--{} is empty; give a text, or leave it out", name));
    return given.value_or("");
  };
  return {text("column"), text("label"), text("decimal"), text("thousands"), text("separator")};
}

solver::Decimal decimal_option(const Options& options, const char* name, const solver::AmountsFormat& format) {
  try {
    return solver::decimal_of(*options.text(name), format);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--{}: {}", name, error.what()));
  }
}

solver::AmountsText read_file(const std::string& name, const solver::Decimal& capacity,
                              const solver::AmountsFormat& format, const solver::Decimal& tolerance = {}) {
  if (name == "-") {
    std::ios::sync_with_stdio(false);
    return solver::read_amounts(std::cin, "standard input", capacity, format, tolerance);
  }
  std::ifstream file(name, std::ios::binary);
  return solver::read_amounts(file, name, capacity, format, tolerance);
}

// The profits of a knapsack, in the same format as the numbers but for the column.
void read_profits(const Options& options, solver::AmountsFormat format, solver::Amounts& amounts) {
  const auto file = *options.text("FILE");
  const auto name = options.text("profits").value_or(file);
  format.column = options.text("profit").value_or("");
  if (options.has("profit") && format.column.empty())
    throw InvalidInput("--profit is empty; give a column's name, or leave it out");
  format.label.clear();
  const auto read = [&] {
    try {
      return read_file(name, {}, format).amounts;
    } catch (const InvalidInput& error) {
      std::string message = error.what();
      constexpr std::string_view column = "`column`";
      if (const auto place = message.find(column); place != std::string::npos)
        message.replace(place, column.size(), "`profit`");
      throw InvalidInput(message);
    }
  }();
  if (read.numbers.size() != amounts.numbers.size())
    throw InvalidInput(fmt::format("{} has {} profits, and {} has {} numbers; give one for each", name,
                                   read.numbers.size(), file, amounts.numbers.size()));
  amounts.profits = read.numbers;
  amounts.profit_decimals = read.decimals;
}

solver::AmountsText read_text(const Options& options) {
  const auto format = format_of(options);
  const auto capacity = decimal_option(options, "capacity", format);
  const auto tolerance = options.has("tolerance") ? decimal_option(options, "tolerance", format) : solver::Decimal();
  auto text = read_file(*options.text("FILE"), capacity, format, tolerance);
  if (options.has("profits") || options.has("profit")) read_profits(options, format, text.amounts);
  return text;
}

Question read_question(const Options& options, std::uint64_t seed) {
  check_source(options);
  if (const auto drawn = options.text("instance")) return Question(solver::make_instance(*drawn, seed));
  return Question(read_text(options));
}

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(read_run_request("subset-sum", given, {{"plot", "a slice has no picture"}})),
        options_(read_options(given)),
        question_(read_question(given, request().common.seed)),
        read_seconds_(reading_.seconds()) {
    question_.check(options_);
  }

 private:
  Json settings() const override { return settings_json(fields_of(options_)); }

  RunDescription description() const override { return {.method = options_.method, .has_target = true}; }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    return std::make_unique<Report>(question_, answer(devices, control), options_, request().common.seed,
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
            for (const auto& file : request().outputs)
              failures.push_back(write_chosen(file, question_, {indices}, false));
            return failures;
          });
    };
    auto answer = question_.solve(options_, devices, control);
    // What `auto` would choose was not known before.
    if (may_share && (!answer.run.cluster || !answer.run.cluster->alone.empty())) report_unshared(shared);
    return answer;
  }

  std::vector<std::string> finish_files(const RunReport& report) override {
    auto failures = SolverRun::finish_files(report);
    if (!request().files.plot.empty())
      failures.push_back(write_plot(request().files, static_cast<const Report&>(report).picture()));
    return failures;
  }

  SliceReport slice_report() const override {
    const auto amounts = question_.amounts();
    return {.items = "parts of the sums",
            .identity = solver::identity(amounts, options_),
            .number_of_items = solver::meet_parts,
            .facts = {{"numbers", amounts.numbers},
                      {"capacity", amounts.capacity},
                      {"decimals", amounts.decimals},
                      {"exactly", options_.exactly},
                      {"label", question_.label()},
                      {"labels", question_.labels()},
                      {"seed", request().common.seed}}};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    options_.range = range;
    const auto part = answer(devices, control);
    return {part.run, solver::pack(part)};
  }

  solver::Options options_;
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
