#include <algorithm>
#include <device/kernels/build_ahead.hpp>
#include <device/transfer/read_in_pieces.hpp>
#include <device/verification/fault_detection.hpp>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "fitness.hpp"
#include "gene_rows.hpp"
#include "umda.hpp"

namespace clopt::exchange {
namespace {

/// Work-items that sample, each two pairs of a work-group's blocks.
constexpr std::uint32_t sample_group_size = EXCHANGE_SAMPLE_BLOCKS * EXCHANGE_BLOCK_PAIRS / 2;
/// Bytes of unpacked genes that are read at once, at least an individual's: enough for several threads that take their
/// checksums, and no more than a part of the population itself.
constexpr std::size_t unpacked_bytes = std::size_t{4} << 20;
constexpr std::size_t least_pieces = 8;

class UmdaOnDevice : public DeviceUmda {
 public:
  UmdaOnDevice(const std::shared_ptr<Device>& device, const GeneTable& table, const Population& population)
      : DeviceUmda(population),
        fitness_device_(device, table, population, Method::links),
        row_(compact_row(table.genes, population.slots)),
        queue_(device->queue()) {
    const std::size_t n = population.individuals;
    const auto bytes_each = std::size_t{population.genes} * sizeof(std::uint32_t);
    unpacked_at_once_ = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(std::min(unpacked_bytes / bytes_each, n / least_pieces), 1, n));
    table_ = table.genes;
    genes_ = zeroed_buffer<std::uint32_t>(*device, *queue_, "population", (n + n / 2) * row_.words);
    replaced_ = zeroed_buffer<std::uint32_t>(*device, *queue_, "replaced individuals", n / 2);
    found_ = device->buffer<std::uint32_t>("generation of a schedule", 1);
    unpacked_ =
        device->buffer<std::uint32_t>("genes of some individuals", unpacked_at_once_ * std::size_t{population.genes});
    found_extremes_ = device->buffer<DeviceExtremes>("extremes", 1);
    best_genes_ = device->buffer<std::uint32_t>("genes of the best individual", row_.words);
    host_extremes_ = fast_memory<DeviceExtremes>(*device, "extremes on the host", 1);
    host_genes_ = fast_memory<std::uint32_t>(*device, "genes of the best individual on the host", row_.words);
    for (auto& places : places_) {
      places.fitness = device->buffer<std::uint64_t>("fitness", n);
      places.rows = zeroed_buffer<std::uint32_t>(*device, *queue_, "rows", n);
      places.spare_rows = zeroed_buffer<std::uint32_t>(*device, *queue_, "spare rows", n / 2);
    }
    BuildAhead builds;
    first_ = device->kernel<operations::FirstPopulation>();
    sample_ = device->kernel<operations::Sample>();
    mutate_ = device->kernel<operations::Mutate>();
    replace_ = device->kernel<operations::Replace>();
    extremes_of_ = device->kernel<operations::Extremes>();
    unpack_ = device->kernel<operations::Unpack>();
    builds.finish();
    group_size_ = std::min({fitness_device_.group_size(), replace_.max_group_size()});
    sample_size_ = std::min(sample_group_size, sample_.max_group_size());
    mutate_size_ = std::min(fitness_group_size, mutate_.max_group_size());
    extremes_size_ = std::min<std::uint32_t>(EXCHANGE_EXTREMES_GROUP_SIZE, extremes_of_.max_group_size());
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
    if (state) {
      std::vector<std::uint32_t> packed(std::size_t{n} * row_.words);
      for (std::size_t i = 0; i < n; ++i)
        pack_genes(row_, 0, std::span(state->genes).subspan(i * population_.genes, population_.genes),
                   packed.data() + i * row_.words);
      queue_->write(genes_, packed);
      queue_->write(now.fitness, state->fitness);
      find_extremes(generation_);
      return;
    }
    queue_->launch(first_, Range{{population_.genes, n, 1}, {0, 1, 1}},
                   {.genes = genes_, .table = fitness_device_.table(), .population = population_, .row = row_});
    fitness_device_.launch_links(*queue_, genes_, row_, now.fitness, n);
    find_extremes(generation_);
  }

  void begin(std::uint32_t end) override {
    end_ = has_found() ? generation_ : end;
    for (auto generation = generation_; generation < end_; ++generation) launch_generation(generation);
    launch_extremes(end_);
    queue_->flush();
  }

  void finish() override {
    const auto before = generation_;
    read_extremes(end_);
    const auto found = host_extremes_.data()->found;
    // It may have been found before.
    if (found != 0 && (found - 1 < before || found - 1 > end_))
      report_fault(device(), fmt::format("finds a schedule in generation {}, after {}", found - 1, end_));
    generation_ = found != 0 ? found - 1 : end_;
    // What was read is of the other places.
    if (generation_ % 2 != end_ % 2) find_extremes(generation_);
    if (before != end_ && (found != 0) != has_found())
      report_fault(device(), found != 0 ? "finds a schedule, and no individual without conflicts"
                                        : "finds no schedule, and an individual without conflicts");
  }

  // Seldom asked for, and not kept on the way.
  std::span<const std::uint64_t> fitness() override {
    if (fitness_.empty()) {
      std::vector<std::uint64_t> read(population_.individuals);
      queue_->read(places(generation_).fitness, std::span(read));
      const auto found = extremes_of(read);
      if (found.least != extremes_.least || found.greatest != extremes_.greatest || found.best != extremes_.best ||
          found.worst != extremes_.worst)
        report_fault(device(), "finds other individuals to be the best and the worst than its fitness says");
      fitness_ = std::move(read);
    }
    return fitness_;
  }

