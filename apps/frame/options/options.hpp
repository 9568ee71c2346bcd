/// \file
/// Reading a subcommand's options, strictly: no abbreviations, no number with anything after it, nothing given twice.
#pragma once

#include <clopt/fields.hpp>

#include <nlohmann/json.hpp>

#include <boost/program_options.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "file_check.hpp"

namespace clopt::apps {

/// The name of the option of a field: group_size has --group-size. A flag that is set by default has the option
/// that clears it: --no-reduce.
std::string option_name(const Field& field);
/// The same without "no-": what checkpoints call the field.
std::string plain_option_name(const Field& field);

/// An option that may have a list of values, with a run for each.
struct SweptOption {
  std::string name;
  bool is_real = false;  ///< so that 0,5 may be meant as a decimal
};

/// The options that a subcommand was given, as texts.
class Options {
 public:
  /// \param files the options that may name files.
  /// \param sweeps the options that may have a list of values, with a run for each.
  explicit Options(boost::program_options::variables_map values, std::vector<FileOption> files = {},
                   std::vector<SweptOption> sweeps = {})
      : values_(std::move(values)), files_(std::move(files)), sweeps_(std::move(sweeps)) {}

  /// Whether an option was given.
  bool has(const std::string& name) const { return knows_switch(name) ? is_set(name) : values_.count(name) != 0; }
  /// Whether a switch was given.
  bool is_set(const std::string& name) const { return knows_switch(name) && values_[name].as<bool>(); }
  /// Whether there is a switch of a name.
  bool knows_switch(const std::string& name) const {
    return values_.count(name) != 0 && values_[name].value().type() == typeid(bool);
  }
  std::optional<std::string> text(const std::string& name) const;
  /// Whether an option that was given is one that may be repeated.
  bool is_list(const std::string& name) const {
    return values_[name].value().type() == typeid(std::vector<std::string>);
  }
  /// Every text of an option that may be repeated.
  std::vector<std::string> texts(const std::string& name) const;
  /// \throws InvalidInput where the text is not an integer from \p least to \p most, of digits only.
  std::optional<std::uint64_t> integer(const std::string& name, std::uint64_t least, std::uint64_t most) const;
  /// The text of an option that has few values. \throws InvalidInput where it is none of \p choices.
  std::optional<std::string> choice(const std::string& name, const std::vector<std::string>& choices) const;
  const std::vector<FileOption>& file_options() const { return files_; }
  const std::vector<SweptOption>& sweeps() const { return sweeps_; }
  /// Gives an option a value, as if it had been typed.
  void set(const std::string& name, const std::string& text);
  /// Takes an option back.
  void clear(const std::string& name) { values_.erase(name); }
  /// Gives a switch, likewise.
  void set_switch(const std::string& name);

 private:
  boost::program_options::variables_map values_;
  std::vector<FileOption> files_;
  std::vector<SweptOption> sweeps_;
};

/// Describes a subcommand and reads its arguments.
class OptionParser {
 public:
  /// \param usage what stands after the subcommand's name; \param text what it does, for its help: paragraphs, with
  /// empty lines between, and lines that begin with a space, which stay as they are.
  OptionParser(std::string subcommand, std::string usage, std::string text);

