#include "models.hpp"

#include <clopt/files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <pictures/svg.hpp>

namespace clopt::apps::ecga {
namespace {

constexpr const char* models_array = "program.models";
constexpr const char* best_array = "program.models_best";

// Far apart for neighbours: the golden ratio's multiples around the circle of hues.
std::string colour_of(std::uint32_t first_locus) {
  const double turn = std::fmod(0.618033988749895 * (first_locus + 1), 1.0);
  const int lightness = 45 + static_cast<int>(first_locus % 3) * 10;
  return fmt::format("hsl({:.0f},70%,{}%)", 360 * turn, lightness);
}

}  // namespace

std::string model_text(const clopt::ecga::Model& model) {
  std::string text;
  for (const auto& group : model) text += fmt::format("{}{}", text.empty() ? "" : " | ", fmt::join(group, " "));
  return text;
}

void Models::add(const clopt::ecga::Statistics& statistics) {
  if (statistics.model.empty() || statistics.generation == 0) return;
  entries_.push_back({statistics.generation, statistics.best, {statistics.model.begin(), statistics.model.end()}});
}

void Models::save(CheckpointState& state) {
  saved_.clear();
  saved_best_.clear();
  for (const auto& entry : entries_) {
    saved_.push_back(entry.generation);
    saved_.push_back(entry.model.size());
    saved_best_.push_back(entry.best);
    for (const auto& group : entry.model) {
      saved_.push_back(group.size());
      saved_.insert(saved_.end(), group.begin(), group.end());
    }
  }
  state.add(models_array, saved_);
  state.add(best_array, saved_best_);
}

void Models::restore(const Checkpoint& checkpoint) {
  if (!checkpoint.has(models_array) || !checkpoint.has(best_array)) return;
  const auto numbers = checkpoint.array<std::uint64_t>(models_array);
  const auto best = checkpoint.array<double>(best_array);
  std::size_t at = 0;
  const auto next = [&]() -> std::uint64_t {
    if (at == numbers.size()) checkpoint.refuse("its models are cut");
    return numbers[at++];
  };
  for (const double value : best) {
    Entry entry{next(), value, {}};
    for (auto groups = next(); groups > 0; --groups) {
      auto& group = entry.model.emplace_back();
      for (auto size = next(); size > 0; --size) {
        const auto locus = next();
        if (locus >= length_) checkpoint.refuse("its models have loci beyond the length");
        group.push_back(static_cast<std::uint32_t>(locus));
      }
      if (group.empty()) checkpoint.refuse("its models have empty groups");
    }
    entries_.push_back(std::move(entry));
  }
}

std::string Models::write() const {
  if (file_.ends_with(".svg")) return write_file(file_, picture());
  return write_file(file_, file_.ends_with(".json") ? json() : text());
}

std::string Models::json() const {
  Json generations = Json::array();
  for (const auto& entry : entries_)
    generations.push_back({{"generation", entry.generation}, {"best", entry.best}, {"model", entry.model}});
  return Json{{"length", length_}, {"generations", generations}}.dump() + "\n";
}

std::string Models::text() const {
  std::string text;
  for (const auto& entry : entries_)
    text += fmt::format("{} (best {}): {}\n", entry.generation, entry.best, model_text(entry.model));
  return text;
}

// A row a generation, a column a locus; loci of a group have one colour, lone ones are pale.
std::string Models::picture() const {
  constexpr double left = 60;
  constexpr double top = 40;
  const double cell = std::clamp(900.0 / length_, 0.1, 24.0);
  const double height = std::clamp(400.0 / static_cast<double>(std::max<std::size_t>(entries_.size(), 1)), 4.0, 24.0);
  Svg svg(left + cell * length_ + 20, top + height * static_cast<double>(entries_.size()) + 50);
  svg.text(left, 22, fmt::format("Which of {} loci belong together, generation by generation", length_), "start", 14);
  double y = top;
  for (const auto& entry : entries_) {
    svg.text(left - 6, y + height * 0.75, fmt::format("{}", entry.generation), "end", std::min(height, 12.0));
    std::vector<const std::vector<std::uint32_t>*> group_of(length_, nullptr);
    for (const auto& group : entry.model)
      for (const auto locus : group) group_of[locus] = &group;
    for (std::uint32_t locus = 0; locus < length_;) {
      const auto* group = group_of[locus];
      const bool alone = !group || group->size() == 1;
      auto end = locus + 1;
      const auto same = [&](std::uint32_t other) {
        return alone ? !group_of[other] || group_of[other]->size() == 1 : group_of[other] == group;
      };
      while (end < length_ && same(end)) ++end;
      svg.rectangle(left + cell * locus, y, cell * (end - locus), height - 0.5,
                    alone ? "#e8e8e8" : colour_of(group->front()),
                    alone ? "" : fmt::format("{}", fmt::join(*group, " ")));
      locus = end;
    }
    y += height;
  }
  svg.text(left + cell * length_ / 2, y + 25, "locus", "middle");
  svg.text(16, top + (y - top) / 2, "generation", "middle", 12, -90);
  return svg.str();
}

}  // namespace clopt::apps::ecga
