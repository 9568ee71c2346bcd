#include "objective_options.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <frame/files/number_file.hpp>
#include <frame/output/output.hpp>
#include "run_options.hpp"

namespace clopt::apps {
namespace {

// NAME=VALUE.
std::pair<std::string, std::string> split(const std::string& option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size())
    throw InvalidInput(fmt::format("--{} {}: give a name and a value, with '=' between them", option, printable(text)));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Json constants_of(const Options& options) {
  Json constants = Json::object();
  for (const auto& each : options.texts("constant")) {
    const auto [name, text] = split("constant", each);
    const auto value = number_in<double>(text);
    if (!value)
      throw InvalidInput(fmt::format("--constant {}: '{}' is not a finite number", printable(each), printable(text)));
    if (constants.contains(name)) throw InvalidInput(fmt::format("--constant {} is given twice", printable(name)));
    constants[name] = *value;
  }
  return constants;
}

Json tables_of(const Options& options) {
  Json tables = Json::object();
  for (const auto& each : options.texts("table")) {
    const auto [name, file] = split("table", each);
    if (tables.contains(name)) throw InvalidInput(fmt::format("--table {} is given twice", printable(name)));
    tables[name] = read_table(file);
  }
  return tables;
}

Objective complete(Objective objective, const Json& constants, const Json& tables) {
  for (const auto& [name, value] : constants.items()) objective.constant(name, value.get<double>());
  for (const auto& [name, values] : tables.items()) objective.table(name, values.get<std::vector<double>>());
  return objective;
}

ChosenObjective build(const Json& stored) {
  const auto& source = stored.at("objective_text");
  auto objective = Objective::from_text(source.at("text").get<std::string>(), source.at("name").get<std::string>());
  return {complete(std::move(objective), stored.at("constants"), stored.at("tables")), stored};
}

// What the text does not read may be misspelt.
void require_mentioned(const Objective& objective, std::string_view option, const Json& values) {
  for (const auto& [name, value] : values.items())
    if (!objective.mentions(name) && !objective.mentions(name + "_size"))
      throw InvalidInput(fmt::format("--{0} {1}: {2} does not name {1}; leave the option out, or correct the name",
                                     option, printable(name), printable(objective.name())));
}

ChosenObjective of_text(const Objective& objective, const Options& options) {
  Json stored{{"objective_text", {{"name", objective.name()}, {"text", objective.text()}}},
              {"constants", constants_of(options)},
              {"tables", tables_of(options)}};
  require_mentioned(objective, "constant", stored["constants"]);
  require_mentioned(objective, "table", stored["tables"]);
  return {complete(objective, stored["constants"], stored["tables"]), stored};
}

// What a checkpoint has of a text, or nothing where its objective has a name.
std::optional<Json> stored_text(const std::shared_ptr<const Checkpoint>& resumed) {
  if (!resumed) return std::nullopt;
  const auto parameters = parameters_of(*resumed);
  if (!parameters.contains("objective_text")) return std::nullopt;
  Json stored;
  for (const char* part : {"objective_text", "constants", "tables"}) {
    if (!parameters.contains(part)) resumed->refuse("it does not hold the whole objective");
    stored[part] = parameters.at(part);
  }
  return stored;
}

void check_same(const Json& given, const Json& stored, const Options& options, const Checkpoint& resumed) {
  const auto refuse = [&](std::string_view option) {
    resumed.refuse(
        fmt::format("its objective is not the one given by --{}; leave --{} out, or begin a new run", option, option));
  };
  if (given["objective_text"]["text"] != stored["objective_text"]["text"]) refuse("objective");
  if (options.has("constant") && given["constants"] != stored["constants"]) refuse("constant");
  if (options.has("table") && given["tables"] != stored["tables"]) refuse("table");
}

// The built-in objectives of a kind.
std::vector<std::string> names_of(std::optional<GeneKind> kind) {
  auto names = Objective::names();
  std::erase_if(names, [&](const std::string& name) { return kind && Objective::named(name).kind() != *kind; });
  return names;
}

bool is_file_of_text(const std::string& name) { return name.ends_with(".cl") || name.find('/') != name.npos; }

// An objective that there is, if of another kind, has a message of its own.
void require_known(const std::string& name, const std::string& more, std::optional<GeneKind> kind) {
  const auto all = Objective::names();
  if (is_file_of_text(name) || std::find(all.begin(), all.end(), name) != all.end()) return;
  auto names = names_of(kind);
  const auto listed = fmt::format("{}{}{}", fmt::join(names, ", "), more.empty() ? "" : ", ", more);
  for (const auto& name_of_more : names_in(more)) names.push_back(name_of_more);
  const auto colon = name.find(':');
  const auto similar = nearest(colon == name.npos ? name : name.substr(0, colon + 1), names);
  throw InvalidInput(fmt::format("there is no objective '{}'; the nearest is {}{}. There are {}, or a file FILE.cl",
                                 printable(name), similar, similar.ends_with(':') ? "FILE" : "", listed));
}

}  // namespace

void add_objective_options(OptionParser& parser, const std::string& usual, const std::string& more,
                           std::optional<GeneKind> kind) {
  auto names = names_of(kind);
  if (!more.empty()) names.push_back(more);
  parser.group("Problem")
      .value("objective", "NAME|FILE.cl",
             fmt::format("what is optimised: {}, or your own text in OpenCL C, see docs/objectives.md (default {}); {}",
                         fmt::join(names, ", "), usual, trust_in_texts))
      .offers(names)
      .values("constant", "NAME=VALUE", "a constant of the text; repeatable")
      .values("table", "NAME=FILE", "a table of the text: the numbers of a file; repeatable");
}

void refuse_text_options(const Options& options, const std::string& name) {
  for (const char* option : {"constant", "table"})
    if (options.has(option))
      throw InvalidInput(
          fmt::format("--{} requires your own text, and '{}' is built in; leave it out", option, printable(name)));
}

std::optional<std::string> read_goal(const Options& given, const std::vector<std::string>& goals,
                                     std::optional<double> optimum, const std::string& name) {
  auto goal = given.choice("goal", goals);
  if (!goal) return goal;
  if (given.has("target")) throw InvalidInput("--goal and --target contradict each other; give one");
  if (!optimum)
    throw InvalidInput(
        fmt::format("--goal {} needs an objective whose best value is known, and that of '{}' is not; give --target V",
                    *goal, printable(name)));
  return goal;
}

void warn_of_tables(const Objective& objective, std::uint64_t genes) {
  if (const auto warning = objective.warning_of_tables(genes); !warning.empty())
    print_error(fmt::format("clopt: warning: {}\n", warning));
}

ChosenObjective read_objective(const Options& options, const std::shared_ptr<const Checkpoint>& resumed,
                               const std::string& usual, const std::string& more, std::optional<GeneKind> kind) {
  const auto stored = stored_text(resumed);
  const auto name = options.text("objective");
  if (stored && !name) {
    auto chosen = build(*stored);
    auto given = *stored;
    if (options.has("constant")) given["constants"] = constants_of(options);
    if (options.has("table")) given["tables"] = tables_of(options);
    check_same(given, *stored, options, *resumed);
    return chosen;
  }
  require_known(name.value_or(usual), more, kind);
  const auto objective = Objective::find(name.value_or(usual));
  if (objective.is_builtin()) {
    if (stored) resumed->refuse(fmt::format("its objective is a text, not '{}'", objective.name()));
    refuse_text_options(options, objective.name());
    return {objective, Json{{"objective", objective.name()}}};
  }
  auto chosen = of_text(objective, options);
  if (const auto warning = chosen.objective.warning(); !warning.empty())
    print_error(fmt::format("clopt: warning: {}\n", warning));
  if (resumed && !stored) resumed->refuse("its objective is built in, not a text");
  if (stored) {
    check_same(chosen.parameters, *stored, options, *resumed);
    return build(*stored);
  }
  return chosen;
}

}  // namespace clopt::apps
