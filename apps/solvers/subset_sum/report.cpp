#include "report.hpp"

#include <clopt/detail/csv.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <frame/options/shard_options.hpp>
#include <frame/status.hpp>
#include "picture.hpp"
#include "solver.hpp"

namespace clopt::apps::subset_sum {
namespace {

namespace solver = clopt::subset_sum;

constexpr std::size_t rows_shown = 30;
constexpr std::size_t subsets_shown = 20;

// The first of some indices as rows, which count from 1, each with its label.
std::string rows_text(const Question& question, const std::vector<std::size_t>& indices) {
  std::string text;
  for (std::size_t i = 0; i < std::min(indices.size(), rows_shown); ++i) {
    text += fmt::format(" {}", indices[i] + 1);
    if (question.label().empty()) continue;
    if (const auto& label = question.labels()[indices[i]]; !label.empty())
      text += fmt::format(" ({})", printable(label));
  }
  if (rows_shown < indices.size()) text += fmt::format(" ... ({} more: --json)", indices.size() - rows_shown);
  return text;
}

std::string explanation_of(const solver::AmountsResult& answer) {
  if (answer.run.proof == solver::Proof::exhaustive && !answer.is_largest)
    return "optimal: no sum that may count is nearer";
  switch (answer.run.proof) {
    case solver::Proof::everything_fits: return "optimal: " + answer.run.reason;
    case solver::Proof::capacity_reached: return "optimal: the capacity is reached";
    case solver::Proof::divisor: return "optimal: no multiple of the weights' common divisor lies between";
    case solver::Proof::exhaustive: return "optimal: every sum that matters was considered";
    case solver::Proof::none: break;
  }
  return "not proven to be optimal";
}

}  // namespace

std::string write_chosen(const std::string& file, const Question& question,
                         const std::vector<std::vector<std::size_t>>& subsets, bool has_numbers) {
  const auto& label = question.label();
  const auto& profits = question.profits();
  std::string text = has_numbers ? "subset,row,weight" : "row,weight";
  if (!profits.empty()) text += ",profit";
  text += label.empty() ? "\n" : fmt::format(",{}\n", csv_field(label));
  for (std::size_t number = 0; number < subsets.size(); ++number)
    for (const auto index : subsets[number]) {
      if (has_numbers) text += fmt::format("{},", number + 1);
      text += fmt::format("{},{}", index + 1, question.text_of(question.number(index)));
      if (!profits.empty()) text += fmt::format(",{}", question.profit_text(profits[index]));
      if (!label.empty()) text += fmt::format(",{}", csv_field(question.labels()[index]));
      text += '\n';
    }
  return write_file(file, text);
}

Svg Report::picture() const { return picture_of(question_, answer_); }

std::string Report::value_line() const {
  const auto capacity = question_.text_of(question_.capacity());
  if (!answer_.possible)
    return fmt::format("value     {} of {} ({})\n", answer_.run.optimal ? "none" : "not found", capacity,
                       answer_.run.reason);
  if (!question_.profits().empty())
    return fmt::format("profit    {} ({}: {})\nweight    {} of {}\n", question_.profit_text(answer_.profit),
                       answer_.run.optimal ? "optimal" : "not proven to be optimal", answer_.run.reason,
                       question_.text_of(answer_.value), capacity);
  auto line =
      fmt::format("value     {} of {} ({})\n", question_.text_of(answer_.value), capacity, explanation_of(answer_));
  if (options_.exactly) {
    const auto within = question_.tolerance() > 0 ? ", or within " + question_.text_of(question_.tolerance()) : "";
    line += fmt::format("exactly   {}{}\n",
                        answer_.reached       ? "yes"
                        : answer_.run.optimal ? "no subset has just this sum"
                                              : "not decided; give it more time",
                        within);
  }
  return line;
}

// The lines of what was asked for beyond the best sum.
std::string Report::subset_lines() const {
  const bool is_missing = options_.exactly && !answer_.reached;
  const auto numbers = fmt::format("{} number{}", answer_.indices.size(), answer_.indices.size() == 1 ? "" : "s");
  std::string text;
  if (options_.fewest && !is_missing)
    text += answer_.fewest.value_or(false) ? fmt::format("fewest    {}, proven\n", numbers) : "fewest    not proven\n";
  if (options_.unique)
    text += fmt::format("unique    {}\n", !answer_.unique   ? "not decided"
                                          : is_missing      ? "no, there is none"
                                          : *answer_.unique ? "yes, no other subset"
                                                            : "no, there are other subsets");
  if (!options_.all) return text;
  if (!answer_.more) return text + "subsets   not listed\n";
  text += fmt::format("subsets   {}{}\n", answer_.subsets.size(),
                      *answer_.more ? ", and there are more" : ", which are all");
  for (std::size_t i = 0; i < std::min(answer_.subsets.size(), subsets_shown); ++i)
    text += answer_.subsets[i].empty() ? std::string("          the empty one\n")
                                       : fmt::format("          rows{}\n", rows_text(question_, answer_.subsets[i]));
  if (answer_.subsets.size() > subsets_shown)
    text += fmt::format("          ... ({} more: --json)\n", answer_.subsets.size() - subsets_shown);
  return text;
}

// Where very many subsets have the sum, the one that was found is one of chance.
std::string Report::note() const {
  const bool is_asked = asks_for_subsets(options_) || options_.count;
  if (question_.is_drawn() || !question_.profits().empty() || is_asked || !answer_.possible || answer_.indices.empty())
    return {};
  constexpr double many = 2;
  constexpr std::size_t most_numbers = 100'000;
  if (question_.size() > most_numbers) return {};
  const auto digits = solver::expected_subsets(question_.amounts(), answer_.value);
  if (!(digits >= many)) return {};
  return fmt::format(
      "about 10^{:.0f} subsets have this sum: --fewest finds one of the fewest numbers, --count N of N, "
      "--all N lists some",
      digits);
}

// Whether all that was asked for beyond the sum is known.
bool Report::has_what_was_asked() const {
  if (options_.exactly && !answer_.reached) return false;
  return (!options_.fewest || answer_.fewest) && (!options_.all || answer_.more) &&
         (!options_.unique || answer_.unique);
}

int Report::status() const {
  const auto& run = answer_.run;
  if (run.interrupted()) return Status::interrupted;
  if (!has_what_was_asked()) return Status::not_reached;
  if (options_.exactly) return Status::done;
  return run.optimal && answer_.possible ? Status::done : Status::not_reached;
}

std::string Report::write(const std::string& file) const {
  if (!options_.all) return write_chosen(file, question_, {answer_.indices}, false);
  return write_chosen(file, question_, answer_.subsets, true);
}

void Report::add_fields(Json& object) const {
  const auto& run = answer_.run;
  object["solved_by"] = run.solved_by;
  object["n"] = question_.size();
  object["capacity"] = question_.capacity();
  object["scale"] = question_.scale();
  object["possible"] = answer_.possible;
  object["value"] = answer_.possible ? Json(answer_.value) : Json();
  object["value_text"] = answer_.possible ? Json(question_.text_of(answer_.value)) : Json();
  if (!question_.profits().empty()) {
    object["profit"] = answer_.possible ? Json(answer_.profit) : Json();
    object["profit_scale"] = question_.profit_scale();
    object["profit_text"] = answer_.possible ? Json(question_.profit_text(answer_.profit)) : Json();
  }
  object["reached"] = answer_.reached;
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
  if (!question_.label().empty()) {
    object["labels"] = Json::array();
    for (const auto index : answer_.indices) object["labels"].push_back(question_.labels()[index]);
  }
  const auto known = [](const std::optional<bool>& fact) { return fact ? Json(*fact) : Json(); };
  if (options_.fewest) object["fewest"] = known(answer_.fewest);
  if (options_.all) {
    object["subsets"] = answer_.subsets;
    object["more"] = known(answer_.more);
  }
  if (options_.unique) object["unique"] = known(answer_.unique);
  if (const auto text = note(); !text.empty()) object["note"] = text;
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
  auto text = value_line();
  if (answer_.indices.empty())
    text +=
        fmt::format("subset    {} of {} numbers", answer_.possible ? "the empty one, none" : "none", question_.size());
  else
    text += fmt::format("subset    {} of {} numbers, rows{}", answer_.indices.size(), question_.size(),
                        rows_text(question_, answer_.indices));
  text += '\n';
  text += subset_lines();
  if (const auto more = note(); !more.empty()) text += fmt::format("note      {}\n", more);
  if (answer_.zeros > 0) text += fmt::format("zeros     {} numbers, left out\n", answer_.zeros);
  text += fmt::format("solved by {} ({})\n", run.solved_by, run.reason);
  return text;
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the chosen numbers go to one file");
  const auto& facts = order.facts;
  const solver::Amounts amounts{facts.at("numbers").get<std::vector<std::int64_t>>(),
                                facts.at("capacity").get<std::int64_t>(), facts.at("decimals").get<unsigned>()};
  // Slices of 0.1.0 have no labels.
  const auto label = facts.value("label", std::string());
  auto labels = facts.value("labels", std::vector<std::string>());
  if (!label.empty() && labels.size() != amounts.numbers.size())
    throw InvalidInput("the slices have a label for some numbers and not for others; clopt writes no such");
  if (amounts.decimals > 18) throw InvalidInput("the slices have numbers of too many decimals; clopt writes no such");
  auto parts =
      results_of(order.slices, [&](const Record& record, std::uint64_t) { return solver::unpack(record, amounts); });
  solver::Options options;
  options.exactly = facts.at("exactly").get<bool>();
  return std::make_unique<Report>(Question(solver::AmountsText{amounts, label, std::move(labels)}),
                                  solver::merge(std::move(parts)), std::move(options),
                                  facts.at("seed").get<std::uint64_t>());
}

}  // namespace clopt::apps::subset_sum