  UmdaState state() override {
    auto state = Umda::state();
    for (std::size_t i = 0; i < state.genes.size(); ++i) require_gene(i % population_.genes, state.genes[i]);
    return state;
  }

  void for_each_genes(const TakeGenes& take) override {
    const std::size_t genes = population_.genes;
    const auto begin = [&](std::size_t first, const HostArray<std::uint32_t>& to) {
      const auto individuals = static_cast<std::uint32_t>(to.size() / genes);
      queue_->launch(unpack_, Range{{population_.genes, individuals, 1}, {0, 1, 1}},
                     {.genes = genes_,
                      .rows = places(generation_).rows,
                      .unpacked = unpacked_,
                      .first = static_cast<std::uint32_t>(first / genes),
                      .population = population_,
                      .row = row_});
      return queue_->read_later(unpacked_, to);
    };
    PieceReader(fitness_device_.device(), *queue_)
        .read<std::uint32_t>("genes on the host", population_.individuals * genes, unpacked_at_once_ * genes, begin,
                             take);
  }

  Migrant best() override {
    Migrant migrant{extremes_.least, std::vector<std::uint32_t>(population_.genes)};
    unpack_genes(row_, host_genes_.data(), 0, migrant.genes);
    for (std::size_t i = 0; i < migrant.genes.size(); ++i) require_gene(i, migrant.genes[i]);
    return migrant;
  }

  void take(const Migrant& migrant) override {
    std::vector<std::uint32_t> packed(row_.words);
    pack_genes(row_, 0, migrant.genes, packed.data());
    queue_->write_later(genes_, packed, std::size_t{host_extremes_.data()->worst_row} * row_.words);
    queue_->write_later(places(generation_).fitness, std::span(&migrant.fitness, 1), extremes_.worst);
    fitness_.clear();
  }

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
      report_fault(device(), fmt::format("has an individual in row {}, which is not there", row));
  }
  void require_gene(std::size_t number, std::uint32_t gene) const {
    if (shared::exchange_gene_slot(gene) >= population_.slots ||
        shared::exchange_gene_path(gene) >= table_[number].paths)
      report_fault(device(), fmt::format("has a gene {}, which is out of range", gene));
  }
  void find_extremes(std::uint32_t generation) {
    launch_extremes(generation);
    read_extremes(generation);
  }
  void launch_extremes(std::uint32_t generation) {
    population_.generation = generation;
    const auto& now = places(generation);
    queue_->launch(extremes_of_, Range::of_groups(1, extremes_size_),
                   {.genes = genes_,
                    .fitness = now.fitness,
                    .rows = now.rows,
                    .found = found_,
                    .extremes = found_extremes_,
                    .best_genes = best_genes_,
                    .population = population_,
                    .row = row_});
    queue_->read_later(best_genes_, host_genes_);
    extremes_read_ = queue_->read_later(found_extremes_, host_extremes_);
  }
  // What the host cannot look up is compared with the fitness where that is read.
  void read_extremes(std::uint32_t generation) {
    std::exchange(extremes_read_, {}).wait();
    const auto& found = *host_extremes_.data();
    if (found.generation != generation)
      report_fault(device(), fmt::format("reports generation {}, not {}", found.generation, generation));
    if (found.best >= population_.individuals || found.worst >= population_.individuals)
      report_fault(device(),
                   fmt::format("has individuals {} and {} of {}", found.best, found.worst, population_.individuals));
    require_row(found.worst_row);
    extremes_ = {found.least, found.greatest, found.best, found.worst};
    fitness_.clear();
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
    if (population_.mutations != 0)
      queue_->launch(mutate_, population_.tries == 1 ? Range::of_items(made) : Range::of_groups(made, mutate_size_),
                     {.genes = genes_,
                      .table = fitness_device_.table(),
                      .paths = fitness_device_.paths(),
                      .spare_rows = now.spare_rows,
                      .found = found_,
                      .population = population_,
                      .row = row_});
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
  Row row_;
  std::unique_ptr<Queue> queue_;
  std::uint32_t end_ = 0;  ///< the generation that has been begun
  std::uint32_t group_size_ = 1;
  std::uint32_t sample_size_ = 1;
  std::uint32_t mutate_size_ = 1;
  std::uint32_t extremes_size_ = 1;
  std::uint32_t unpacked_at_once_ = 1;  ///< individuals
  HostArray<DeviceExtremes> host_extremes_;
  HostArray<std::uint32_t> host_genes_;  ///< of the best individual
  Event extremes_read_;                  ///< and host_genes_
  std::vector<std::uint64_t> fitness_;   ///< of each individual, where it has been asked for
  Buffer<DeviceExtremes> found_extremes_;
  Buffer<std::uint32_t> genes_, replaced_, found_, best_genes_, unpacked_;
  Places places_[2];
  Kernel<operations::FirstPopulation> first_;
  Kernel<operations::Sample> sample_;
  Kernel<operations::Mutate> mutate_;
  Kernel<operations::Replace> replace_;
  Kernel<operations::Extremes> extremes_of_;
  Kernel<operations::Unpack> unpack_;
};

}  // namespace

std::unique_ptr<DeviceUmda> make_device_umda(const std::shared_ptr<Device>& device, const GeneTable& table,
                                             const Population& population) {
  return std::make_unique<UmdaOnDevice>(device, table, population);
}

}  // namespace clopt::exchange
