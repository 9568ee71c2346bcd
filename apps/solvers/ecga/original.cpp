#include "original.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <frame/output/output.hpp>

namespace clopt::apps::ecga {
namespace {

using Group = std::vector<std::uint32_t>;

constexpr std::uint32_t order = 5;
constexpr std::uint32_t tournament = 8;

// How often each schema of a group occurs.
std::vector<std::uint32_t> count(const Individuals& individuals, const Group& group) {
  std::vector<std::uint32_t> counts(std::size_t{1} << group.size());
  for (const auto& individual : individuals) {
    std::size_t schema = 0;
    for (const auto locus : group) schema = 2 * schema + individual[locus];
    ++counts[schema];
  }
  return counts;
}

// The combined complexity of a group, in bits (equation 1).
double complexity(const Individuals& individuals, const Group& group) {
  const auto size = static_cast<double>(individuals.size());
  double bits = 0;
  for (const auto each : count(individuals, group))
    if (each > 0) bits -= each * std::log2(each / size);
  return bits + std::log2(size + 1) * (std::exp2(static_cast<double>(group.size())) - 1);
}

Group merged(const Group& one, const Group& other) {
  Group both = one;
  both.insert(both.end(), other.begin(), other.end());
  std::sort(both.begin(), both.end());
  return both;
}

// The model in the making, with what each merge would save.
class OriginalSearch {
 public:
  OriginalSearch(const Individuals& individuals, std::uint32_t largest_group, std::function<bool()> expired)
      : individuals_(individuals), expired_(std::move(expired)), largest_group_(largest_group) {
    const auto length = static_cast<std::uint32_t>(individuals.front().size());
    for (std::uint32_t locus = 0; locus < length; ++locus) groups_.push_back({locus});
    for (const auto& each : groups_) complexities_.push_back(complexity(individuals_, each));
    gains_.assign(length, std::vector<double>(length));
    for (std::size_t one = 0; one < length && !expired_(); ++one)
      for (std::size_t other = one + 1; other < length; ++other) gains_[one][other] = gain(one, other);
  }

  clopt::ecga::Model run() {
    while (!expired_()) {
      std::size_t best_one = 0, best_other = 0;
      double best = 0;
      for (std::size_t one = 0; one < groups_.size(); ++one)
        for (std::size_t other = one + 1; other < groups_.size(); ++other)
          if (gains_[one][other] > best) best = gains_[one][other], best_one = one, best_other = other;
      if (best <= 0) break;
      merge(best_one, best_other);
    }
    auto model = groups_;
    std::erase_if(model, [](const Group& group) { return group.empty(); });
    return model;
  }

 private:
  double gain(std::size_t one, std::size_t other) const {
    if (groups_[one].empty() || groups_[other].empty()) return 0;
    const auto size = groups_[one].size() + groups_[other].size();
    if (size > largest_group_ || (std::size_t{1} << size) > individuals_.size()) return 0;
    return complexities_[one] + complexities_[other] - complexity(individuals_, merged(groups_[one], groups_[other]));
  }

  void merge(std::size_t one, std::size_t other) {
    groups_[one] = merged(groups_[one], groups_[other]);
    groups_[other].clear();
    complexities_[one] = complexity(individuals_, groups_[one]);
    for (std::size_t each = 0; each < groups_.size(); ++each) {
      if (each != one) gains_[std::min(each, one)][std::max(each, one)] = gain(each, one);
      if (each != other) gains_[std::min(each, other)][std::max(each, other)] = 0;
    }
  }

  const Individuals& individuals_;
  std::function<bool()> expired_;
  std::uint32_t largest_group_;
  std::vector<Group> groups_;
  std::vector<double> complexities_;
  std::vector<std::vector<double>> gains_;
};

std::uint32_t trap(const std::vector<std::uint8_t>& individual) {
  std::uint32_t value = 0;
  for (std::size_t first = 0; first < individual.size(); first += order) {
    std::uint32_t ones = 0;
    for (std::size_t i = 0; i < order; ++i) ones += individual[first + i];
    value += ones == order ? order : order - 1 - ones;
  }
  return value;
}

Individuals selected(const Individuals& individuals, std::mt19937_64& random) {
  std::vector<std::uint32_t> fitness;
  for (const auto& each : individuals) fitness.push_back(trap(each));
  std::uniform_int_distribution<std::size_t> any(0, individuals.size() - 1);
  Individuals winners;
  while (winners.size() < individuals.size()) {
    std::size_t best = any(random);
    for (std::uint32_t i = 1; i < tournament; ++i)
      if (const auto other = any(random); fitness[other] > fitness[best]) best = other;
    winners.push_back(individuals[best]);
  }
  return winners;
}

// Each group of a child is that of any selected individual, which samples the model's distribution.
Individuals sampled(const Individuals& parents, const clopt::ecga::Model& model, std::mt19937_64& random) {
  std::uniform_int_distribution<std::size_t> any(0, parents.size() - 1);
  Individuals children = parents;
  for (auto& child : children)
    for (const auto& group : model) {
      const auto& parent = parents[any(random)];
      for (const auto locus : group) child[locus] = parent[locus];
    }
  return children;
}

}  // namespace

clopt::ecga::Model original_model(const Individuals& individuals, std::uint32_t largest_group) {
  return OriginalSearch(individuals, largest_group, [] { return false; }).run();
}

OriginalRun run_original(std::uint32_t length, std::uint64_t population, std::uint64_t seed,
                         const RunControl& control) {
  constexpr std::uint32_t largest_group = 10;
  const Stopwatch watch;
  const auto expired = [&] {
    return control.stop.stop_requested() || watch.seconds() > control.time_limit.value_or(1e9);
  };
  std::mt19937_64 random(seed);
  Individuals individuals(population, std::vector<std::uint8_t>(length));
  for (auto& individual : individuals)
    for (auto& value : individual) value = static_cast<std::uint8_t>(random() & 1);
  OriginalRun run;
  while (!run.converged && !expired()) {
    const auto parents = selected(individuals, random);
    const double before = watch.seconds();
    const auto model = OriginalSearch(parents, largest_group, expired).run();
    run.model_seconds += watch.seconds() - before;
    individuals = sampled(parents, model, random);
    ++run.generations;
    run.converged = !expired() && std::all_of(individuals.begin(), individuals.end(),
                                              [&](const auto& each) { return each == individuals.front(); });
  }
  run.whole_seconds = watch.seconds();
  return run;
}

}  // namespace clopt::apps::ecga