  /// An option with one value. A file (\p value_name has FILE in it) of an option whose \p help begins with "write" or
  /// "draw" is one that the run writes, and is checked as such; others are read.
  OptionParser& value(const std::string& name, const std::string& value_name, const std::string& help);
  /// An option with one value, which may be repeated.
  OptionParser& values(const std::string& name, const std::string& value_name, const std::string& help);
  /// The values that the last option to be added may have, for completions and tables: Options::choice() refuses
  /// others.
  OptionParser& choices(const std::vector<std::string>& values);
  /// Values that completions offer of the last option to be added, which may have others. \param names what they begin
  /// with: of `mesh:AxB` the part up to the colon is offered.
  OptionParser& offers(const std::vector<std::string>& names);
  /// An option for each field that the program shows, but those that the parser has already, and those named in
  /// \p without. \param table of the defaults.
  OptionParser& add(const FieldTable& table, const std::vector<std::string>& without = {});
  /// An option without a value.
  OptionParser& switch_(const std::string& name, const std::string& help);
  /// An option with one value, or none, that is known, but that help does not show: to refuse it with a reason, or
  /// since another one has replaced it.
  OptionParser& hidden(const std::string& name, bool is_switch = false);
  /// The heading in help of the options that follow and are no fields; a field's table has its own.
  OptionParser& group(const std::string& name);
  /// A command that help shows. \param command what stands behind the subcommand's name.
  OptionParser& example(const std::string& command);
  /// The one argument that is not an option; it may be left out.
  OptionParser& argument(const std::string& name);
  /// Any number of arguments that are not options, which Options::texts() gives.
  OptionParser& arguments(const std::string& name);

  /// \returns none where help was asked for, and printed; and within description_by(). \throws InvalidInput for
  /// anything unknown, and as check_files().
  std::optional<Options> parse(const std::vector<std::string>& arguments) const;

 private:
  /// An option as others than a parser see it.
  struct Shown {
    std::string name;
    std::string value_name;  ///< empty for a switch
    std::string help;        ///< with the members of fields in backquotes
    bool repeatable = false;
    std::string group;
    std::vector<std::string> choices = {};
    std::vector<std::string> offers = {};
    std::optional<std::string> usual = std::nullopt;  ///< the default; none: what `help` says
    nlohmann::ordered_json field = nullptr;           ///< what else is known of a field of a solver's options
  };

  OptionParser& show(Shown option);
  bool has(const std::string& name) const;
  boost::program_options::options_description readable() const;
  std::string help(std::size_t width) const;
  nlohmann::ordered_json describe() const;
  std::vector<FileOption> file_options() const;
  std::vector<SweptOption> sweeps() const;
  std::string unknown(const std::string& option) const;
  std::vector<std::string> names() const;

  std::vector<Shown> list_;
  std::string group_ = "Options";
  std::string subcommand_;
  std::string usage_;
  std::vector<std::string> examples_;
  std::string text_;
  std::string argument_;
  bool has_many_arguments_ = false;
  boost::program_options::options_description hidden_;
};

/// The description of the subcommand that \p call runs, whose parser then describes itself in place of reading
/// anything: name, usage, text, argument (or null), and options with name, value (or null), repeatable, default (or
/// null), choices and help, and examples. Defaults are what help says of them: `(default X)`, `(default: X)` or `X
/// (default)`.
nlohmann::ordered_json description_by(const std::function<void()>& call);

/// The options that the subcommand that \p call runs is given, which does nothing else; none where its parser prints
/// help, and where it has none.
std::optional<Options> options_by(const std::function<void()>& call);

/// A message of the library, whose fields of problem and options stand within backquotes, with the names of the options
/// that the last subcommand to be parsed has for them: `tournament_size` becomes --tournament-size. What is not an
/// option of it stays.
std::string with_option_names(std::string_view message);
/// The same with the options of \p names.
std::string with_option_names(std::string_view message, const std::vector<std::string>& names);

/// What a list such as "tour:FILE (CSV, TSPLIB), onemax" names: "tour:", "onemax".
std::vector<std::string> names_in(std::string_view list);

/// How many letters must be inserted, removed or replaced (Levenshtein's distance).
std::size_t distance(std::string_view a, std::string_view b);
/// The one of \p names that begins with \p text, else the one that differs from it by the fewest letters.
std::string nearest(std::string_view text, const std::vector<std::string>& names);
/// "; the nearest is NAME", where it is so near that it may have been meant; else empty.
std::string nearest_text(std::string_view text, const std::vector<std::string>& names);

}  // namespace clopt::apps
