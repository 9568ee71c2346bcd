#include "run_options.hpp"

#include <clopt/detail/json_depth.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <frame/files/json_bytes.hpp>
#include "field_options.hpp"

namespace clopt::apps {
namespace {

FieldTable fields(RunOptions& run) {
  FieldTable table;
  table.group("Files", FieldEffect::output);
  table("checkpoint", &run.checkpoint)
      .file("FILE")
      .help("write the state of the run to FILE, at least once a second and at the end");
  table("resume", &run.resume)
      .file("FILE")
      .effect(FieldEffect::execution)
      .help("continue from a checkpoint: problem, seed, parameters, and limits not given are its own");
  table("statistics", &run.statistics).file("FILE.csv").help("write a row a generation");
  table("plot", &run.plot).file("FILE.svg").help("draw a picture of the run");
  table("plot_background", &run.plot_background)
      .choices({"white", "none"})
      .help("background of the picture; none: transparent");
  return table;
}

FieldTable certificate_fields(RunOptions& run) {
  FieldTable table;
  table.group("Files", FieldEffect::output);
  table("certificate", &run.certificate)
      .file("FILE")
      .help("write a proof of the answer, which tools/check-certificate verifies without clopt");
  return table;
}

// A number as it is typed, in any of its ways to be written, and whether a value that was kept is the same one.
bool is_same_number(const std::string& text, const Json& value) {
  const auto natural = number_in<std::uint64_t>(text);
  if (value.is_number_unsigned() && natural) return natural == value.get<std::uint64_t>();
  return number_in<double>(text) == value.get<double>();
}

bool agrees(const Options& given, const std::string& name, const Json& value) {
  const auto text = given.text(name).value();
  if (value.is_number()) return is_same_number(text, value);
  return text == value.get<std::string>();
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

bool is_option(const Json& value) { return value.is_string() || value.is_number(); }

const Json& part_of(const Json& description, const char* name, const Checkpoint& checkpoint) {
  const auto found = description.find(name);
  if (found == description.end() || !found->is_object())
    checkpoint.refuse("it does not name its run: another program wrote it");
  return *found;
}

Json description_of(const Checkpoint& checkpoint) {
  if (nests_deeply(checkpoint.parameters())) checkpoint.refuse("it does not name its run: another program wrote it");
  auto description = Json::parse(checkpoint.parameters(), nullptr, false);
  if (!description.is_object()) description = Json::object();
  change_texts(description, bytes_of);
  const auto& parameters = part_of(description, "parameters", checkpoint);
  part_of(description, "limits", checkpoint);
  // Version 0.1 kept this flag as a list.
  if (const auto polishes = parameters.value("polishes", Json());
      polishes.is_array() && polishes.size() == 1 && polishes[0].is_boolean())
    description["parameters"]["polish"] = polishes[0];
  return description;
}

}  // namespace

void add_run_options(OptionParser& parser, const std::vector<std::string>& without) {
  RunOptions usual;
  auto left_out = without;
  const bool has_plot = std::find(without.begin(), without.end(), "plot") == without.end();
  if (!has_plot) left_out.emplace_back("plot_background");
  parser.add(fields(usual), left_out);
  add_common_options(parser, has_plot);
}

void add_certificate_option(OptionParser& parser) {
  RunOptions usual;
  parser.add(certificate_fields(usual));
}

RunOptions read_run_options(const Options& options) {
  RunOptions run;
  read_fields(options, fields(run));
  read_fields(options, certificate_fields(run));
  if (options.has("plot-background") && run.plot.empty())
    throw InvalidInput(
        "--plot-background is of the picture that --plot names; give --plot FILE.svg too, or leave it out");
  return run;
}

Resumption resume(const Options& given, const std::string& solver) {
  Resumption result{nullptr, given};
  const auto file = given.text("resume");
  if (!file) return result;
  result.checkpoint = std::make_shared<const Checkpoint>(Checkpoint::read(*file, solver));
  const auto description = description_of(*result.checkpoint);
  const auto refuse = [&](const std::string& option, const std::string& own) {
    throw InvalidInput(
        fmt::format("--{} does not agree with the checkpoint '{}', whose run has {}; leave it out, or begin a new run "
                    "without --resume",
                    option, printable(*file), own));
  };
  for (const auto& [name, value] : description["parameters"].items()) {
    if (value.is_null() && given.has(name)) refuse(name, "none");
    if (value.is_boolean()) {
      const auto cleared = "no-" + name;
      const auto& own = value.get<bool>() ? name : cleared;
      const auto& other = value.get<bool>() ? cleared : name;
      if (given.has(other)) refuse(other, given.knows_switch(own) ? "--" + own : "none");
      if (given.knows_switch(own)) result.options.set_switch(own);
    }
    if (!is_option(value)) continue;
    // What was chosen then is chosen now.
    if (!given.has(name) || (value.is_string() && given.text(name) == "auto"))
      result.options.set(name, text_of(value));
    else if (!agrees(given, name, value))
      refuse(fmt::format("{} {}", name, printable(*given.text(name))), printable(text_of(value)));
  }
  for (const auto& [name, value] : description["limits"].items())
    if (!given.has(name) && is_option(value)) result.options.set(name, text_of(value));
  check_files(result.options);
  return result;
}

std::string run_description(const Json& parameters, const Json& limits) {
  Json description{{"parameters", parameters}, {"limits", limits}};
  change_texts(description, utf8_of);
  return description.dump();
}

Json parameters_of(const Checkpoint& checkpoint) { return description_of(checkpoint)["parameters"]; }

std::optional<std::uint64_t> resumed_generation(const std::shared_ptr<const Checkpoint>& checkpoint) {
  if (!checkpoint) return std::nullopt;
  return checkpoint->number<std::uint64_t>("generation");
}

}  // namespace clopt::apps
