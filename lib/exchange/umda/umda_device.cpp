#include <algorithm>
#include <chrono>
#include <device/build_ahead.hpp>
#include <device/doubt.hpp>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "fitness.hpp"
#include "rows.hpp"
#include "umda.hpp"

namespace clopt::exchange {
namespace {

/// Generations that are launched between two reads of the fitness.
constexpr std::uint32_t generations_between_reads = 32;
/// Work-items that sample, each two pairs of a work-group's blocks.
constexpr std::uint32_t sample_group_size = EXCHANGE_SAMPLE_BLOCKS * EXCHANGE_BLOCK_PAIRS / 2;

class UmdaOnDevice : public DeviceUmda {
 public:
  UmdaOnDevice(const std::shared_ptr<Device>& device, const GeneTable& table, const Population& population)
      : fitness_device_(device, table, population, Method::links),
        population_(population),
        row_(compact_row(table.genes, population.slots)),
        queue_(device->queue()) {
    const std::size_t n = population.individuals;
    table_ = table.genes;
    genes_ = zeroed_buffer<std::uint32_t>(*device, *queue_, "population", (n + n / 2) * row_.words);
    replaced_ = zeroed_buffer<std::uint32_t>(*device, *queue_, "replaced individuals", n / 2);
    found_ = device->buffer<std::uint32_t>("generation of a schedule", 1);
    for (auto& places : places_) {
      places.fitness = device->buffer<std::uint64_t>("fitness", n);
      places.rows = zeroed_buffer<std::uint32_t>(*device, *queue_, "rows", n);
      places.spare_rows = zeroed_buffer<std::uint32_t>(*device, *queue_, "spare rows", n / 2);
    }
    const auto begin = std::chrono::steady_clock::now();
    BuildAhead builds;
    first_ = device->kernel<operations::FirstPopulation>();
    sample_ = device->kernel<operations::Sample>();
    replace_ = device->kernel<operations::Replace>();
    builds.finish();
    build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    group_size_ = std::min({fitness_device_.group_size(), replace_.max_group_size()});
    sample_size_ = std::min(sample_group_size, sample_.max_group_size());
  }

  void start(const UmdaState* state) override {
    const std::uint32_t n = population_.individuals;
    if (state) generation_ = state->generation;
    auto& now = places(generation_);
    std::vector<std::uint32_t> rows(n + n / 2);
    std::iota(rows.begin(), rows.end(), 0U);
    queue_->write(now.rows, std::span(rows).first(n));
    queue_->write(now.spare_rows, std::span(rows).subspan(n));
    queue_->write(found_, std::vector<std::uint32_t>{0});
    host_fitness_.resize(n);
    if (state) {
      std::vector<std::uint32_t> packed(std::size_t{n} * row_.words);
      for (std::size_t i = 0; i < n; ++i)
        pack_genes(row_, 0, std::span(state->genes).subspan(i * population_.genes, population_.genes),
                   packed.data() + i * row_.words);
      queue_->write(genes_, packed);
      queue_->write(now.fitness, state->fitness);
      host_fitness_ = state->fitness;
      return;
    }
    queue_->launch(first_, Range{{population_.genes, n, 1}, {0, 1, 1}},
                   {.genes = genes_, .table = fitness_device_.table(), .population = population_, .row = row_});
    fitness_device_.launch_links(*queue_, genes_, row_, now.fitness, n);
    queue_->read(now.fitness, std::span(host_fitness_));
  }

  void advance(std::uint32_t most) override {
    const std::uint32_t count = std::min(most, generations_between_reads);
    for (std::uint32_t i = 0; i < count; ++i) launch_generation(generation_ + i);
    std::uint32_t found = 0;
    queue_->read(found_, std::span(&found, 1));
    // The first population may have a schedule already.
    if (found != 0 && (found - 1 < generation_ || found - 1 > generation_ + count))
      doubt(device(), fmt::format("finds a schedule in generation {}, after {}", found - 1, generation_ + count));
    generation_ = found != 0 ? found - 1 : generation_ + count;
    queue_->read(places(generation_).fitness, std::span(host_fitness_));
    if (found != 0 && *std::min_element(host_fitness_.begin(), host_fitness_.end()) != 0)
      doubt(device(), "finds a schedule, and no individual without conflicts");
  }

  std::uint32_t generation() const override { return generation_; }
  std::span<const std::uint64_t> fitness() const override { return host_fitness_; }

  UmdaState state() override {
    const std::size_t genes = population_.genes;
    std::vector<std::uint32_t> rows(population_.individuals);
    queue_->read(places(generation_).rows, std::span(rows));
    const auto all = queue_->read_all(genes_);
    for (const auto row : rows) require_row(row);
    UmdaState state{generation_, std::vector<std::uint32_t>(rows.size() * genes), host_fitness_};
    for (std::size_t i = 0; i < rows.size(); ++i)
      unpack_genes(row_, all.data() + std::size_t{rows[i]} * row_.words, 0,
                   std::span(state.genes).subspan(i * genes, genes));
    for (std::size_t i = 0; i < state.genes.size(); ++i) require_gene(i % genes, state.genes[i]);
    return state;
  }

