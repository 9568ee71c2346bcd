#include "report.hpp"

#include <clopt/detail/files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <frame/options/common_options.hpp>
#include <frame/options/mpi_job.hpp>
#include <frame/options/run_options.hpp>

namespace clopt::apps::subset_sum {
namespace {

namespace solver = clopt::subset_sum;

constexpr std::size_t indices_shown = 30;

std::string explanation_of(const solver::Result& run) {
  switch (run.proof) {
    case solver::Proof::everything_fits: return "optimal: " + run.reason;
    case solver::Proof::capacity_reached: return "optimal: the capacity is reached";
    case solver::Proof::divisor: return "optimal: no multiple of the weights' common divisor lies between";
    case solver::Proof::exhaustive: return "optimal: every sum that matters was considered";
    case solver::Proof::none: break;
  }
  return "not proven to be optimal";
}

std::string value_line(const Report& report) {
  const auto& [question, answer, devices, exactly, seed, read_seconds, open_seconds] = report;
  const auto capacity = question.text_of(question.capacity());
  if (!answer.possible) return fmt::format("value     none: {}, {}\n", answer.run.reason, capacity);
  auto line =
      fmt::format("value     {} of {} ({})\n", question.text_of(answer.value), capacity, explanation_of(answer.run));
  if (exactly)
    line += fmt::format("exactly   {}\n", report.is_reached()  ? "yes"
                                          : answer.run.optimal ? "no subset has just this sum"
                                                               : "not decided; give it more time");
  return line;
}

int status_of(const Report& report) {
  const auto& run = report.answer.run;
  if (run.interrupted()) return Status::interrupted;
  if (report.exactly) return report.is_reached() ? Status::done : Status::not_reached;
  return run.optimal && report.answer.possible ? Status::done : Status::not_reached;
}

}  // namespace

std::string write_chosen(const std::string& file, const Question& question, const std::vector<std::size_t>& indices) {
  std::string text;
  for (const auto index : indices) text += fmt::format("{},{}\n", index, question.text_of(question.number(index)));
  return write_file(file, text);
}

Json to_json(const Report& report) {
  const auto& [question, answer, devices, exactly, seed, read_seconds, open_seconds] = report;
  const auto& run = answer.run;
  auto object = result_head("subset-sum", devices, run.method, seed);
  object["solved_by"] = run.solved_by;
  object["n"] = question.size();
  object["capacity"] = question.capacity();
  object["scale"] = question.scale();
  object["possible"] = answer.possible;
  object["value"] = answer.possible ? Json(answer.value) : Json();
  object["value_text"] = answer.possible ? Json(question.text_of(answer.value)) : Json();
  object["reached"] = report.is_reached();
  object["optimal"] = run.optimal;
  object["proof"] = name_of(run.proof);
  object["reason"] = run.reason;
  if (!run.candidates.empty()) {
    object["candidates"] = Json::array();
    for (const auto& each : run.candidates)
      object["candidates"].push_back(
          {{"method", each.method}, {"seconds", each.seconds}, {"bytes", each.bytes}, {"fits", each.fits}});
  }
  object["interrupted"] = run.interrupted();
  object["indices"] = answer.indices;
  object["zeros"] = answer.zeros;
  object["capacities_swept"] = run.capacities_swept;
  object["launches"] = run.launches;
  object["recovery"] = run.recovery;
  object["recovery_bytes"] = run.recovery_bytes;
  object["seconds"] = {
      {"total", run.seconds.total}, {"compute", run.seconds.compute}, {"recovery", run.recovery_seconds},
      {"read", read_seconds},       {"open", open_seconds},           {"build", run.seconds.build}};
  add_result_end(object, run);
  return object;
}

std::string to_text(const Report& report) {
  const auto& [question, answer, devices, exactly, seed, read_seconds, open_seconds] = report;
  const auto& run = answer.run;
  const auto shown = std::min(answer.indices.size(), indices_shown);
  auto text = value_line(report);
  text +=
      fmt::format("subset    {} of {} numbers: {}", answer.indices.size(), question.size(),
                  fmt::join(answer.indices.begin(), answer.indices.begin() + static_cast<std::ptrdiff_t>(shown), " "));
  if (shown < answer.indices.size()) text += fmt::format(" ... ({} more: --json)", answer.indices.size() - shown);
  if (answer.zeros > 0) text += fmt::format("\nzeros     {} numbers, left out", answer.zeros);
  text += fmt::format("\nsolved by {} ({})\n", run.solved_by, run.reason);
  for (const auto& device : devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
  text += cluster_text(run);
  text +=
      fmt::format("time      {} ({} computing); reading {}, opening the device {}, building kernels {}\n",
                  readable_seconds(run.seconds.total), readable_seconds(run.seconds.compute),
                  readable_seconds(read_seconds), readable_seconds(open_seconds), readable_seconds(run.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(run.checksum));
  return text;
}

int tell(const Report& report, bool json, const std::optional<std::string>& output, std::string_view command) {
  const auto unwritten = output ? write_chosen(*output, report.question, report.answer.indices) : std::string();
  if (json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), {unwritten}, command);
}

Json facts_of(const Question& question, bool exactly, std::uint64_t seed) {
  const auto amounts = question.amounts();
  return {{"numbers", amounts.numbers},
          {"capacity", amounts.capacity},
          {"decimals", amounts.decimals},
          {"exactly", exactly},
          {"seed", seed}};
}

}  // namespace clopt::apps::subset_sum
