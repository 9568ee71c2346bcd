#include "options.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <frame/output/output.hpp>
#include <frame/output/terminal.hpp>

namespace clopt::apps {
namespace {

namespace po = boost::program_options;

constexpr std::size_t shown_characters = 60;

// What --describe has of a field beside what it has of every option.
Json description_of(const Field& field) {
  Json description{{"type", field.type()}, {"affects", name_of(field.effect)}};
  if (const auto range = field.range_text(); !range.empty()) description["range"] = range;
  if (!field.unit.empty()) description["unit"] = field.unit;
  if (!field.alias.empty()) description["alias"] = field.alias;
  if (!field.brief.empty()) description["brief"] = field.brief;
  if (field.need && field.need->choices.empty())
    description["needs"] = {{"field", field.need->field}, {"least", field.need->least}};
  else if (field.need)
    description["needs"] = {{"field", field.need->field}, {"values", field.need->choices}};
  if (field.sweeps) description["sweeps"] = true;
  return description;
}

// Its default, in words; empty for none, and for a flag, whose name says it.
std::string usual_of(const Field& field) {
  if (!field.unset.empty()) return field.unset;
  return field.is_flag() ? "" : text_of(field.usual());
}

// What help says of a field: its choices or range, and its default.
std::string help_of(const Field& field) {
  std::vector<std::string> notes;
  if (!field.choices.empty()) notes.push_back(fmt::format("{}", fmt::join(field.choices, ", ")));
  // A longer range is of no use to a reader.
  constexpr double most_shown = 1e6;
  const double most = field.is_whole() ? static_cast<double>(field.whole_range.second) : field.real_range.second;
  if (const auto range = field.range_text(); !range.empty() && (most <= most_shown || std::isinf(most)))
    notes.push_back(range);
  if (const auto usual = usual_of(field); !usual.empty()) notes.push_back("default: " + usual);
  return notes.empty() ? field.help : fmt::format("{} ({})", field.help, fmt::join(notes, "; "));
}

// What an option does stands beside its name, below it where the name is long or lines are short.
std::string help_entry(std::string_view option, std::string_view help, std::size_t width) {
  const std::size_t column = width < 70 ? 8 : 30;
  const auto name = "  " + std::string(option.substr(0, option.find_last_not_of(' ') + 1));
  if (name.size() + 2 > column)
    return name + '\n' + wrapped(fmt::format("{:{}}{}", "", column, help), width, column) + '\n';
  return wrapped(fmt::format("{:<{}}{}", name, column, help), width, column) + '\n';
}

}  // namespace

std::string plain_option_name(const Field& field) {
  auto name = field.name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string option_name(const Field& field) {
  return (field.usual() == FieldValue(true) ? "no-" : "") + plain_option_name(field);
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    auto end = list.find(", ", begin);
    // Brackets explain a name.
    if (const auto bracket = list.find('(', begin); bracket < end) end = list.find(", ", list.find(')', bracket));
    end = std::min(end, list.size());
    const auto word = list.substr(begin, std::min(list.find(' ', begin), end) - begin);
    names.emplace_back(word.substr(0, word.find(':') == word.npos ? word.npos : word.find(':') + 1));
    begin = end + 2;
  }
  return names;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest(std::string_view text, const std::vector<std::string>& names) {
  // A comparison with a text of any length would take its time.
  text = text.substr(0, shown_characters);
  // The beginning of a name stands for that name.
  const auto far = [&](const std::string& name) {
    return std::pair(text.empty() || !name.starts_with(text), distance(text, name));
  };
  return *std::min_element(names.begin(), names.end(),
                           [&](const std::string& a, const std::string& b) { return far(a) < far(b); });
}

std::string nearest_text(std::string_view text, const std::vector<std::string>& names) {
  const auto name = nearest(text, names);
  text = text.substr(0, shown_characters);
  const bool is_meant = (!text.empty() && name.starts_with(text)) || 2 * distance(text, name) <= text.size();
  return is_meant ? fmt::format("; the nearest is {}", name) : "";
}

std::optional<std::string> Options::text(const std::string& name) const {
  if (!has(name)) return std::nullopt;
  return values_[name].as<std::string>();
}

std::vector<std::string> Options::texts(const std::string& name) const {
  if (!has(name)) return {};
  return values_[name].as<std::vector<std::string>>();
}

std::optional<std::uint64_t> Options::integer(const std::string& name, std::uint64_t least, std::uint64_t most) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto number = number_in<std::uint64_t>(*given);
  if (!number || *number < least || *number > most)
    throw InvalidInput(fmt::format("--{} is {}; give an integer from {} to {}", name, printable(*given), least, most));
  return number;
}

std::optional<std::string> Options::choice(const std::string& name, const std::vector<std::string>& choices) const {
  auto given = text(name);
  if (given && std::find(choices.begin(), choices.end(), *given) == choices.end())
    throw InvalidInput(fmt::format("there is no --{} '{}'; choose one of {}{}", name, printable(*given),
                                   fmt::join(choices, ", "), nearest_text(*given, choices)));
  return given;
}

void Options::set(const std::string& name, const std::string& text) {
  values_.erase(name);
  values_.insert({name, po::variable_value(text, false)});
}

void Options::set_switch(const std::string& name) {
  values_.erase(name);
  values_.insert({name, po::variable_value(true, false)});
}

OptionParser::OptionParser(std::string subcommand, std::string usage, std::string text)
    : subcommand_(std::move(subcommand)), usage_(std::move(usage)), text_(std::move(text)) {}

OptionParser& OptionParser::show(Shown option) {
  list_.push_back(std::move(option));
  return *this;
}

OptionParser& OptionParser::value(const std::string& name, const std::string& value_name, const std::string& help) {
  return show({name, value_name, help, false, group_});
}

OptionParser& OptionParser::values(const std::string& name, const std::string& value_name, const std::string& help) {
  return show({name, value_name, help, true, group_});
}

OptionParser& OptionParser::choices(const std::vector<std::string>& values) {
  list_.back().choices = values;
  return *this;
}

OptionParser& OptionParser::offers(const std::vector<std::string>& names) {
  auto& offered = list_.back().offers;
  offered = names_in(fmt::format("{}", fmt::join(names, ", ")));
  // What stands for a number, as in trapK, and the word before FILE.cl are no names.
  std::erase_if(offered, [](const std::string& name) { return name.ends_with('K') || name == "or"; });
  return *this;
}

OptionParser& OptionParser::add(const FieldTable& table, const std::vector<std::string>& without) {
  for (const auto& field : table) {
    const auto option = option_name(field);
    const bool is_left_out = std::find(without.begin(), without.end(), field.name) != without.end();
    if (!field.in_program || is_left_out || has(option)) continue;
    show({option,
          field.value_name,
          help_of(field),
          false,
          field.group,
          field.choices,
          {},
          std::nullopt,
          description_of(field)});
    if (const auto usual = usual_of(field); !usual.empty()) list_.back().usual = usual;
    if (field.is_flag() && field.is_optional())
      show(
          {"no-" + option, {}, fmt::format("do not --{}, even where that is the default", option), false, field.group});
    if (!field.alias.empty()) hidden(field.alias, field.is_flag());
  }
  return *this;
}

OptionParser& OptionParser::switch_(const std::string& name, const std::string& help) {
  return show({name, {}, help, false, group_});
}

OptionParser& OptionParser::group(const std::string& name) {
  group_ = name;
  return *this;
}

bool OptionParser::has(const std::string& name) const {
  return std::any_of(list_.begin(), list_.end(), [&](const Shown& each) { return each.name == name; });
}

std::vector<std::string> OptionParser::names() const {
  std::vector<std::string> names{"help"};
  for (const auto& each : list_) names.push_back(each.name);
  for (const auto& each : hidden_.options()) names.push_back(each->long_name());
  return names;
}

std::vector<FileOption> OptionParser::file_options() const {
  std::vector<FileOption> files;
  if (argument_.find("FILE") != argument_.npos) files.push_back({argument_, argument_, false});
  for (const auto& each : list_)
    if (each.value_name.find("FILE") != each.value_name.npos)
      files.push_back(
          {each.name, each.value_name, true, each.help.starts_with("write") || each.help.starts_with("draw")});
  return files;
}

std::vector<SweptOption> OptionParser::sweeps() const {
  std::vector<SweptOption> sweeps;
  for (const auto& each : list_)
    if (each.field.is_object() && each.field.contains("sweeps"))
      sweeps.push_back({each.name, each.field["type"] == "number"});
  return sweeps;
}

// A list for each group, in the order in which the groups begin.
std::string OptionParser::help(std::size_t width) const {
  std::vector<std::string> groups;
  for (const auto& each : list_)
    if (std::find(groups.begin(), groups.end(), each.group) == groups.end()) groups.push_back(each.group);
  if (groups.empty()) groups.push_back(group_);
  std::string text;
  const auto usage = fmt::format("clopt {} {}", subcommand_, usage_);
  for (std::size_t begin = 0, end = 0; begin < usage.size(); begin = end + 1) {
    end = std::min(usage.find('\n', begin), usage.size());
    text += wrapped(usage.substr(begin, end - begin), width, 6) + '\n';
  }
  text += '\n' + wrapped_paragraphs(text_, width);
  if (!examples_.empty()) text += "\nExamples:\n";
  for (const auto& each : examples_) text += wrapped("  " + each, width, 6) + '\n';
  const auto known = names();
  for (const auto& group : groups) {
    text += fmt::format("\n{}:\n", group);
    for (const auto& each : list_)
      if (each.group == group)
        text +=
            help_entry(fmt::format("--{} {}", each.name, each.value_name), with_option_names(each.help, known), width);
  }
  return text + help_entry("-h, --help", "print this help", width);
}

po::options_description OptionParser::readable() const {
  po::options_description all;
  for (const auto& each : list_) {
    const auto add = [&](auto* value) { all.add_options()(each.name.c_str(), value); };
    if (each.value_name.empty())
      add(po::bool_switch());
    else if (each.repeatable)
      add(po::value<std::vector<std::string>>());
    else
      add(po::value<std::string>());
  }
  all.add_options()("help,h", po::bool_switch());
  return all;
}

OptionParser& OptionParser::hidden(const std::string& name, bool is_switch) {
  if (is_switch)
    hidden_.add_options()(name.c_str(), po::bool_switch());
  else
    hidden_.add_options()(name.c_str(), po::value<std::string>());
  return *this;
}

OptionParser& OptionParser::example(const std::string& command) {
  examples_.push_back(fmt::format("clopt {}{}{}", subcommand_, command.empty() ? "" : " ", command));
  return *this;
}

OptionParser& OptionParser::argument(const std::string& name) {
  argument_ = name;
  return *this;
}

OptionParser& OptionParser::arguments(const std::string& name) {
  has_many_arguments_ = true;
  return argument(name);
}

std::string OptionParser::unknown(const std::string& option) const {
  if (option == "--shard") return "there is no work that can be divided into slices; leave --shard out";
  std::vector<std::string> names{"--help"};
  for (const auto& known : list_) names.push_back("--" + known.name);
  return fmt::format("there is no option {}{}. `clopt {} --help` lists them", printable(option),
                     nearest_text(option, names), subcommand_);
}

namespace {

std::vector<std::string>& parsed_option_names() {
  static std::vector<std::string> names;
  return names;
}

}  // namespace

std::string with_option_names(std::string_view message) { return with_option_names(message, parsed_option_names()); }

std::string with_option_names(std::string_view message, const std::vector<std::string>& names) {
  std::string result;
  while (true) {
    const auto begin = message.find('`');
    const auto end = begin == message.npos ? begin : message.find('`', begin + 1);
    if (end == message.npos) return result += message;
    auto name = std::string(message.substr(begin + 1, end - begin - 1));
    std::replace(name.begin(), name.end(), '_', '-');
    constexpr std::string_view off = " = false";
    if (name.ends_with(off)) name = "no-" + name.substr(0, name.size() - off.size());
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    result += message.substr(0, begin);
    result += known ? "--" + name : std::string(message.substr(begin, end + 1 - begin));
    message.remove_prefix(end + 1);
  }
}

namespace {

// Where the next parser describes itself; none: it reads its arguments.
nlohmann::ordered_json* description_wanted = nullptr;

// Where the next parser leaves what it has read; none: it returns it.
std::optional<Options>* options_wanted = nullptr;

// What a help text says of the default.
std::optional<std::string> default_in(const std::string& help) {
  constexpr std::string_view begin_of_default = "(default";
  const auto begin = help.find(begin_of_default);
  if (begin == help.npos) return std::nullopt;
  std::size_t at = begin + begin_of_default.size();
  if (at < help.size() && help[at] == ')') {
    // `X (default)`
    const auto end = help.find_last_not_of(' ', begin - 1);
    const auto space = help.find_last_of(" ,", end);
    const auto first = space == help.npos ? 0 : space + 1;
    return help.substr(first, end + 1 - first);
  }
  if (at < help.size() && help[at] == ':') ++at;
  at = help.find_first_not_of(' ', at);
  int depth = 1;
  for (auto end = at; end < help.size(); ++end) {
    depth += help[end] == '(' ? 1 : help[end] == ')' ? -1 : 0;
    if (depth == 0) return help.substr(at, end - at);
  }
  return std::nullopt;
}

}  // namespace

nlohmann::ordered_json OptionParser::describe() const {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  const auto known = names();
  Json options = Json::array();
  for (const auto& each : list_) {
    const auto usual = each.field.is_null() ? default_in(each.help) : each.usual;
    options.push_back({{"name", each.name},
                       {"value", text_or_null(each.value_name)},
                       {"repeatable", each.repeatable},
                       {"default", usual ? Json(with_option_names(*usual, known)) : Json()},
                       {"choices", each.choices},
                       {"offers", each.offers},
                       {"help", with_option_names(each.help, known)},
                       {"group", each.group}});
    if (!each.field.is_null()) options.back().update(each.field);
  }
  options.push_back({{"name", "help"},
                     {"value", Json()},
                     {"repeatable", false},
                     {"default", Json()},
                     {"choices", Json::array()},
                     {"offers", Json::array()},
                     {"help", "print this help"}});
  return {{"name", subcommand_},   {"usage", usage_},
          {"text", text_},         {"argument", text_or_null(argument_)},
          {"examples", examples_}, {"options", std::move(options)}};
}

nlohmann::ordered_json description_by(const std::function<void()>& call) {
  nlohmann::ordered_json description;
  description_wanted = &description;
  call();
  description_wanted = nullptr;
  return description;
}

std::optional<Options> options_by(const std::function<void()>& call) {
  std::optional<Options> options;
  options_wanted = &options;
  try {
    call();
  } catch (...) {
    options_wanted = nullptr;
    throw;
  }
  options_wanted = nullptr;
  return options;
}

std::optional<Options> OptionParser::parse(const std::vector<std::string>& arguments) const {
  if (description_wanted != nullptr) {
    *description_wanted = describe();
    return std::nullopt;
  }
  // Positional arguments become values of an option, which then has a name that no one can type.
  const std::string positional_name = argument_.empty() ? "(argument)" : argument_;
  po::options_description all;
  all.add(readable()).add(hidden_).add_options()(positional_name.c_str(), po::value<std::vector<std::string>>());
  po::positional_options_description positionals;
  positionals.add(positional_name.c_str(), -1);

  parsed_option_names() = names();

  po::variables_map values;
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const auto parsed = po::command_line_parser(arguments).options(all).positional(positionals).style(style).run();
    for (const auto& option : parsed.options)
      if (option.string_key == positional_name && option.position_key < 0)
        throw po::unknown_option("--" + positional_name);
    po::store(parsed, values);
  } catch (const po::unknown_option& error) {
    throw InvalidInput(unknown(error.get_option_name()));
  } catch (const po::error& error) {
    throw InvalidInput(fmt::format("{}; see `clopt {} --help`", printable(error.what(), 200), subcommand_));
  }

  if (values["help"].as<bool>()) {
    print(help(line_width(STDOUT_FILENO)));
    return std::nullopt;
  }
  const auto given = values.count(positional_name) ? values[positional_name].as<std::vector<std::string>>()
                                                   : std::vector<std::string>{};
  if (const std::size_t most = argument_.empty() ? 0 : 1; given.size() > most && !has_many_arguments_)
    throw InvalidInput(fmt::format("'{}' is one argument too many; `clopt {}` takes {}", printable(given[most]),
                                   subcommand_, most == 0 ? "options only" : fmt::format("one {}", argument_)));
  if (!given.empty() && !has_many_arguments_) {
    values.erase(positional_name);
    values.insert({positional_name, po::variable_value(given.front(), false)});
  }
  Options options(std::move(values), file_options(), sweeps());
  if (options_wanted != nullptr) {
    *options_wanted = std::move(options);
    return std::nullopt;
  }
  check_files(options);
  return options;
}

}  // namespace clopt::apps
