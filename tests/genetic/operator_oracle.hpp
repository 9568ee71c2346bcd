/// \file
/// One generation of numbers or permutations, from the published formulas, in doubles. Nothing here shares code with
/// the library; the random numbers are the run's own.
///
/// Line: Muehlenbein and Schlierkamp-Voosen, Predictive models for the breeder genetic algorithm, 1993 (extended
/// intermediate recombination). Simulated binary: Deb and Agrawal, Simulated binary crossover for continuous search
/// space, 1995. Polynomial: Deb and Goyal, A combined genetic adaptive search, 1996. Gaussian: Box and Muller, 1958.
/// Order: Davis, Applying adaptive algorithms to epistatic domains, 1985.
#pragma once

#include "addresses.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace oracle {

/// What a setting of numbers has besides. Selection is a tournament of one: two different individuals, drawn uniformly.
struct NumberSetting : Setting {
  bool integers = false;
  bool doubles = false;
  double lower = -1;
  double upper = 1;
  double line_extension = 0.25;
  double distribution_index = 15;
  std::string mutation_kind = "step";
  double step = 0.01;  ///< as a number, not as a part of the range
  double mutation_index = 20;
};

using Genes = std::vector<double>;

/// A fraction in [0, 1) of the precision's own number of bits.
inline double fraction(const NumberSetting& s, std::uint32_t word) {
  return s.doubles ? std::ldexp(word, -32) : std::ldexp(word >> 8, -24);
}

inline bool accepts(double probability, std::uint32_t word) {
  return word < static_cast<std::uint64_t>(std::rint(std::ldexp(probability, 32)));
}

inline double clamped(const NumberSetting& s, double value) { return std::min(std::max(value, s.lower), s.upper); }

inline std::pair<std::uint32_t, std::uint32_t> uniform_parents(const Setting& s, std::uint32_t g, std::uint32_t pair) {
  const auto first = below(s, selection, g, pair, 0, s.population);
  for (std::uint32_t turn = 1; turn <= 12; ++turn)
    if (const auto second = below(s, selection, g, pair, turn << 20, s.population); second != first)
      return {first, second};
  const auto other = below(s, selection, g, pair, 13U << 20, s.population - 1);
  return {first, other < first ? other : other + 1};
}

inline void recombine(const NumberSetting& s, std::uint32_t g, std::uint32_t pair, Genes& first, Genes& second) {
  const auto [begin, last] = between(s, g, pair);
  for (auto gene = begin; gene <= last; ++gene) {
    const auto block = philox(s.seed, crossover, g, pair, gene);
    if (!accepts(s.crossover, block[0])) continue;
    const double a = first[gene];
    const double b = second[gene];
    if (s.crossover_kind == "line") {
      const auto factor = [&](std::uint32_t word) {
        return -s.line_extension + (1 + 2 * s.line_extension) * fraction(s, word);
      };
      first[gene] = clamped(s, a + factor(block[1]) * (b - a));
      second[gene] = clamped(s, b + factor(block[2]) * (a - b));
    } else if (s.crossover_kind == "simulated-binary") {
      const double u = fraction(s, block[3]);
      const double exponent = 1 / (s.distribution_index + 1);
      const double beta = u <= 0.5 ? std::pow(2 * u, exponent) : std::pow(1 / (2 * (1 - u)), exponent);
      first[gene] = clamped(s, ((1 + beta) * a + (1 - beta) * b) / 2);
      second[gene] = clamped(s, ((1 - beta) * a + (1 + beta) * b) / 2);
    } else {
      std::swap(first[gene], second[gene]);
    }
  }
}

inline double moved(const NumberSetting& s, double value, const Block& block) {
  double move = 0;
  if (s.mutation_kind == "step") {
    move = block[0] % 2 != 0 ? s.step : -s.step;
  } else if (s.mutation_kind == "gaussian") {
    const double pi = std::acos(-1.0);
    move = s.step * std::sqrt(-2 * std::log(1 - fraction(s, block[0]))) * std::cos(2 * pi * fraction(s, block[1]));
  } else {
    const double u = fraction(s, block[0]);
    const double exponent = 1 / (s.mutation_index + 1);
    const double delta = u < 0.5 ? std::pow(2 * u, exponent) - 1 : 1 - std::pow(2 * (1 - u), exponent);
    move = delta * (s.upper - s.lower);
  }
  return clamped(s, value + (s.integers ? std::nearbyint(move) : move));
}

