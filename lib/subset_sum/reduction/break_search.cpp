#include "break_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core.hpp"

namespace clopt::subset_sum {
namespace {

constexpr double seconds_a_step = 5e-9;
constexpr std::size_t lists = 4;
constexpr int fewest_list_items = 3;
constexpr int most_list_items = 21;     ///< 2^21 sums a list: some 200 MB in all
constexpr double enough_solutions = 2;  ///< in the core, so that a search pays
constexpr double residue_factor = 4;    ///< how many times the expected number of residues is tried: 98 % of hits
constexpr double setup_steps = 12;      ///< for each sum of a list
constexpr double residue_steps = 8;     ///< for each sum of a list and residue
constexpr std::size_t most_pairs_factor = 4;
constexpr std::uint64_t no_sum = std::numeric_limits<std::uint64_t>::max();

std::uint32_t prime_up_to(std::uint32_t number) {
  for (;; --number) {
    bool prime = true;
    for (std::uint32_t d = 2; d * d <= number && prime; ++d) prime = number % d != 0;
    if (prime) return number;
  }
}

/// How a core is searched, and what that is expected to take.
struct SearchParameters {
  Core core;
  int list_items = 0;
  std::uint32_t modulus = 0;
  std::uint64_t residues = 0;  ///< to try
  double steps = 0;            ///< expected
};

/// The sums of one list's items, sorted by their residue.
struct SumsByResidue {
  std::vector<std::uint64_t> sums;
  std::vector<std::uint32_t> subsets;
  std::vector<std::uint32_t> begin;  ///< of each residue's sums; one more at the end
};

/// The subset sums up to a limit.
SumsByResidue sums_by_residue(const std::vector<std::uint64_t>& weights, std::uint64_t limit, std::uint32_t modulus) {
  std::vector<std::uint64_t> sums{0};
  sums.reserve(std::size_t{1} << weights.size());
  for (const std::uint64_t weight : weights) {
    const std::size_t before = sums.size();
    for (std::size_t i = 0; i < before; ++i) {
      sums.push_back(sums[i] <= limit && weight <= limit - sums[i] ? sums[i] + weight : no_sum);
    }
  }
  SumsByResidue sorted;
  std::vector<std::uint32_t> residues(sums.size());
  sorted.begin.resize(std::size_t{modulus} + 1);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] == no_sum) continue;
    residues[i] = static_cast<std::uint32_t>(sums[i] % modulus);
    ++sorted.begin[residues[i] + 1];
  }
  for (std::size_t r = 0; r < modulus; ++r) sorted.begin[r + 1] += sorted.begin[r];
  sorted.sums.resize(sorted.begin.back());
  sorted.subsets.resize(sorted.begin.back());
  std::vector<std::uint32_t> place(sorted.begin.begin(), sorted.begin.end() - 1);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] == no_sum) continue;
    const std::uint32_t at = place[residues[i]]++;
    sorted.sums[at] = sums[i];
    sorted.subsets[at] = static_cast<std::uint32_t>(i);
  }
  return sorted;
}

/// Calls use(sum, i, j) for each pair of places whose sums add up to at most the limit and to a residue, until it
/// returns false; examines a limited number of pairs, since many sums may have the same residue.
template <typename Use>
void for_pairs(const SumsByResidue& a, const SumsByResidue& b, std::uint32_t residue, std::uint32_t modulus,
               std::uint64_t limit, std::size_t most_pairs, const Use& use) {
  for (std::uint32_t r = 0; r < modulus; ++r) {
    const std::uint32_t other = residue >= r ? residue - r : residue + modulus - r;
    for (std::uint32_t i = a.begin[r]; i < a.begin[r + 1]; ++i) {
      for (std::uint32_t j = b.begin[other]; j < b.begin[other + 1]; ++j) {
        if (most_pairs-- == 0) return;
        if (a.sums[i] > limit - b.sums[j]) continue;
        if (!use(a.sums[i] + b.sums[j], i, j)) return;
      }
    }
  }
}

class CoreSearch {
 public:
  CoreSearch(std::span<const Item> descending, const SearchParameters& parameters)
      : items_(descending), parameters_(parameters) {
    for (std::size_t list = 0; list < lists; ++list) {
      std::vector<std::uint64_t> weights;
      for (std::size_t i = list; i < parameters.core.positions.size(); i += lists) weights.push_back(weight(i));
      lists_[list] = sums_by_residue(weights, parameters.core.rest, parameters.modulus);
    }
    const auto sums = std::size_t{1} << parameters.list_items;
    most_pairs_ = most_pairs_factor * sums;
    table_shift_ = 64 - (parameters.list_items + 1);
    table_.resize(2 * sums);
  }

