#include "shard_options.hpp"

#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <frame/output/run_report.hpp>
#include <frame/status.hpp>
#include "run_options.hpp"

namespace clopt::apps {
namespace {

std::optional<Shard> shard_in(const std::string& text) {
  Shard shard;
  const auto* const end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, shard.number);
  if (error != std::errc{} || slash == end || *slash != '/') return std::nullopt;
  const auto [stop, other_error] = std::from_chars(slash + 1, end, shard.count);
  if (other_error != std::errc{} || stop != end) return std::nullopt;
  if (shard.number < 1 || shard.number > shard.count || shard.count > most_shards) return std::nullopt;
  return shard;
}

std::string output_of(const Options& options) {
  const auto files = files_of(options, "output");
  if (files.empty()) return {};
  if (files.size() != 1)
    throw InvalidInput(fmt::format("--shard writes one file, and there are {} --output; give one", files.size()));
  return files.front();
}

std::string items_text(const SliceReport& report, const WorkRange& range) {
  if (range.count == 0) return fmt::format("none of {} {}", report.number_of_items, report.items);
  return fmt::format("{} {} to {} of {}", report.items, range.first, range.first + range.count - 1,
                     report.number_of_items);
}

// A slice that a limit of time or a signal has ended has no place in the whole run.
int refuse_unfinished(const SliceOrder& order, const SliceReport& report, const RunResult& result) {
  const auto text = fmt::format(
      "slice {} was ended by {} before it was done, so '{}' was not written; run it again, "
      "or resume it from its checkpoint",
      order.text(), result.interrupted() ? "a signal" : "the limit of time", printable(order.file));
  print_error(fmt::format("clopt {}: {}\n", report.solver, text));
  return result.interrupted() ? Status::interrupted : Status::not_reached;
}

void report_slice(const SliceOrder& order, const SliceReport& report, const WorkRange& range,
                  const SliceOutcome* outcome) {
  const auto devices = outcome ? outcome->devices : std::vector<DeviceInfo>();
  if (!report.json) {
    std::string text =
        fmt::format("slice     {}: {}\nwritten   {}\n", order.text(), items_text(report, range), order.file);
    if (outcome) {
      text += fmt::format("method    {} ({})\n", outcome->result.method, outcome->result.reason);
      text += device_lines(devices) + time_line(outcome->result.seconds);
    }
    return print(text + "`clopt merge` makes the result of all slices of it\n");
  }
  auto object = result_head(report.solver, devices, outcome ? outcome->result.method : "none", report.seed);
  object["slice"] = {{"number", order.shard.number}, {"count", order.shard.count}, {"of", report.items},
                     {"first", range.first},         {"items", range.count},       {"all", report.number_of_items}};
  object["output"] = order.file;
  object["seconds"] = outcome ? seconds_json(outcome->result.seconds) : Json{{"total", 0.0}, {"compute", 0.0}};
  object["checksum"] = hexadecimal(outcome ? outcome->result.checksum : 0);
  object["version"] = version();
  print_json(object);
}

}  // namespace

void add_shard_option(OptionParser& parser, std::string_view items) {
  parser.value("shard", "I/N",
               fmt::format("do one slice of the {}, the I th of N, and write it to --output; `clopt merge` makes the "
                           "whole result of all slices",
                           items));
}

std::string SliceOrder::text() const { return fmt::format("{}/{}", shard.number, shard.count); }

std::optional<SliceOrder> read_slice_order(const Options& options,
                                           const std::vector<std::pair<std::string, std::string>>& refused) {
  const auto text = options.text("shard");
  if (!text) return std::nullopt;
  const auto shard = shard_in(*text);
  if (!shard)
    throw InvalidInput(fmt::format("--shard {}: give I/N, the I th of N slices: I from 1 to N, N up to {}",
                                   printable(*text), most_shards));
  for (const auto& [name, why] : refused)
    if (options.has(name))
      throw InvalidInput(fmt::format("--{} does not go with --shard: {}; leave one of them out", name, why));
  const auto file = output_of(options);
  if (file.empty()) throw InvalidInput(fmt::format("--shard {} needs --output FILE, which the slice goes to", *text));
  return SliceOrder{*shard, file};
}

int do_slice(const SliceOrder& order, const SliceReport& report,
             const std::function<SliceOutcome(const WorkRange& range)>& work) {
  const auto range = range_of(order.shard, report.number_of_items);
  std::optional<SliceOutcome> outcome;
  if (range.count != 0) outcome.emplace(work(range));
  if (outcome && (outcome->result.interrupted() || outcome->result.ending == Ending::time))
    return refuse_unfinished(order, report, outcome->result);

  Slice slice{report.identity, order.shard, report.number_of_items, {}, {}};
  Json kept{{"facts", report.facts}, {"settings", report.settings}, {"devices", Json::array()}, {"open_seconds", 0.0}};
  if (outcome) {
    for (const auto& device : outcome->devices) kept["devices"].push_back(device_json(device));
    kept["open_seconds"] = outcome->result.seconds.open;
    if (!outcome->answer.is_null()) kept["answer"] = std::move(outcome->answer);
    slice.result = std::move(outcome->record);
  }
  slice.report = kept.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto failure = write_slice(order.file, slice);
  if (failure.empty()) report_slice(order, report, range, outcome ? &*outcome : nullptr);
  return status_with_files(Status::done, {failure}, report.solver);
}

bool are_runs(const std::vector<Slice>& slices) {
  const auto& entries = slices.front().identity.entries();
  return std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.name == "runs"; });
}

Json answer_of(const Slice& slice) { return Json::parse(slice.report).value("answer", Json()); }

MergedReport merged_report(const std::vector<Slice>& slices) {
  MergedReport merged;
  for (const auto& slice : slices) {
    const auto report = Json::parse(slice.report);
    if (merged.facts.is_null()) merged.facts = report.at("facts");
    if (merged.settings.is_null()) merged.settings = report.value("settings", merged.facts.value("settings", Json()));
    merged.open_seconds += report.at("open_seconds").get<double>();
    for (const auto& device : report.at("devices")) {
      DeviceInfo info;
      info.id = device.at("id").get<std::string>();
      info.name = device.at("name").get<std::string>();
      const auto is_same = [&](const DeviceInfo& other) { return other.id == info.id && other.name == info.name; };
      if (std::none_of(merged.devices.begin(), merged.devices.end(), is_same)) merged.devices.push_back(info);
    }
  }
  return merged;
}

}  // namespace clopt::apps
