/// \file
/// A plain genetic algorithm of bits, gene by gene, that shares no code with the library. It draws the same random
/// numbers, so that it must come to the same populations, bit by bit.
#pragma once

#include "addresses.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace oracle {

/// A population of bits, and what a run has seen.
struct Run {
  using Individual = std::vector<int>;

  Setting s;
  std::function<double(const Individual&)> objective;
  std::vector<Individual> population;
  std::vector<double> costs;
  Individual best;
  double best_cost = std::numeric_limits<double>::infinity();

  Run(const Setting& setting, std::function<double(const Individual&)> function)
      : s(setting), objective(std::move(function)) {
    for (std::uint32_t i = 0; i < s.population * s.islands; ++i) {
      Individual individual(s.genes);
      for (std::uint32_t gene = 0; gene < s.genes; ++gene)
        individual[gene] = philox(s.seed, start, 0, i, gene / 64)[gene % 64 / 32] >> (gene % 32) & 1;
      population.push_back(individual);
    }
    evaluate();
  }

  void evaluate() {
    costs.clear();
    for (const auto& individual : population) costs.push_back(objective(individual));
    for (std::uint32_t island = 0; island < s.islands; ++island) keep_best(island);
  }
  void keep_best(std::uint32_t island) {
    for (auto i = island * s.population; i < (island + 1) * s.population; ++i)
      if (costs[i] < best_cost) {
        best_cost = costs[i];
        best = population[i];
      }
  }

  std::vector<std::uint64_t> weights(std::uint32_t island) const {
    const auto first = costs.begin() + island * s.population;
    const auto [least, most] = std::minmax_element(first, first + s.population);
    std::vector<std::uint64_t> result;
    for (auto cost = first; cost != first + s.population; ++cost) {
      if (*least == *most)
        result.push_back(1);
      else if (s.whole)
        result.push_back(static_cast<std::uint64_t>(*most - *cost));
      else
        result.push_back(static_cast<std::uint64_t>(
            (static_cast<float>(*most) * 0.5F - static_cast<float>(*cost) * 0.5F) /
            (static_cast<float>(*most) * 0.5F - static_cast<float>(*least) * 0.5F) * 16777216.0F));
    }
    return result;
  }

  std::uint32_t at_place(std::vector<std::uint64_t> w, std::uint64_t place) const {
    std::uint32_t i = 0;
    for (; place >= w[i]; ++i) place -= w[i];
    return i;
  }

  using Parents = std::vector<std::uint32_t>;

  Parents by_wheel(std::uint32_t g, std::uint32_t pair, const std::vector<std::uint64_t>& w, Parents found) const {
    const auto top = static_cast<std::uint32_t>(*std::max_element(w.begin(), w.end()));
    const auto even = [](std::uint32_t word, std::uint32_t n) {
      return std::uint64_t{word} * n % (std::uint64_t{1} << 32) >= (std::uint64_t{1} << 32) % n;
    };
    const auto scaled = [](std::uint32_t word, std::uint32_t n) {
      return static_cast<std::uint32_t>(std::uint64_t{word} * n >> 32);
    };
    for (std::uint32_t z = 0; z < 32 && found.size() < 2; ++z) {
      const auto block = philox(s.seed, selection, g, pair, z);
      for (std::size_t half = 0; half < 2 && found.size() < 2; ++half) {
        const auto who = block[2 * half];
        const auto chance = block[2 * half + 1];
        // The fine scale's top is always 2^24, the best one's weight.
        if (!even(who, s.population) || !even(chance, top)) continue;
        const auto i = scaled(who, s.population);
        if (scaled(chance, top) >= w[i] || (!found.empty() && found[0] == i)) continue;
        found.push_back(i);
      }
    }
    return on_wheel(g, pair, w, found);
  }

  // Missing parents by a walk along the wheel: the second one along what the first one leaves of it.
  Parents on_wheel(std::uint32_t g, std::uint32_t pair, const std::vector<std::uint64_t>& w, Parents found) const {
    while (found.size() < 2) {
      auto rest = w;
      if (!found.empty()) rest[found[0]] = 0;
      const auto size = std::accumulate(rest.begin(), rest.end(), std::uint64_t{0});
      if (size == 0) {
        const auto i = below(s, selection, g, pair, 32, s.population - 1);
        found.push_back(i < found[0] ? i : i + 1);
      } else {
        found.push_back(at_place(rest, place_on_wheel(s, g, pair, found.empty() ? 0 : 2, size)));
      }
    }
    return found;
  }

  std::uint32_t better(std::uint32_t island, std::uint32_t a, std::uint32_t b) const {
    const auto ca = costs[island * s.population + a];
    const auto cb = costs[island * s.population + b];
    return ca < cb || (ca == cb && a < b) ? a : b;
  }