  /// Tries one residue.
  std::optional<std::vector<std::uint32_t>> search(std::uint32_t residue) {
    const std::uint64_t rest = parameters_.core.rest;
    pairs_.clear();
    std::fill(table_.begin(), table_.end(), 0U);
    for_pairs(lists_[0], lists_[1], residue, parameters_.modulus, rest, most_pairs_,
              [&](std::uint64_t sum, std::uint32_t i, std::uint32_t j) {
                std::uint32_t& head = table_[slot(sum)];
                pairs_.push_back({sum, i, j, head});
                head = static_cast<std::uint32_t>(pairs_.size());
                return true;
              });
    const auto others = static_cast<std::uint32_t>((rest + parameters_.modulus - residue) % parameters_.modulus);
    std::optional<std::vector<std::uint32_t>> found;
    for_pairs(lists_[2], lists_[3], others, parameters_.modulus, rest, most_pairs_,
              [&](std::uint64_t sum, std::uint32_t i, std::uint32_t j) {
                const Pair* const pair = find(rest - sum);
                if (pair != nullptr) found = positions({pair->first, pair->second, i, j});
                return !found;
              });
    return found;
  }

 private:
  /// Places in two lists, and the pair before it in the same slot, counted from 1.
  struct Pair {
    std::uint64_t sum;
    std::uint32_t first;
    std::uint32_t second;
    std::uint32_t before;
  };

  std::uint64_t weight(std::size_t core_item) const { return items_[parameters_.core.positions[core_item]].weight; }
  std::size_t slot(std::uint64_t sum) const {
    constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;
    return sum * golden_ratio >> table_shift_;
  }

  const Pair* find(std::uint64_t sum) const {
    for (std::uint32_t at = table_[slot(sum)]; at != 0; at = pairs_[at - 1].before) {
      if (pairs_[at - 1].sum == sum) return &pairs_[at - 1];
    }
    return nullptr;
  }

  std::vector<std::uint32_t> positions(const std::array<std::uint32_t, lists>& places) const {
    std::vector<std::uint32_t> positions;
    std::size_t next = 0;
    for (std::size_t i = 0; i < parameters_.core.positions.size(); ++i) {
      const std::size_t position = parameters_.core.positions[i];
      for (; next < std::min(position, parameters_.core.taken); ++next)
        positions.push_back(static_cast<std::uint32_t>(next));
      next = std::max(next, position + 1);
      const std::uint32_t subset = lists_[i % lists].subsets[places[i % lists]];
      if ((subset >> i / lists & 1) != 0) positions.push_back(static_cast<std::uint32_t>(position));
    }
    for (; next < parameters_.core.taken; ++next) positions.push_back(static_cast<std::uint32_t>(next));
    return positions;
  }

  std::span<const Item> items_;
  const SearchParameters& parameters_;
  std::array<SumsByResidue, lists> lists_;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> table_;
  std::size_t most_pairs_ = 0;
  int table_shift_ = 0;
};

/// The core and lists with the least expected cost; nothing where it passes the effort or no hit is to be expected.
std::optional<SearchParameters> plan_search(std::span<const Item> descending, std::uint64_t target,
                                            const BreakSearchEffort& effort) {
  const Break item = break_of(descending, target);
  std::optional<SearchParameters> best;
  for (int list_items = fewest_list_items; list_items <= most_list_items; ++list_items) {
    const double sums = std::ldexp(1.0, list_items);
    if (sums * static_cast<double>(lists) * setup_steps > static_cast<double>(effort.steps)) break;
    SearchParameters parameters;
    const std::size_t size = std::min(descending.size(), lists * static_cast<std::size_t>(list_items));
    parameters.core = best_core(descending, item, size);
    parameters.list_items = list_items;
    if (parameters.core.solutions >= enough_solutions) {
      const double residues = std::max(1.0, sums / parameters.core.solutions);
      parameters.steps = sums * (static_cast<double>(lists) * setup_steps + residues * residue_steps);
      if (parameters.steps > static_cast<double>(effort.steps)) continue;
      const double affordable = static_cast<double>(effort.steps) / (sums * residue_steps);
      parameters.residues = static_cast<std::uint64_t>(std::ceil(std::min(residue_factor * residues, affordable)));
      if (!best || parameters.steps < best->steps) best = parameters;
    }
    if (size == descending.size()) break;
  }
  if (best) {
    best->modulus = prime_up_to(std::uint32_t{1} << best->list_items);
    best->residues = std::min<std::uint64_t>(best->residues, best->modulus);
  }
  return best;
}

}  // namespace

BreakSearchEffort BreakSearchEffort::of_seconds(double seconds) {
  return {static_cast<std::uint64_t>(seconds / seconds_a_step)};
}

std::optional<std::vector<std::uint32_t>> reach_around_break(std::span<const Item> descending, std::uint64_t target,
                                                             const BreakSearchEffort& effort, const Watch& watch) {
  if (descending.size() < lists * fewest_list_items) return std::nullopt;
  const auto parameters = plan_search(descending, target, effort);
  if (!parameters) return std::nullopt;
  CoreSearch search(descending, *parameters);
  for (std::uint64_t residue = 0; residue < parameters->residues; ++residue) {
    if (watch.expired()) return std::nullopt;
    watch.report("search around the break item",
                 static_cast<double>(residue) / static_cast<double>(parameters->residues));
    if (auto positions = search.search(static_cast<std::uint32_t>(residue))) return positions;
  }
  return std::nullopt;
}

}  // namespace clopt::subset_sum
