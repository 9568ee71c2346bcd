/// \file
/// `clopt merge`.
#include <clopt/error.hpp>
#include <clopt/shard.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <frame/options/common_options.hpp>
#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>
#include "subcommand.hpp"

namespace clopt::apps {

void MergeOrder::require_one_output(std::string_view why) const {
  if (outputs.size() > 1) throw InvalidInput(fmt::format("{}; give one --output", why));
}

namespace merge {
namespace {

SliceSet read_slices(const std::vector<std::string>& files) {
  SliceSet set;
  for (const auto& file : files) set.add(read_slice(file), file);
  return set;
}

const Solver& solver_of(const Slice& slice, const std::string& file) {
  const auto& name = slice.identity.solver();
  for (const auto& solver : solvers())
    if (solver.name == name && solver.merge != nullptr) return solver;
  throw InvalidInput(fmt::format("the slice '{}' is of {}, which this clopt cannot merge; use the one that wrote it",
                                 printable(file), printable(name)));
}

int report_missing(const SliceSet& set, const std::vector<std::uint64_t>& missing) {
  const auto count = set.slices().front().shard.count;
  print_error(fmt::format("clopt merge: {} of {} slices {} missing: {}; run {} by --shard {}/{}{}, then merge all\n",
                          missing.size(), count, missing.size() == 1 ? "is" : "are", list_of_numbers(missing),
                          missing.size() == 1 ? "it" : "them", missing.front(), count,
                          missing.size() == 1 ? "" : " and so on"));
  return Status::not_reached;
}

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser(
      "merge", "FILE... [OPTION...]",
      "Makes the result of a whole run of its slices, which --shard wrote, in any order: it prints what "
      "the run without --shard prints, but for times and devices, which are those of all slices.");
  parser.arguments("FILE")
      .example("one.slice two.slice --output all.csv")
      .values("output", "FILE", "write what --output of the run without --shard writes")
      .value("output-population", "FILE.csv", "write the last population, of slices of genetic");
  add_certificate_option(parser);
  add_output_options(parser);
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto files = options->texts("FILE");
  if (files.empty()) throw InvalidInput("name the files of all slices: `clopt merge FILE...`");
  const auto outputs = options->texts("output");
  const auto certificate = options->text("certificate");
  auto set = read_slices(files);
  const auto& solver = solver_of(set.slices().front(), files.front());
  if (const auto missing = set.missing(); !missing.empty()) return report_missing(set, missing);
  auto common = merged_report(set.slices());
  const auto population = options->text("output-population");
  const auto report = solver.merge({set.slices(), std::move(common.facts), outputs, population.has_value()});
  report->outputs = outputs;
  report->devices = std::move(common.devices);
  // Of several runs the report knows the whole's.
  if (report->seconds.total == 0) report->seconds = report->result().seconds;
  report->seconds.open += common.open_seconds;
  report->seconds.add_up();
  if (!common.settings.is_null()) report->settings = std::move(common.settings);
  std::vector<std::string> failures(outputs.size());
  std::transform(outputs.begin(), outputs.end(), failures.begin(),
                 [&](const auto& file) { return report->write(file); });
  if (population) failures.push_back(report->write_population(*population));
  auto status = report->exit_status();
  if (certificate) status = write_certificate(*certificate, report->certificate(), "merge", status, failures);
  report->print(options->is_set("json"));
  return status_with_files(status, failures, "merge");
}

}  // namespace merge
}  // namespace clopt::apps
