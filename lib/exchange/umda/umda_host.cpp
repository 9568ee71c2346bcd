#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "fitness.hpp"
#include "mutation.hpp"
#include "sampling.hpp"
#include "umda.hpp"

namespace clopt::exchange {
namespace {

/// Parents in rows of genes.
class ParentRows : public ParentGenes {
 public:
  ParentRows(const std::uint32_t* genes, std::span<const std::uint32_t> rows, std::uint32_t row_genes)
      : genes_(genes), rows_(rows), row_genes_(row_genes) {}
  void copy(std::uint32_t individual, std::uint32_t first, std::uint32_t count, std::uint32_t* to) const override {
    std::copy_n(row(individual) + first, count, to);
  }
  void prefetch(std::uint32_t individual, std::uint32_t first) const override {
    constexpr std::uint32_t line = 64 / sizeof(std::uint32_t);
    for (std::uint32_t i = 0; i < EXCHANGE_BLOCK; i += line) __builtin_prefetch(row(individual) + first + i);
  }

 private:
  const std::uint32_t* row(std::uint32_t individual) const {
    return genes_ + std::size_t{rows_[individual]} * row_genes_;
  }
  const std::uint32_t* genes_;
  std::span<const std::uint32_t> rows_;
  std::uint32_t row_genes_;
};

/// The optimiser on the host, the fitness on the devices (sections 3.2 and 3.6 of the paper).
class HostUmda : public Umda {
 public:
  HostUmda(FitnessTeam& team, const GeneTable& table, const Population& population)
      : Umda(population), table_(table), team_(team) {}

  void start(const UmdaState* state) override {
    const std::size_t n = population_.individuals;
    rows_.resize(n);
    spare_rows_.resize(n / 2);
    std::iota(rows_.begin(), rows_.end(), 0U);
    std::iota(spare_rows_.begin(), spare_rows_.end(), population_.individuals);
    // Unset: the threads that make the individuals are the first to touch their memory.
    genes_ = std::make_unique_for_overwrite<std::uint32_t[]>((n + n / 2) * population_.genes);
    if (state) {
      generation_ = state->generation;
      fitness_ = state->fitness;
      std::copy(state->genes.begin(), state->genes.end(), genes_.get());
      update_extremes();
      return;
    }
    fitness_.resize(n);
    team_.evaluate(
        population_.individuals,
        [this](std::uint32_t first, std::uint32_t end, std::uint32_t* genes) {
          for (std::uint32_t i = first; i < end; ++i) make_first_individual(population_, i, table_.genes, row(i));
          std::copy_n(row(first), std::size_t{end - first} * population_.genes, genes);
        },
        fitness_);
    update_extremes();
  }

  std::span<const std::uint64_t> fitness() override { return fitness_; }
  void begin(std::uint32_t end) override { end_ = end; }
  void finish() override {
    while (generation_ < end_ && !has_found()) make_generation();
  }

  Migrant best() override {
    const auto* const genes = row(rows_[extremes_.best]);
    return {extremes_.least, {genes, genes + population_.genes}};
  }
  void for_each_genes(const TakeGenes& take) override {
    for (const auto own : rows_) take({row(own), population_.genes});
  }
  void take(const Migrant& migrant) override {
    std::copy(migrant.genes.begin(), migrant.genes.end(), row(rows_[extremes_.worst]));
    fitness_[extremes_.worst] = migrant.fitness;
  }

 private:
  void update_extremes() { extremes_ = extremes_of(fitness_); }
  std::uint32_t* row(std::size_t number) { return genes_.get() + number * population_.genes; }

  // New individuals get spare rows, which are those of the replaced ones afterwards.
  void make_generation() {
    const std::uint32_t made = population_.individuals / 2;
    population_.generation = ++generation_;
    const ParentRows parents(genes_.get(), rows_, population_.genes);
    std::vector<std::uint64_t> fitness(made);
    team_.evaluate(
        made,
        [&](std::uint32_t first, std::uint32_t end, std::uint32_t* genes) {
          std::vector<std::uint32_t*> own;
          for (std::uint32_t k = first; k < end; ++k) own.push_back(row(spare_rows_[k]));
          sample_individuals(population_, first, end, fitness_, parents, own);
          Mutation mutation(population_, table_.genes, table_.paths);
          for (std::uint32_t k = first; k < end; ++k) {
            mutation.mutate(population_, k, own[k - first]);
            genes = std::copy_n(own[k - first], population_.genes, genes);
          }
        },
        fitness);
    const auto pairing = shared::exchange_pairing(population_);
    for (std::uint32_t k = 0; k < made; ++k) {
      const auto pair = shared::exchange_pair(population_, pairing, k);
      const std::uint32_t replaced = fitness_[pair.b] < fitness_[pair.a] ? pair.a : pair.b;
      std::swap(rows_[replaced], spare_rows_[k]);
      fitness_[replaced] = fitness[k];
    }
    update_extremes();
  }

  const GeneTable& table_;
  FitnessTeam& team_;
  std::uint32_t end_ = 0;               ///< the generation that finish() comes to
  std::vector<std::uint64_t> fitness_;  ///< of each individual
  std::unique_ptr<std::uint32_t[]> genes_;
  std::vector<std::uint32_t> rows_, spare_rows_;
};

}  // namespace

std::unique_ptr<Umda> make_host_umda(FitnessTeam& team, const GeneTable& table, const Population& population) {
  return std::make_unique<HostUmda>(team, table, population);
}

}  // namespace clopt::exchange
