#include "run_report.hpp"

#include <clopt/cluster.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <frame/status.hpp>

namespace clopt::apps {
namespace {

Json cluster_json(const cluster::Report& report) {
  Json object{{"engine", report.engine},     {"library", report.library},       {"ranks", report.ranks},
              {"requests", report.requests}, {"duplicated", report.duplicated}, {"wait_seconds", report.wait_seconds},
              {"bytes", report.bytes},       {"per_rank", Json::array()}};
  for (const auto& rank : report.per_rank)
    object["per_rank"].push_back({{"host", rank.host},
                                  {"devices", rank.devices},
                                  {"busy_seconds", rank.busy_seconds},
                                  {"failures", rank.failures}});
  if (!report.alone.empty()) object["alone"] = report.alone;
  return object;
}

std::string cluster_text(const RunResult& result) {
  if (!result.cluster) return {};
  const auto& report = *result.cluster;
  if (!report.alone.empty())
    return fmt::format("ranks     rank 0 of {} did all: {} ({})\n", report.ranks, report.alone, report.library);
  return fmt::format("ranks     {} ({}): {} requests, {} handed out again, {} waiting\n", report.ranks, report.library,
                     report.requests, report.duplicated, readable_seconds(report.wait_seconds));
}

// The same device may be there several times.
void add_parts(Json& devices, const std::vector<DevicePart>& parts) {
  for (const auto& part : parts)
    for (auto& device : devices) {
      if (device["id"] != part.id || device.contains("share")) continue;
      device["share"] = part.share;
      device["busy_seconds"] = part.seconds;
      if (part.beside > 0) device["beside_seconds"] = part.beside;
      if (!part.failures.empty()) device["failures"] = part.failures;
      break;
    }
}

std::string failure_lines(const std::vector<std::string>& failures) {
  std::string text;
  for (const auto& failure : failures) text += fmt::format("failed    {}; others did its work\n", failure);
  return text;
}

std::string part_lines(const std::vector<DevicePart>& parts) {
  std::string text;
  for (const auto& part : parts)
    text += fmt::format("device    {} ({}): {:.3g} % of the work, {}\n", part.id, part.name, 100 * part.share,
                        readable_seconds(part.seconds));
  return text;
}

}  // namespace

Json result_head(std::string_view solver, const std::vector<DeviceInfo>& devices, std::string_view method,
                 std::uint64_t seed) {
  Json head{{"problem", solver}, {"device", Json::array()}};
  for (const auto& info : devices) head["device"].push_back(device_json(info));
  head["method"] = method;
  head["seed"] = seed;
  return head;
}

Json seconds_json(const RunSeconds& seconds, const NamedSeconds& named) {
  double other = seconds.other;
  for (const auto& part : named.parts) other -= part.get<double>();
  Json object{{"total", seconds.total}, {"compute", seconds.compute}};
  object.update(named.parts);
  if (named.read) object["read"] = *named.read;
  object["open"] = seconds.open;
  object["build"] = seconds.build;
  object["other"] = other;
  return object;
}

std::string device_lines(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const auto& device : devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
  return text;
}

std::string time_line(const RunSeconds& seconds, std::string_view computing, std::string_view opening) {
  return fmt::format("time      {} ({} {}); {} {}, building kernels {}, the rest {}\n", readable_seconds(seconds.total),
                     readable_seconds(seconds.compute), computing, opening, readable_seconds(seconds.open),
                     readable_seconds(seconds.build), readable_seconds(seconds.other));
}

std::string time_limit_text(const RunResult& result) {
  return result.ending == Ending::time ? "; ended by the time limit" : "";
}

int write_certificate(const std::string& file, const Certificate& certificate, std::string_view subcommand, int status,
                      std::vector<std::string>& failures) {
  if (file.empty()) return status;
  if (certificate.text.empty()) {
    print_error(fmt::format("clopt {}: there is no certificate, and '{}' is not written: {}\n", subcommand,
                            printable(file), certificate.missing));
    return status == Status::done ? static_cast<int>(Status::not_reached) : status;
  }
  failures.push_back(write_file(file, certificate.text));
  return status;
}

int RunReport::exit_status() const {
  const auto own = status();
  return own == Status::done && table && table->has_missed() ? static_cast<int>(Status::not_reached) : own;
}

std::string RunReport::write_population(const std::string& file) const {
  return fmt::format("{} has no population to be written to '{}'; leave --output-population out", solver_,
                     printable(file));
}

std::string RunReport::rest_text(std::size_t left) const {
  if (left == 0) return {};
  const auto place =
      outputs.empty() ? std::string("--output FILE or --json") : fmt::format("{}", fmt::join(outputs, ", "));
  return fmt::format(" ... ({} more: {})", left, place);
}

Json RunReport::to_json() const {
  const auto& run = result();
  auto object = result_head(solver_, devices, run.method, seed_);
  add_parts(object["device"], run.devices);
  if (!settings.empty()) object["settings"] = settings;
  add_fields(object);
  if (table) {
    object["runs"] = table->runs_json();
    object["successes"] = summary_of(table->runs, table->maximised).successes;
    object["summary"] = table->summary_json();
  }
  if (!sweep.is_null()) object["sweep"] = sweep;
  if (!run.failures.empty()) object["failures"] = run.failures;
  const auto named = named_seconds();
  object["seconds"] = seconds_json(seconds, named);
  if (!named.within_compute.empty()) object["within_compute"] = named.within_compute;
  object["ending"] = name_of(run.ending);
  if (run.cluster) object["cluster"] = cluster_json(*run.cluster);
  object["checked_on_host"] = run.unchecked.empty();
  if (!run.unchecked.empty()) object["unchecked"] = run.unchecked;
  object["checksum"] = hexadecimal(run.checksum);
  object["version"] = version();
  return object;
}

std::string RunReport::to_text() const {
  const auto& run = result();
  return sweep_text + (table ? table->text() : "") + answer_text() + failure_lines(run.failures) +
         (run.devices.size() > 1 ? part_lines(run.devices) : device_lines(devices)) + cluster_text(run) + work_text() +
         time_line(seconds, computing(), opening()) + fmt::format("checksum  {}\n", hexadecimal(run.checksum));
}

void RunReport::print(bool json) const {
  if (json) return print_json(to_json());
  print_result(to_text(), sweep_text.empty() && !table);
}

}  // namespace clopt::apps