/// The start population.
inline std::vector<Genes> start_numbers(const NumberSetting& s) {
  std::vector<Genes> population(s.population, Genes(s.genes));
  for (std::uint32_t i = 0; i < s.population; ++i)
    for (std::uint32_t gene = 0; gene < s.genes; ++gene) {
      const auto block = philox(s.seed, start, 0, i, gene);
      const auto word = std::uint64_t{block[1]} << 32 | block[0];
      if (s.integers)
        population[i][gene] =
            s.lower + static_cast<double>(Uint128{word} * static_cast<std::uint64_t>(s.upper - s.lower + 1) >> 64);
      else
        population[i][gene] =
            s.lower + (s.upper - s.lower) * (s.doubles ? std::ldexp(static_cast<double>(word >> 11), -53)
                                                       : std::ldexp(static_cast<double>(word >> 40), -24));
    }
  return population;
}

/// Breeds generation g of numbers.
inline std::vector<Genes> breed_numbers(const NumberSetting& s, std::uint32_t g, const std::vector<Genes>& population) {
  std::vector<Genes> next;
  for (std::uint32_t pair = 0; next.size() < population.size(); ++pair) {
    const auto [mother, father] = uniform_parents(s, g, pair);
    Genes children[2] = {population[mother], population[father]};
    recombine(s, g, pair, children[0], children[1]);
    for (std::uint32_t child = 0; child < 2 && next.size() < population.size(); ++child) {
      const auto changes = mutated(s, g, pair, child);
      const auto individual = static_cast<std::uint32_t>(next.size());
      for (std::uint32_t gene = 0; gene < s.genes; ++gene)
        if (changes[gene])
          children[child][gene] = moved(s, children[child][gene], philox(s.seed, change, g, individual, gene));
      next.push_back(children[child]);
    }
  }
  return next;
}

/// The start population of permutations: Fisher and Yates' shuffle, from the inside out.
inline std::vector<Genes> start_permutations(const Setting& s) {
  std::vector<Genes> population;
  for (std::uint32_t i = 0; i < s.population; ++i) {
    Genes genes;
    for (std::uint32_t gene = 0; gene < s.genes; ++gene) {
      genes.push_back(gene);
      std::swap(genes.back(), genes[below(s, start, 0, i, gene, gene + 1)]);
    }
    population.push_back(genes);
  }
  return population;
}

/// Davis's order crossover: the genes of `kept` from `first` to `last`; behind them, around the end, those of `other`
/// that are missing, in its order from behind `last` on.
inline Genes order_child(const Genes& kept, const Genes& other, std::uint32_t first, std::uint32_t last) {
  const auto size = static_cast<std::uint32_t>(kept.size());
  const std::vector<double> middle(kept.begin() + first, kept.begin() + last + 1);
  Genes missing;
  for (std::uint32_t k = 1; k <= size; ++k) {
    const double gene = other[(last + k) % size];
    if (std::find(middle.begin(), middle.end(), gene) == middle.end()) missing.push_back(gene);
  }
  Genes child = kept;
  for (std::uint32_t k = 0; k < missing.size(); ++k) child[(last + 1 + k) % size] = missing[k];
  return child;
}

/// Breeds generation g of permutations; mutation_kind is "swap" or "inversion".
inline std::vector<Genes> breed_permutations(const NumberSetting& s, std::uint32_t g,
                                             const std::vector<Genes>& population) {
  std::vector<Genes> next;
  for (std::uint32_t pair = 0; next.size() < population.size(); ++pair) {
    const auto [mother, father] = uniform_parents(s, g, pair);
    const auto& a = population[mother];
    const auto& b = population[father];
    Genes children[2] = {a, b};
    if (accepts(s.crossover, philox(s.seed, order, g, pair, 0)[0])) {
      const auto [first, last] = between(s, g, pair);
      children[0] = order_child(a, b, first, last);
      children[1] = order_child(b, a, first, last);
    }
    for (std::uint32_t child = 0; child < 2 && next.size() < population.size(); ++child) {
      auto& genes = children[child];
      const auto changes = mutated(s, g, pair, child);
      const auto individual = static_cast<std::uint32_t>(next.size());
      for (std::uint32_t gene = 0; gene < s.genes; ++gene) {
        if (!changes[gene]) continue;
        const auto other = below(s, change, g, individual, gene, s.genes);
        if (s.mutation_kind == "swap")
          std::swap(genes[gene], genes[other]);
        else
          std::reverse(genes.begin() + std::min(gene, other), genes.begin() + std::max(gene, other) + 1);
      }
      next.push_back(genes);
    }
  }
  return next;
}

}  // namespace oracle
