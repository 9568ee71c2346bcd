/// \file
/// A run's state: taken from a checkpoint, read for one, and its checksum.
#include "run.hpp"

#include <device/transfer/read_in_pieces.hpp>
#include <device/verification/fault_detection.hpp>
#include <support/numbers/checksum.hpp>

#include <algorithm>

namespace clopt::ecga {
void Run::load_population(std::span<const std::uint32_t> population) {
  queue_->fill(population_, 0U);
  for (std::uint32_t word = 0; word < dimensions_.words; ++word)
    queue_->write(population_, population.subspan(std::size_t{word} * dimensions_.individuals, dimensions_.individuals),
                  std::size_t{word} * dimensions_.stride());
}

void Run::load(const State& start) {
  load_population(start.population);
  fitness_->load(start);
  has_best_ = true;
  queue_->write(best_, start.best_genes);
  best_fitness_ = start.best_fitness;
  best_mean_ = start.best_mean;
  improved_at_ = start.improved_at;
  statistics_.generation = start.generation;
  statistics_.evaluations = start.evaluations;
  model_ = start.model;
  best_model_ = start.best_model;
  models_ = start.models;
  statistics_.model = model_;
}

std::vector<std::uint32_t> Run::read_best() const {
  auto words = queue_->read_all(best_);
  if (dimensions_.length % 32 != 0 && words.back() >> dimensions_.length % 32 != 0)
    report_fault(device_, "gives the best individual genes beyond its last one");
  return words;
}

std::vector<std::uint8_t> Run::genes_of(std::span<const std::uint32_t> words) const {
  std::vector<std::uint8_t> genes(dimensions_.length);
  for (std::uint32_t i = 0; i < dimensions_.length; ++i) genes[i] = words[i / 32] >> i % 32 & 1;
  return genes;
}

std::vector<std::uint32_t> Run::read_population() const {
  HostArray<std::uint32_t> population(std::size_t{dimensions_.words} * dimensions_.individuals);
  Event last;
  for (std::uint32_t word = 0; word < dimensions_.words; ++word)
    last = queue_->read_later(population_,
                              population.part(std::size_t{word} * dimensions_.individuals, dimensions_.individuals),
                              std::size_t{word} * dimensions_.stride());
  last.wait();
  return population.take();
}

State Run::state(std::vector<std::uint32_t> best) const {
  State state;
  state.generation = statistics_.generation;
  state.evaluations = statistics_.evaluations;
  state.population = read_population();
  fitness_->keep(state);
  state.best_genes = std::move(best);
  state.best_fitness = best_fitness_;
  state.best_mean = best_mean_;
  state.improved_at = improved_at_;
  state.is_improved = is_improved_;
  state.model = model_;
  state.best_model = best_model_;
  state.models = models_;
  return state;
}

std::uint64_t Run::checksum(const std::vector<std::uint32_t>& best) const {
  Checksum checksum;
  checksum.add(statistics_.generation);
  std::size_t place = 0;  // of a piece in a word of all individuals and what lies behind the last one
  read_in_pieces(device_, *queue_, population_, [&](std::span<const std::uint32_t> piece) {
    while (!piece.empty()) {
      const auto here = std::min(piece.size(), dimensions_.stride() - place);
      if (place < dimensions_.individuals) checksum.add(piece.first(std::min(here, dimensions_.individuals - place)));
      place = (place + here) % dimensions_.stride();
      piece = piece.subspan(here);
    }
  });
  fitness_->add_to(checksum);
  checksum.add(std::span<const std::uint32_t>(best));
  // The model as checkpoints have it: the sizes of all groups, then their loci.
  for (const auto& group : model_) checksum.add(static_cast<std::uint32_t>(group.size()));
  for (const auto& group : model_) checksum.add(std::span<const std::uint32_t>(group));
  return checksum.value();
}

}  // namespace clopt::ecga
