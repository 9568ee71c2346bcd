#include "options.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include <frame/output/output.hpp>

namespace clopt::apps {
namespace {

namespace po = boost::program_options;

constexpr std::size_t shown_characters = 60;

// How many letters must be inserted, removed or replaced (Levenshtein's distance).
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

// What --describe has of a field beside what it has of every option.
Json description_of(const Field& field) {
  Json description{{"type", field.type()}, {"group", field.group}, {"affects", name_of(field.effect)}};
  if (const auto range = field.range_text(); !range.empty()) description["range"] = range;
  if (!field.unit.empty()) description["unit"] = field.unit;
  if (!field.alias.empty()) description["alias"] = field.alias;
  if (!field.brief.empty()) description["brief"] = field.brief;
  if (field.need) description["needs"] = field.need->field;
  if (field.sweeps) description["sweeps"] = true;
  return description;
}

}  // namespace

std::string option_name(const Field& field) {
  auto name = field.name;
  std::replace(name.begin(), name.end(), '_', '-');
  const auto value = field.value();
  const auto* const flag = std::get_if<bool>(&value);
  return flag != nullptr && *flag ? "no-" + name : name;
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
    throw InvalidInput(fmt::format("--{} {}: give an integer from {} to {}", name, printable(*given), least, most));
  return number;
}

std::optional<double> Options::number(const std::string& name, double least, double most) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto number = number_in<double>(*given);
  // Minus zero is below 0, as a text with a sign is.
  if (!number || *number < least || *number > most || (least == 0 && std::signbit(*number))) {
    const auto what = least == -infinity            ? std::string("a finite number")
                      : most == infinity            ? fmt::format("a number from {} on", least)
                      : least == 0.0 && most == 1.0 ? std::string("a probability, a number from 0 to 1")
                                                    : fmt::format("a number from {} to {}", least, most);
    throw InvalidInput(fmt::format("--{} {}: give {}", name, printable(*given), what));
  }
  return number;
}

std::optional<std::string> Options::choice(const std::string& name, const std::vector<std::string>& choices) const {
  auto given = text(name);
  if (given && std::find(choices.begin(), choices.end(), *given) == choices.end())
    throw InvalidInput(fmt::format("--{} {}: choose one of {}{}", name, printable(*given), fmt::join(choices, ", "),
                                   nearest_text(*given, choices)));
  return given;
}

void Options::set(const std::string& name, const std::string& text) {
  values_.erase(name);
  values_.insert({name, po::variable_value(text, false)});
}

OptionParser::OptionParser(std::string subcommand, std::string usage, std::string text)
    : subcommand_(std::move(subcommand)), usage_(std::move(usage)), text_(std::move(text)) {}

OptionParser& OptionParser::value(const std::string& name, const std::string& value_name, const std::string& help) {
  shown_.add_options()(name.c_str(), po::value<std::string>()->value_name(value_name), help.c_str());
  list_.push_back({name, value_name, help, false, {}});
  return *this;
}

OptionParser& OptionParser::values(const std::string& name, const std::string& value_name, const std::string& help) {
  shown_.add_options()(name.c_str(), po::value<std::vector<std::string>>()->value_name(value_name), help.c_str());
  list_.push_back({name, value_name, help, true, {}});
  return *this;
}

OptionParser& OptionParser::choices(const std::vector<std::string>& values) {
  list_.back().choices = values;
  return *this;
}

OptionParser& OptionParser::add(const FieldTable& table, const std::vector<std::string>& without) {
  for (const auto& field : table) {
    const auto option = option_name(field);
    const bool is_left_out = std::find(without.begin(), without.end(), field.name) != without.end();
    if (!field.in_program || is_left_out || shown_.find_nothrow(option, false) != nullptr) continue;
    const auto usual = field.unset.empty() ? text_of(field.value()) : field.unset;
    auto help = field.help;
    const bool lists_choices = std::any_of(field.choices.begin(), field.choices.end(), [&](const auto& choice) {
      return help.find(choice) == help.npos && choice != usual;
    });
    if (lists_choices) help += fmt::format(": {}", fmt::join(field.choices, ", "));
    if (field.is_flag()) {
      switch_(option, help);
    } else {
      if (!usual.empty()) help += fmt::format(" (default: {})", usual);
      value(option, field.value_name, help);
      if (!usual.empty()) list_.back().usual = usual;
    }
    list_.back().choices = field.choices;
    list_.back().field = description_of(field);
    if (!field.alias.empty()) hidden(field.alias, field.is_flag());
  }
  return *this;
}