  Migrant best() override {
    const auto least = std::min_element(host_fitness_.begin(), host_fitness_.end());
    std::vector<std::uint32_t> packed(row_.words);
    queue_->read(genes_, std::span(packed), place_of(least));
    Migrant migrant{*least, std::vector<std::uint32_t>(population_.genes)};
    unpack_genes(row_, packed.data(), 0, migrant.genes);
    for (std::size_t i = 0; i < migrant.genes.size(); ++i) require_gene(i, migrant.genes[i]);
    return migrant;
  }

  void take(const Migrant& migrant) override {
    const auto greatest = std::max_element(host_fitness_.begin(), host_fitness_.end());
    std::vector<std::uint32_t> packed(row_.words);
    pack_genes(row_, 0, migrant.genes, packed.data());
    queue_->write(genes_, packed, place_of(greatest));
    *greatest = migrant.fitness;
    queue_->write(places(generation_).fitness, std::span<const std::uint64_t>(&*greatest, 1),
                  static_cast<std::size_t>(greatest - host_fitness_.begin()));
  }

  double build_seconds() const override { return build_seconds_ + fitness_device_.build_seconds(); }
  std::uint64_t launches() const override { return queue_->counts().launches; }

 private:
  /// Where individuals are, and what they are worth.
  struct Places {
    Buffer<std::uint64_t> fitness;
    Buffer<std::uint32_t> rows, spare_rows;
  };
  const Device& device() const { return fitness_device_.device(); }
  // What a device says is looked up only where it can be.
  void require_row(std::uint32_t row) const {
    if (row >= population_.individuals + population_.individuals / 2)
      doubt(device(), fmt::format("has an individual in row {}, which is not there", row));
  }
  void require_gene(std::size_t number, std::uint32_t gene) const {
    if (shared::exchange_gene_slot(gene) >= population_.slots ||
        shared::exchange_gene_path(gene) >= table_[number].paths)
      doubt(device(), fmt::format("has a gene {}, which is out of range", gene));
  }
  // Where an individual's genes begin.
  std::size_t place_of(std::vector<std::uint64_t>::const_iterator individual) {
    std::uint32_t row = 0;
    queue_->read(places(generation_).rows, std::span(&row, 1),
                 static_cast<std::size_t>(individual - host_fitness_.begin()));
    require_row(row);
    return std::size_t{row} * row_.words;
  }
  Places& places(std::uint32_t generation) { return places_[generation % 2]; }

  void launch_generation(std::uint32_t before) {
    population_.generation = before + 1;
    const std::uint32_t made = population_.individuals / 2;
    const auto& now = places(before);
    const auto& next = places(before + 1);
    const auto words = fitness_device_.histogram_words();
    const std::size_t blocks = (population_.genes + EXCHANGE_BLOCK - 1) / EXCHANGE_BLOCK;
    const std::size_t groups = (blocks + EXCHANGE_SAMPLE_BLOCKS - 1) / EXCHANGE_SAMPLE_BLOCKS;
    const std::size_t chunks = (made + EXCHANGE_CHUNK - 1) / EXCHANGE_CHUNK;
    queue_->launch(sample_, Range{{groups * sample_size_, chunks, 1}, {sample_size_, 1, 1}},
                   {.genes = genes_,
                    .table = fitness_device_.table(),
                    .fitness = now.fitness,
                    .rows = now.rows,
                    .spare_rows = now.spare_rows,
                    .next_fitness = next.fitness,
                    .next_rows = next.rows,
                    .next_spare_rows = next.spare_rows,
                    .replaced = replaced_,
                    .found = found_,
                    .population = population_,
                    .row = row_,
                    .pairing = shared::exchange_pairing(population_)});
    queue_->launch(replace_, Range::of_groups(made, group_size_),
                   {.genes = genes_,
                    .footprints = fitness_device_.footprints(),
                    .elements = fitness_device_.elements(),
                    .table = fitness_device_.table(),
                    .paths = fitness_device_.paths(),
                    .spare_rows = now.spare_rows,
                    .replaced = replaced_,
                    .next_fitness = next.fitness,
                    .found = found_,
                    .population = population_,
                    .row = row_,
                    .places_an_element = fitness_device_.places_an_element(),
                    .row_words = fitness_device_.row_words(),
                    .words = words,
                    .uses = Local<std::uint32_t>(words)});
  }

  FitnessDevice fitness_device_;
  std::span<const Gene> table_;
  Population population_;
  Row row_;
  std::unique_ptr<Queue> queue_;
  std::uint32_t generation_ = 0;
  std::uint32_t group_size_ = 1;
  std::uint32_t sample_size_ = 1;
  double build_seconds_ = 0;
  std::vector<std::uint64_t> host_fitness_;
  Buffer<std::uint32_t> genes_, replaced_, found_;
  Places places_[2];
  Kernel<operations::FirstPopulation> first_;
  Kernel<operations::Sample> sample_;
  Kernel<operations::Replace> replace_;
};

}  // namespace

std::unique_ptr<DeviceUmda> make_device_umda(const std::shared_ptr<Device>& device, const GeneTable& table,
                                             const Population& population) {
  return std::make_unique<UmdaOnDevice>(device, table, population);
}

}  // namespace clopt::exchange
