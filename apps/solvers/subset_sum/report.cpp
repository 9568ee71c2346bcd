#include "report.hpp"

#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <frame/options/shard_options.hpp>
#include <frame/status.hpp>
#include "solver.hpp"

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

}  // namespace

std::string write_chosen(const std::string& file, const Question& question, const std::vector<std::size_t>& indices) {
  std::string text;
  for (const auto index : indices) text += fmt::format("{},{}\n", index, question.text_of(question.number(index)));
  return write_file(file, text);
}

std::string Report::value_line() const {
  const auto capacity = question_.text_of(question_.capacity());
  if (!answer_.possible) return fmt::format("value     none: {}, {}\n", answer_.run.reason, capacity);
  auto line =
      fmt::format("value     {} of {} ({})\n", question_.text_of(answer_.value), capacity, explanation_of(answer_.run));
  if (exactly_)
    line += fmt::format("exactly   {}\n", is_reached()          ? "yes"
                                          : answer_.run.optimal ? "no subset has just this sum"
                                                                : "not decided; give it more time");
  return line;
}

int Report::status() const {
  const auto& run = answer_.run;
  if (run.interrupted()) return Status::interrupted;
  if (exactly_) return is_reached() ? Status::done : Status::not_reached;
  return run.optimal && answer_.possible ? Status::done : Status::not_reached;
}

std::string Report::write(const std::string& file) const { return write_chosen(file, question_, answer_.indices); }

void Report::add_fields(Json& object) const {
  const auto& run = answer_.run;
  object["solved_by"] = run.solved_by;
  object["n"] = question_.size();
  object["capacity"] = question_.capacity();
  object["scale"] = question_.scale();
  object["possible"] = answer_.possible;
  object["value"] = answer_.possible ? Json(answer_.value) : Json();
  object["value_text"] = answer_.possible ? Json(question_.text_of(answer_.value)) : Json();
  object["reached"] = is_reached();
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
  object["indices"] = answer_.indices;
  object["zeros"] = answer_.zeros;
  object["capacities_swept"] = run.capacities_swept;
  object["launches"] = run.launches;
  object["recovery"] = run.recovery;
  object["recovery_bytes"] = run.recovery_bytes;
}

NamedSeconds Report::named_seconds() const {
  return {.read = read_seconds_, .within_compute = {{"recovery", answer_.run.recovery_seconds}}};
}

std::string Report::opening() const {
  return fmt::format("reading {}, opening the device", readable_seconds(read_seconds_));
}

std::string Report::answer_text() const {
  const auto& run = answer_.run;
  const auto shown = std::min(answer_.indices.size(), indices_shown);
  auto text = value_line();
  text += fmt::format(
      "subset    {} of {} numbers: {}", answer_.indices.size(), question_.size(),
      fmt::join(answer_.indices.begin(), answer_.indices.begin() + static_cast<std::ptrdiff_t>(shown), " "));
  if (shown < answer_.indices.size()) text += fmt::format(" ... ({} more: --json)", answer_.indices.size() - shown);
  if (answer_.zeros > 0) text += fmt::format("\nzeros     {} numbers, left out", answer_.zeros);
  text += fmt::format("\nsolved by {} ({})\n", run.solved_by, run.reason);
  return text;
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the chosen numbers go to one file");
  const auto& facts = order.facts;
  const solver::Amounts amounts{facts.at("numbers").get<std::vector<std::int64_t>>(),
                                facts.at("capacity").get<std::int64_t>(), facts.at("decimals").get<unsigned>()};
  if (amounts.decimals > 18) throw InvalidInput("the slices have numbers of too many decimals; clopt writes no such");
  auto parts =
      results_of(order.slices, [&](const Record& record, std::uint64_t) { return solver::unpack(record, amounts); });
  return std::make_unique<Report>(Question(amounts), solver::merge(std::move(parts)), facts.at("exactly").get<bool>(),
                                  facts.at("seed").get<std::uint64_t>());
}

}  // namespace clopt::apps::subset_sum