OptionParser& OptionParser::switch_(const std::string& name, const std::string& help) {
  shown_.add_options()(name.c_str(), po::bool_switch(), help.c_str());
  list_.push_back({name, {}, help, false, {}});
  return *this;
}

OptionParser& OptionParser::hidden(const std::string& name, bool is_switch) {
  if (is_switch)
    hidden_.add_options()(name.c_str(), po::bool_switch());
  else
    hidden_.add_options()(name.c_str(), po::value<std::string>());
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
  for (const auto& known : shown_.options()) names.push_back("--" + known->long_name());
  return fmt::format("there is no option {}{}. `clopt {} --help` lists them", printable(option),
                     nearest_text(option, names), subcommand_);
}

namespace {

std::vector<std::string>& parsed_option_names() {
  static std::vector<std::string> names;
  return names;
}

}  // namespace

std::string with_option_names(std::string_view message) {
  std::string result;
  while (true) {
    const auto begin = message.find('`');
    const auto end = begin == message.npos ? begin : message.find('`', begin + 1);
    if (end == message.npos) return result += message;
    auto name = std::string(message.substr(begin + 1, end - begin - 1));
    std::replace(name.begin(), name.end(), '_', '-');
    constexpr std::string_view off = " = false";
    if (name.ends_with(off)) name = "no-" + name.substr(0, name.size() - off.size());
    const auto& names = parsed_option_names();
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
  Json options = Json::array();
  for (const auto& each : list_) {
    const auto usual = each.field.is_null() ? default_in(each.help) : each.usual;
    options.push_back({{"name", each.name},
                       {"value", text_or_null(each.value_name)},
                       {"repeatable", each.repeatable},
                       {"default", usual ? Json(*usual) : Json()},
                       {"choices", each.choices},
                       {"help", each.help}});
    if (!each.field.is_null()) options.back().update(each.field);
  }
  options.push_back({{"name", "help"},
                     {"value", Json()},
                     {"repeatable", false},
                     {"default", Json()},
                     {"choices", Json::array()},
                     {"help", "print this help"}});
  return {{"name", subcommand_},
          {"usage", usage_},
          {"text", text_},
          {"argument", text_or_null(argument_)},
          {"options", std::move(options)}};
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
  po::options_description visible = shown_;
  visible.add_options()("help,h", po::bool_switch(), "print this help");
  po::options_description all;
  all.add(visible).add(hidden_).add_options()(positional_name.c_str(), po::value<std::vector<std::string>>());
  po::positional_options_description positionals;
  positionals.add(positional_name.c_str(), -1);

  parsed_option_names().clear();
  for (const auto& option : all.options())
    if (option->long_name() != positional_name) parsed_option_names().push_back(option->long_name());

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
    std::ostringstream list;
    list << visible;
    print(fmt::format("clopt {} {}\n\n{}\n\n{}", subcommand_, usage_, text_, list.str()));
    return std::nullopt;
  }
  const auto given = values.count(positional_name) ? values[positional_name].as<std::vector<std::string>>()
                                                   : std::vector<std::string>{};
  if (has_many_arguments_) return Options(std::move(values));
  if (const std::size_t most = argument_.empty() ? 0 : 1; given.size() > most)
    throw InvalidInput(fmt::format("'{}' is one argument too many; `clopt {}` takes {}", printable(given[most]),
                                   subcommand_, most == 0 ? "options only" : fmt::format("one {}", argument_)));
  if (!given.empty()) {
    values.erase(positional_name);
    values.insert({positional_name, po::variable_value(given.front(), false)});
  }
  if (options_wanted != nullptr) {
    *options_wanted = Options(std::move(values));
    return std::nullopt;
  }
  return Options(std::move(values));
}

}  // namespace clopt::apps
