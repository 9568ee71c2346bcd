#include <algorithm>
#include <chrono>
#include <numeric>

#include "fitness.hpp"
#include "umda.hpp"

namespace clopt::exchange {
namespace {

/// Generations that are launched between two looks at the fitness.
constexpr std::uint32_t generations_a_look = 32;

class DeviceUmda : public Umda {
 public:
  DeviceUmda(std::shared_ptr<Device> device, const GeneTable& table, const Population& population)
      : fitness_device_(device, table, population, "links"), population_(population), queue_(device->queue()) {
    const std::size_t n = population.individuals;
    const std::size_t made = n / 2;
    genes_ = device->buffer<std::uint32_t>("population", (n + made) * population.genes);
    fitness_ = device->buffer<std::uint64_t>("fitness", n);
    rows_ = device->buffer<std::uint32_t>("rows", n);
    spare_rows_ = device->buffer<std::uint32_t>("spare rows", made);
    parent_rows_ = device->buffer<std::uint32_t>("parents' rows", made);
    replaced_ = device->buffer<std::uint32_t>("replaced individuals", made);
    found_ = device->buffer<std::uint32_t>("generation of a schedule", 1);
    const auto begin = std::chrono::steady_clock::now();
    first_ = device->kernel(first_population);
    select_ = device->kernel(select_parents);
    sample_ = device->kernel(sample_block);
    replace_ = device->kernel(replace_individuals);
    build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    group_size_ = std::min({fitness_device_.group_size(), replace_.max_group_size()});
    sample_size_ = std::min(fitness_group_size, sample_.max_group_size());
  }

  void start(const UmdaState* state) override {
    const std::uint32_t n = population_.individuals;
    std::vector<std::uint32_t> rows(n + n / 2);
    std::iota(rows.begin(), rows.end(), 0U);
    queue_->write(rows_, std::span(rows).first(n));
    queue_->write(spare_rows_, std::span(rows).subspan(n));
    queue_->write(found_, std::vector<std::uint32_t>{0});
    host_fitness_.resize(n);
    if (state) {
      queue_->write(genes_, state->genes);
      queue_->write(fitness_, state->fitness);
      host_fitness_ = state->fitness;
      generation_ = state->generation;
      return;
    }
    queue_->launch(first_, Range{{population_.genes, n, 1}, {0, 1, 1}}, genes_, fitness_device_.table(), population_);
    fitness_device_.launch_links(*queue_, genes_, fitness_, n);
    queue_->read(fitness_, std::span(host_fitness_));
  }

  void advance(std::uint32_t most) override {
    const std::uint32_t count = std::min(most, generations_a_look);
    const std::uint32_t made = population_.individuals / 2;
    const auto words = fitness_device_.histogram_words();
    const std::size_t blocks = (population_.genes + EXCHANGE_BLOCK - 1) / EXCHANGE_BLOCK;
    const std::size_t chunks = (made + EXCHANGE_CHUNK - 1) / EXCHANGE_CHUNK;
    const Range samples{{blocks * sample_size_, chunks, 1}, {sample_size_, 1, 1}};
    const LocalMemory<std::uint32_t> window{std::size_t{EXCHANGE_BLOCK} << shared::exchange_window_bits(made)};
    for (std::uint32_t i = 0; i < count; ++i) {
      population_.generation = generation_ + i + 1;
      queue_->launch(select_, Range::of_items(population_.individuals), fitness_, rows_, parent_rows_, replaced_,
                     found_, population_);
      queue_->launch(sample_, samples, genes_, spare_rows_, parent_rows_, found_, population_, window);
      queue_->launch(replace_, Range::of_groups(made, group_size_), genes_, fitness_device_.footprints(),
                     fitness_device_.elements(), fitness_device_.table(), fitness_device_.paths(), fitness_, rows_,
                     spare_rows_, replaced_, found_, population_, fitness_device_.places_an_element(),
                     fitness_device_.row_words(), words, LocalMemory<std::uint32_t>{words});
    }
    std::uint32_t found = 0;
    queue_->read(found_, std::span(&found, 1));
    queue_->read(fitness_, std::span(host_fitness_));
    generation_ = found != 0 ? found - 1 : generation_ + count;
  }

  std::uint32_t generation() override { return generation_; }
  std::uint64_t least_conflicts() override { return *std::min_element(host_fitness_.begin(), host_fitness_.end()); }

  UmdaState state() override {
    const std::size_t genes = population_.genes;
    std::vector<std::uint32_t> rows(population_.individuals);
    std::vector<std::uint32_t> all(genes_.size());
    queue_->read(rows_, std::span(rows));
    queue_->read(genes_, std::span(all));
    UmdaState state{generation_, {}, host_fitness_};
    for (const std::size_t row : rows) {
      const auto own = std::span(all).subspan(row * genes, genes);
      state.genes.insert(state.genes.end(), own.begin(), own.end());
    }
    return state;
  }

  double build_seconds() const override { return build_seconds_ + fitness_device_.build_seconds(); }

 private:
  FitnessDevice fitness_device_;
  Population population_;
  std::unique_ptr<Queue> queue_;
  std::uint32_t generation_ = 0;
  std::uint32_t group_size_ = 1;
  std::uint32_t sample_size_ = 1;
  double build_seconds_ = 0;
  std::vector<std::uint64_t> host_fitness_;
  Buffer<std::uint32_t> genes_, rows_, spare_rows_, parent_rows_, replaced_, found_;
  Buffer<std::uint64_t> fitness_;
  decltype(std::declval<Device&>().kernel(first_population)) first_;
  decltype(std::declval<Device&>().kernel(select_parents)) select_;
  decltype(std::declval<Device&>().kernel(sample_block)) sample_;
  decltype(std::declval<Device&>().kernel(replace_individuals)) replace_;
};

}  // namespace

std::unique_ptr<Umda> make_device_umda(std::shared_ptr<Device> device, const GeneTable& table,
                                       const Population& population) {
  return std::make_unique<DeviceUmda>(std::move(device), table, population);
}

}  // namespace clopt::exchange
