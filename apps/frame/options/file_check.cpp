#include "file_check.hpp"

#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <frame/output/output.hpp>
#include "options.hpp"

namespace clopt::apps {
namespace {

constexpr std::array written_options{"certificate", "checkpoint", "covariance", "model",
                                     "output",      "plot",       "statistics"};

/// A file of the run, and what names it.
struct RunFile {
  std::string option;
  std::string text;
  bool is_written = false;
  FilePlace place = {};
};

// What an option's text may name: TEXT, NAME=FILE, or KIND:FILE.
std::vector<std::string> names_in(const FileOption& option, const std::string& text) {
  const auto& value = option.value_name;
  if (value.starts_with("NAME=")) return {text.substr(text.find('=') + 1)};
  if (value.find('|') == value.npos) return {text};
  const auto colon = text.find(':');
  std::vector<std::string> names;
  // A name without any of these is built in, and a word that the value's name has is not a file's.
  const bool is_word = value.ends_with("|" + text);
  const bool is_built_in = value.starts_with("NAME") && text.find_first_of("/.:") == text.npos;
  if (!is_word && !is_built_in) names.push_back(text);
  if (colon != text.npos) names.push_back(text.substr(colon + 1));
  return names;
}

std::vector<RunFile> files_in(const Options& options) {
  std::vector<RunFile> files;
  bool reads_input = false;
  for (const auto& option : options.file_options()) {
    // A text is read: fit's --model.
    const bool is_written =
        std::find(written_options.begin(), written_options.end(), option.name) != written_options.end() &&
        !option.value_name.ends_with(".cl");
    for (const auto& text : files_of(options, option.name)) {
      if (!option.is_option && text == "-") {
        reads_input = true;
        continue;
      }
      for (const auto& name : names_in(option, text)) {
        if (name.empty() && !is_written) continue;
        files.push_back({(option.is_option ? "--" : "") + option.name, name, is_written, place_of(name)});
      }
    }
  }
  if (reads_input) files.push_back({"standard input", "-", false, place_of("/dev/fd/0")});
  files.push_back({"standard output", "-", true, place_of("/dev/fd/1")});
  files.push_back({"standard error", "-", true, place_of("/dev/fd/2")});
  return files;
}

// Whether writing one file loses what the other one has, or gets.
bool collide(const RunFile& a, const RunFile& b) {
  if (!a.is_written && !b.is_written) return false;
  if (a.place.identity != b.place.identity) return false;
  if (a.option == "--checkpoint" && b.option == "--resume") return false;
  // A stream is written on, whatever else is. A pipe's reader ends with its first writer.
  const auto loses = [](const RunFile& file) {
    return file.is_written && (file.place.is_replaced || file.place.is_pipe);
  };
  return loses(a) || loses(b);
}

void check_differ(const std::vector<RunFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = i + 1; j < files.size(); ++j) {
      const auto& a = files[i];
      const auto& b = files[j];
      if (!collide(a, b)) continue;
      if (a.option == b.option)
        throw InvalidInput(fmt::format("{} names the file '{}' twice; leave one out", a.option, printable(a.text)));
      throw InvalidInput(fmt::format("{} and {} name the same file, '{}'; give each its own", a.option, b.option,
                                     printable(a.is_written ? a.text : b.text)));
    }
}

bool is_standard_output(const FilePlace& place) {
  if (place.stream == STDOUT_FILENO) return true;
  struct stat found {};
  if (::fstat(STDOUT_FILENO, &found) != 0 || (S_ISCHR(found.st_mode) && ::isatty(STDOUT_FILENO) == 0)) return false;
  return place.is_there && place.identity == FileIdentity{found.st_dev, found.st_ino, {}};
}

}  // namespace

std::vector<std::string> files_of(const Options& options, const std::string& name) {
  if (!options.has(name)) return {};
  if (!options.is_list(name)) return {*options.text(name)};
  return options.texts(name);
}

void check_files(const Options& options) {
  const auto files = files_in(options);
  check_differ(files);
  for (const auto& file : files) {
    if (!file.is_written || !file.option.starts_with("--")) continue;
    if (options.is_set("json") && is_standard_output(file.place))
      throw InvalidInput(fmt::format("{} {}: standard output has the object of --json alone; name another file",
                                     file.option, printable(file.text)));
    check_writable(file.text);
  }
}

}  // namespace clopt::apps
