/// \file
/// The searches for a model as the formulas say them, with doubles, one merge at a time. Shares no code with the
/// solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace oracle {

using Population = std::vector<std::vector<std::uint8_t>>;  // individuals, loci
using Groups = std::vector<std::vector<std::uint32_t>>;

/// What a group adds to the combined complexity: N times its entropy, and log2(N + 1) for each free frequency.
inline double cost(const Population& population, const std::vector<std::uint32_t>& group) {
  std::vector<double> counts(std::size_t{1} << group.size());
  for (const auto& individual : population) {
    std::size_t pattern = 0;
    for (const auto locus : group) pattern = 2 * pattern + individual[locus];
    counts[pattern] += 1;
  }
  const auto n = static_cast<double>(population.size());
  double entropy = 0;
  for (const auto count : counts)
    if (count > 0) entropy -= count / n * std::log2(count / n);
  return n * entropy + std::log2(n + 1) * (std::pow(2.0, static_cast<double>(group.size())) - 1);
}

inline double cost(const Population& population, const Groups& groups) {
  double sum = 0;
  for (const auto& group : groups) sum += cost(population, group);
  return sum;
}

inline std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  auto both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::sort(both.begin(), both.end());
  return both;
}

/// Gains of pairs of groups, remembered; a pair that may not merge gains nothing.
class Gains {
 public:
  Gains(const Population& population, std::size_t largest) : population_(population), largest_(largest) {}

  double operator()(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    const auto size = a.size() + b.size();
    if (size > largest_ || (std::size_t{1} << size) > population_.size()) return 0;
    const auto [entry, is_new] = gains_.try_emplace(std::pair(a, b));
    if (is_new) entry->second = cost(population_, a) + cost(population_, b) - cost(population_, joined(a, b));
    return entry->second;
  }

 private:
  const Population& population_;
  std::size_t largest_;
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, double> gains_;
};

inline Groups single_loci(std::size_t length) {
  Groups groups;
  for (std::uint32_t i = 0; i < length; ++i) groups.push_back({i});
  return groups;
}

/// Greedy: the pair that lowers the complexity most, until none does. Groups stay in the order of their lowest loci, so
/// that the first best pair is the one that ties go to.
inline Groups greedy(const Population& population, std::size_t largest) {
  constexpr double nothing = 1e-7;
  Gains gains(population, largest);
  auto groups = single_loci(population[0].size());
  for (;;) {
    double best = nothing;
    std::size_t one = 0;
    std::size_t other = 0;
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (std::size_t j = i + 1; j < groups.size(); ++j)
        if (const auto gain = gains(groups[i], groups[j]); gain > best * (1 + 1e-12)) {
          best = gain;
          one = i;
          other = j;
        }
    if (other == 0) return groups;
    groups[one] = joined(groups[one], groups[other]);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(other));
  }
}

/// Mating (paper, section 3.3): all pairs that are each other's best companion merge in one step.
inline Groups mating(const Population& population, std::size_t largest) {
  constexpr double nothing = 1e-7;
  Gains gains(population, largest);
  auto groups = single_loci(population[0].size());
  for (;;) {
    const auto none = groups.size();
    std::vector<std::size_t> companion(groups.size(), none);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      double best = nothing;
      for (std::size_t j = 0; j < groups.size(); ++j) {
        if (i == j) continue;
        const auto gain = gains(groups[std::min(i, j)], groups[std::max(i, j)]);
        if (gain > best * (1 + 1e-12)) {
          best = gain;
          companion[i] = j;
        }
      }
    }
    Groups next;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto j = companion[i];
      const bool couple = j != none && companion[j] == i;
      if (!couple) next.push_back(groups[i]);
      if (couple && i < j) next.push_back(joined(groups[i], groups[j]));
    }
    if (next.size() == groups.size()) return groups;
    groups = next;
  }
}

/// Individuals whose loci hang together in blocks, more or less.
inline Population random_population(std::mt19937_64& random, std::size_t individuals, std::size_t length) {
  const std::size_t block = 1 + random() % 7;
  const auto noise = static_cast<double>(random() % 100) / 150;
  const auto bias = 0.1 + static_cast<double>(random() % 80) / 100;
  std::uniform_real_distribution<double> uniform(0, 1);
  // Loci are spread, so that a block's are no neighbours.
  std::vector<std::uint32_t> place(length);
  for (std::uint32_t i = 0; i < length; ++i) place[i] = i;
  std::shuffle(place.begin(), place.end(), random);
  Population population(individuals, std::vector<std::uint8_t>(length));
  for (auto& individual : population)
    for (std::size_t i = 0; i < length; ++i) {
      const bool follows = i % block != 0 && uniform(random) > noise;
      individual[place[i]] = follows ? individual[place[i - 1]] : static_cast<std::uint8_t>(uniform(random) < bias);
    }
  return population;
}

/// As the solver takes it: bit i % 32 of word i / 32 * individuals + k is locus i of individual k.
inline std::vector<std::uint32_t> words_of(const Population& population) {
  const auto length = population[0].size();
  std::vector<std::uint32_t> words((length + 31) / 32 * population.size());
  for (std::size_t k = 0; k < population.size(); ++k)
    for (std::size_t i = 0; i < length; ++i)
      words[i / 32 * population.size() + k] |= std::uint32_t{population[k][i]} << i % 32;
  return words;
}

}  // namespace oracle
