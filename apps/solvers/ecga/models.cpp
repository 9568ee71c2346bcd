#include "models.hpp"

#include <clopt/detail/files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace clopt::apps::ecga {
namespace {

constexpr const char* models_array = "program.models";
constexpr const char* best_array = "program.models_best";

// Far apart for neighbours: the golden ratio's multiples around the circle of hues.
std::string colour_of(std::uint32_t first_locus) {
  const double turn = std::fmod(0.618033988749895 * (first_locus + 1), 1.0);
  return colour_of_hue(360 * turn, 0.7, 0.45 + 0.1 * (first_locus % 3));
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

void Models::save(Record& state) {
  std::vector<std::uint64_t> saved;
  std::vector<double> best;
  for (const auto& entry : entries_) {
    saved.push_back(entry.generation);
    saved.push_back(entry.model.size());
    best.push_back(entry.best);
    for (const auto& group : entry.model) {
      saved.push_back(group.size());
      saved.insert(saved.end(), group.begin(), group.end());
    }
  }
  state.add(models_array, std::move(saved)).add(best_array, std::move(best));
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

std::vector<std::string> Models::write() const {
  std::vector<std::string> failures;
  failures.reserve(files_.size());
  for (const auto& file : files_)
    failures.push_back(write_file(file, file.ends_with(".svg")    ? picture()
                                        : file.ends_with(".json") ? json()
                                                                  : text()));
  return failures;
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

// A row a generation, a column a locus; loci of a group have one colour, lone ones are pale. Long runs are folded:
// blocks of rows stand side by side, as many as a page holds, and where there are more generations only every k-th is
// shown.
std::string Models::picture() const {
  constexpr double most_height = 900;
  constexpr double page_width = 1400;
  constexpr double row_height = 10;
  constexpr double left = 62;
  constexpr double top = 66;
  constexpr double gap = 30;
  const auto count = std::max<std::size_t>(entries_.size(), 1);
  const double height = std::clamp(400.0 / static_cast<double>(count), row_height, 24.0);
  const auto rows_a_block = static_cast<std::size_t>(most_height / height);
  const double wide = std::clamp(900.0 / length_, 0.1, 24.0);
  // A block is as narrow as its loci may be, so that more of them fit.
  const double narrow = std::clamp(240.0 / length_, 0.1, wide);
  const bool is_folded = count > rows_a_block;
  const double cell = is_folded ? narrow : wide;
  const double block_width = left + cell * length_ + gap;
  const auto most_blocks = static_cast<std::size_t>(std::max(page_width / block_width, 1.0));
  const auto every = (count + most_blocks * rows_a_block - 1) / (most_blocks * rows_a_block);
  const auto shown = (count + every - 1) / every;
  const auto blocks = (shown + rows_a_block - 1) / rows_a_block;
  const auto rows = std::min(shown, rows_a_block);
  const double whole = std::max(block_width * static_cast<double>(blocks), 420.0);
  Svg svg(whole, top + height * static_cast<double>(rows) + 56);
  svg.text_within(12, 22, whole - 24,
                  fmt::format("Which of {} loci belong together, generation by generation", length_), "start", 14);
  svg.text_within(12, 42, whole - 24,
                  every == 1 ? fmt::format("{} generations", entries_.size())
                             : fmt::format("{} generations, of which one in {} is shown", entries_.size(), every),
                  "start", 11);
  for (std::size_t row = 0; row < shown && row * every < entries_.size(); ++row) {
    const std::size_t block = row / rows_a_block;
    const double x = left + block_width * static_cast<double>(block);
    const double y = top + height * static_cast<double>(row % rows_a_block);
    draw_row(svg, entries_[row * every], x, y, cell, height);
  }
  const double bottom = top + height * static_cast<double>(rows);
  for (std::size_t block = 0; block < blocks; ++block) {
    const double x = left + block_width * static_cast<double>(block);
    // Loci by ones, twos, fives, tens and so on, so that their numbers have room.
    const double room = text_width(fmt::format("{}", length_), 10) + 8;
    std::uint64_t step = 1;
    for (std::uint64_t power = 1; cell * static_cast<double>(step) < room; power *= 10)
      for (const std::uint64_t factor : {1U, 2U, 5U})
        if (cell * static_cast<double>(step) < room) step = factor * power;
    for (std::uint64_t locus = 0; locus < length_; locus += step) {
      const double middle = x + cell * (static_cast<double>(locus) + 0.5);
      svg.line(middle, bottom + 1, middle, bottom + 5, "black");
      svg.text(middle, bottom + 16, fmt::format("{}", locus), "middle", 10);
    }
    svg.text(x + cell * length_ / 2, bottom + 36, "locus", "middle");
  }
  // Few rows have no room for a word beside them.
  if (bottom - top > text_width("generation", 12))
    svg.text(14, (top + bottom) / 2, "generation", "middle", 12, -90);
  else
    svg.text(12, top - 6, "generation", "start", 10);
  return svg.str();
}

void Models::draw_row(Svg& svg, const Entry& entry, double x, double y, double cell, double height) const {
  svg.text_within(x - 6, y + height * 0.85, 34, fmt::format("{}", entry.generation), "end", std::min(height, 12.0));
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
    svg.rectangle(x + cell * locus, y, cell * (end - locus), height - 0.5,
                  alone ? "#e8e8e8" : colour_of(group->front()),
                  alone ? "" : fmt::format("{}", fmt::join(*group, " ")));
    locus = end;
  }
}

}  // namespace clopt::apps::ecga