  std::uint32_t contender(std::uint32_t g, std::uint32_t pair, std::uint32_t island, std::uint32_t turn) const {
    auto winner = below(s, selection, g, pair, turn << 20, s.population);
    if (s.selection == "rank") {
      const auto probability = static_cast<std::uint64_t>(std::rint(std::ldexp(s.rank_pressure - 1, 32)));
      if (philox(s.seed, selection, g, pair, turn << 20 | 3)[0] >= probability) return winner;
      const auto other = below(s, selection, g, pair, turn << 20 | 1, s.population - 1);
      return better(island, winner, other < winner ? other : other + 1);
    }
    for (std::uint32_t i = 1; i < s.tournament; ++i)
      winner = better(island, winner, below(s, selection, g, pair, turn << 20 | i, s.population));
    return winner;
  }

  std::uint32_t shuffled(std::uint32_t g, std::uint32_t island, std::uint32_t slot, std::uint32_t slots) const {
    std::uint32_t bits = 1;
    while ((std::uint64_t{1} << (2 * bits)) < slots) ++bits;
    do {
      auto left = slot >> bits;
      auto right = slot % (1U << bits);
      for (std::uint32_t round = 0; round < 6; ++round) {
        const auto mixed = left ^ (philox(s.seed, shuffle, g, island, round << 16 | right)[0] >> (32 - bits));
        left = right;
        right = mixed;
      }
      slot = left << bits | right;
    } while (slot >= slots);
    return slot;
  }

  Parents parents(std::uint32_t g, std::uint32_t pair, std::uint32_t island, std::uint32_t pairs) const {
    if (s.selection == "roulette") return by_wheel(g, pair, weights(island), {});
    if (s.selection == "roulette-walk") return on_wheel(g, pair, weights(island), {});
    if (s.selection == "sus") {
      const auto w = weights(island);
      const auto size = std::accumulate(w.begin(), w.end(), std::uint64_t{0});
      const auto offset = place_on_wheel(s, g, island, 1, size);
      const auto slots = 2 * pairs;
      Parents found;
      for (std::uint32_t k = 0; k < 2; ++k) {
        const auto slot = shuffled(g, island, 2 * (pair - island * pairs) + k, slots);
        const auto i = at_place(w, static_cast<std::uint64_t>((Uint128{slot} * size + offset) / slots));
        if (found.empty() || found[0] != i) found.push_back(i);
      }
      return found.size() == 2 ? found : by_wheel(g, pair, w, found);
    }
    const auto first = contender(g, pair, island, 0);
    for (std::uint32_t turn = 1; turn <= 12; ++turn)
      if (const auto second = contender(g, pair, island, turn); second != first) return {first, second};
    const auto other = below(s, selection, g, pair, 13U << 20, s.population - 1);
    return {first, other < first ? other : other + 1};
  }

  void breed(std::uint32_t g) {
    const auto bred = s.population - s.elites;
    const auto pairs = (bred + 1) / 2;
    auto next = population;
    std::vector<double> next_costs = costs;
    for (std::uint32_t island = 0; island < s.islands; ++island) {
      const auto begin = island * s.population;
      for (std::uint32_t k = 0; k < pairs; ++k) {
        const auto pair = island * pairs + k;
        const auto who = parents(g, pair, island, pairs);
        Individual children[2] = {population[begin + who[0]], population[begin + who[1]]};
        const auto [first, last] = between(s, g, pair);
        for (auto gene = first; gene <= last; ++gene)
          if (decides(s, crossover, g, pair, gene / 64, gene % 64, s.crossover))
            std::swap(children[0][gene], children[1][gene]);
        for (std::uint32_t child = 0; child < 2 && 2 * k + child < bred; ++child) {
          const auto flips = mutated(s, g, pair, child);
          for (std::uint32_t gene = 0; gene < s.genes; ++gene) children[child][gene] ^= flips[gene] ? 1 : 0;
          next[begin + 2 * k + child] = children[child];
          next_costs[begin + 2 * k + child] = objective(children[child]);
        }
      }
      const auto sorted = from_best(costs, island);
      for (std::uint32_t i = 0; i < s.elites; ++i) {
        next[begin + bred + i] = population[sorted[i]];
        next_costs[begin + bred + i] = costs[sorted[i]];
      }
    }
    population = next;
    costs = next_costs;
    if (s.migrate_every != 0 && s.islands > 1 && g % s.migrate_every == 0) migrate();
    for (std::uint32_t island = 0; island < s.islands; ++island) keep_best(island);
  }

  std::vector<std::uint32_t> from_best(const std::vector<double>& of, std::uint32_t island) const {
    std::vector<std::uint32_t> sorted(s.population);
    std::iota(sorted.begin(), sorted.end(), island * s.population);
    std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return of[a] < of[b]; });
    return sorted;
  }

  void migrate() {
    const auto before = population;
    const auto costs_before = costs;
    for (std::uint32_t island = 0; island < s.islands; ++island) {
      const auto from = from_best(costs_before, island);
      const auto to = from_best(costs_before, (island + 1) % s.islands);
      for (std::uint32_t i = 0; i < s.migrants; ++i) {
        population[to[s.population - 1 - i]] = before[from[i]];
        costs[to[s.population - 1 - i]] = costs_before[from[i]];
      }
    }
  }
};

}  // namespace oracle
