#include "parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <ecga/operations.hpp>

namespace clopt::ecga {
namespace {

struct Kind {
  std::string_view objective;
  std::uint32_t number;
};
constexpr Kind kinds[] = {{"nk", ECGA_PARTS_NK},
                          {"ising", ECGA_PARTS_BONDS},
                          {"maxsat", ECGA_PARTS_CLAUSES},
                          {"weighted_maxsat", ECGA_PARTS_WEIGHTED}};

using Places = std::vector<std::vector<std::uint32_t>>;  // of each locus

// A part may name a locus twice.
void add(Places& places, double locus, std::uint32_t place) {
  auto& own = places[static_cast<std::size_t>(locus)];
  if (own.empty() || own.back() != place) own.push_back(place);
}

void add_neighbourhoods(Places& places, const std::vector<double>& table) {
  const auto neighbours = static_cast<std::uint32_t>(table[0]);
  for (std::uint32_t locus = 0; locus < places.size(); ++locus) {
    const auto place = 1 + locus * (neighbours + (2U << neighbours));
    add(places, locus, place);
    for (std::uint32_t k = 0; k < neighbours; ++k) add(places, table[place + k], place);
  }
}

void add_bonds(Places& places, const std::vector<double>& table) {
  for (std::uint32_t place = 1; place < 1 + 3 * static_cast<std::uint32_t>(table[0]); place += 3)
    if (table[place] != table[place + 1])
      for (std::uint32_t end = 0; end < 2; ++end) add(places, table[place + end], place);
}

// \param before numbers of a clause before the number of its literals.
void add_clauses(Places& places, const std::vector<double>& table, std::uint32_t before) {
  auto place = 1 + before;
  for (auto clauses = static_cast<std::uint32_t>(table[0]); clauses != 0; --clauses) {
    const auto literals = static_cast<std::uint32_t>(table[place]);
    for (std::uint32_t k = 1; k <= literals; ++k) add(places, std::fabs(table[place + k]) - 1, place);
    place += literals + 1 + before;
  }
}

}  // namespace

std::optional<std::uint32_t> parts_kind(const Objective& objective) {
  const auto* const found =
      std::ranges::find_if(kinds, [&](const Kind& kind) { return kind.objective == objective.name(); });
  if (!objective.is_builtin() || found == std::end(kinds) || objective.table_values().empty()) return std::nullopt;
  return found->number;
}

std::vector<std::uint32_t> parts_of_loci(const Objective& objective, std::uint32_t length) {
  const auto& table = objective.table_values();
  const auto kind = parts_kind(objective).value();
  Places places(length);
  if (kind == ECGA_PARTS_NK)
    add_neighbourhoods(places, table);
  else if (kind == ECGA_PARTS_BONDS)
    add_bonds(places, table);
  else
    add_clauses(places, table, kind == ECGA_PARTS_WEIGHTED ? 1 : 0);
  std::vector<std::uint32_t> lists;
  auto begin = length + 1;
  for (const auto& own : places) {
    lists.push_back(begin);
    begin += static_cast<std::uint32_t>(own.size());
  }
  lists.push_back(begin);
  lists.reserve(begin);
  for (const auto& own : places) lists.insert(lists.end(), own.begin(), own.end());
  return lists;
}

}  // namespace clopt::ecga
