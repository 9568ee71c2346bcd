#include "runs_options.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace clopt::apps {
namespace {

constexpr std::uint64_t most_runs = 1'000'000;
constexpr std::size_t most_settings = 10'000;
// Which the whole sweep has.
const std::vector<std::string> files_of_table{"output", "summary", "output-runs"};

std::vector<std::string> values_in(const std::string& list) {
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    values.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return values;
}

// 0,5 is more likely to be a decimal than two values.
bool is_decimal_with_comma(const std::string& list) {
  return std::count(list.begin(), list.end(), ',') == 1 && list.find_first_not_of("0123456789,") == list.npos;
}

Json json_of(const std::string& value) {
  if (const auto whole = number_in<std::uint64_t>(value)) return *whole;
  if (const auto number = number_in<double>(value)) return *number;
  return value;
}

}  // namespace

void add_runs_options(OptionParser& parser) {
  parser.group("Search")
      .value("runs", "N", "several runs with seeds one after the other, and how many succeed (default 1)")
      .group("Files")
      .value("summary", "FILE.csv", "write what the runs show together, a row for each setting that is swept")
      .value("output-runs", "FILE.csv", "write a row a run");
}

void refuse_files_of_one_run(const Options& options, const std::vector<std::string>& files, std::string_view why) {
  for (const auto& file : files)
    if (options.has(file)) throw InvalidInput(fmt::format("--{} belongs to one run, and {} makes several", file, why));
}

std::optional<std::uint64_t> read_runs(const Options& options) {
  const auto runs = options.integer("runs", 1, most_runs);
  if (runs)
    refuse_files_of_one_run(
        options, {"checkpoint", "resume", "statistics", "model", "output-population", "measure-stages", "stages"},
        "--runs");
  for (const char* file : {"summary", "output-runs"})
    if (!runs && options.has(file))
      throw InvalidInput(fmt::format("--{} is the table of several runs; give --runs N too", file));
  return runs;
}

std::vector<Setting> settings_of(const Options& given) {
  std::vector<Setting> settings{{Json::object(), given}};
  for (const auto& [name, is_real] : given.sweeps()) {
    const auto list = given.text(name);
    if (!list || list->find(',') == list->npos) continue;
    if (is_real && is_decimal_with_comma(*list)) {
      const auto comma = list->find(',');
      const auto before = list->substr(0, comma);
      const auto behind = list->substr(comma + 1);
      throw InvalidInput(
          fmt::format("--{0} {1},{2}: write decimals with a point, {1}.{2}, also those of a list, "
                      "{1}.0,{2}.0",
                      name, printable(before), printable(behind)));
    }
    std::vector<Setting> next;
    for (const auto& setting : settings)
      for (const auto& value : values_in(*list)) {
        next.push_back(setting);
        next.back().values[name] = json_of(value);
        next.back().options.set(name, value);
      }
    if (next.size() > most_settings)
      throw InvalidInput(fmt::format("--{} {}: the sweep has more than {} settings; give fewer values", name,
                                     printable(*list), most_settings));
    settings = std::move(next);
  }
  if (settings.front().values.empty()) return settings;
  refuse_files_of_one_run(given, {"plot", "shard"}, "a list of values");
  for (auto& setting : settings) {
    if (!given.has("runs")) setting.options.set("runs", "1");
    for (const auto& file : files_of_table) setting.options.clear(file);
  }
  return settings;
}

}  // namespace clopt::apps
