/// \file
/// A genetic algorithm of bits as a textbook has it, with std::mt19937_64 and a roulette wheel of cumulated weights: no
/// code, no random number and no trick is the library's. Only its means can be compared.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace oracle {

/// Minimises the ones of 1024 bits: roulette over the distance from the worst, two-point crossover that exchanges each
/// gene between the points with probability 0.8, each bit mutated with probability 0.0001.
class PlainOneMax {
 public:
  PlainOneMax(std::uint64_t seed, std::size_t population) : random_(seed), population_(population) {
    for (auto& individual : population_)
      for (auto& word : individual) word = random_();
  }

  /// The fewest ones.
  int best() const {
    const auto costs = this->costs();
    return *std::min_element(costs.begin(), costs.end());
  }

  void breed() {
    const auto costs = this->costs();
    const int worst = *std::max_element(costs.begin(), costs.end());
    std::vector<double> weights;
    weights.reserve(costs.size());
    for (const int cost : costs) weights.push_back(worst - cost);
    if (std::accumulate(weights.begin(), weights.end(), 0.0) == 0) weights.assign(weights.size(), 1);
    std::discrete_distribution<std::size_t> wheel(weights.begin(), weights.end());
    const auto weighty = std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
    std::vector<Individual> next;
    while (next.size() < population_.size()) {
      const auto mother = wheel(random_);
      auto father = wheel(random_);
      while (father == mother) father = weighty > 1 ? wheel(random_) : random_() % population_.size();
      auto [first, second] = cross(population_[mother], population_[father]);
      mutate(first);
      mutate(second);
      next.push_back(first);
      if (next.size() < population_.size()) next.push_back(second);
    }
    population_ = next;
  }

 private:
  static constexpr unsigned genes = 1024;
  using Individual = std::array<std::uint64_t, genes / 64>;

  std::vector<int> costs() const {
    std::vector<int> result;
    for (const auto& individual : population_) {
      int ones = 0;
      for (const auto word : individual) ones += std::popcount(word);
      result.push_back(ones);
    }
    return result;
  }

  std::pair<Individual, Individual> cross(Individual a, Individual b) {
    std::uniform_int_distribution<unsigned> point(0, genes - 1);
    std::bernoulli_distribution exchanged(0.8);
    const auto [begin, last] = std::minmax({point(random_), point(random_)});
    for (unsigned gene = begin; gene <= last; ++gene) {
      const auto bit = std::uint64_t{1} << gene % 64;
      if (((a[gene / 64] ^ b[gene / 64]) & bit) == 0 || !exchanged(random_)) continue;
      a[gene / 64] ^= bit;
      b[gene / 64] ^= bit;
    }
    return {a, b};
  }

  void mutate(Individual& individual) {
    std::geometric_distribution<unsigned> gap(0.0001);
    for (auto gene = gap(random_); gene < genes; gene += 1 + gap(random_))
      individual[gene / 64] ^= std::uint64_t{1} << gene % 64;
  }

  std::mt19937_64 random_;
  std::vector<Individual> population_;
};

}  // namespace oracle
