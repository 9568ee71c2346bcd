#include "umda.hpp"
#include "sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <device/doubt.hpp>
#include <numeric>

#include <support/checksum.hpp>
#include "fitness.hpp"

namespace clopt::exchange {
namespace {

/// How individuals are sampled and mutated: to be raised when a seed stands for other individuals.
constexpr std::uint64_t sampling_version = 2;

// The transfer of each gene, so the order that a checkpoint's genes are in.
std::uint64_t order_of_genes(const GeneTable& table) {
  Checksum checksum;
  checksum.add(std::span<const std::uint32_t>(table.transfers));
  return checksum.value();
}

std::uint64_t checksum_of(const UmdaState& state) {
  Checksum checksum;
  checksum.add(std::span<const std::uint32_t>(state.genes));
  checksum.add(std::span<const std::uint64_t>(state.fitness));
  return checksum.value();
}

SearchState save(const UmdaState& state, const GeneTable& table) {
  return {{"sampling", {sampling_version}},
          {"order of genes", {order_of_genes(table)}},
          {"generation", {state.generation}},
          {"genes", {state.genes.begin(), state.genes.end()}},
          {"fitness", state.fitness}};
}

// A checkpoint of another order or sampling would go on, but as no run of this version does.
void require_same_meaning(const SearchState& saved, const std::string& name, std::uint64_t expected) {
  const auto is_it = [&](const auto& entry) { return entry.first == name; };
  const auto found = std::find_if(saved.begin(), saved.end(), is_it);
  if (found != saved.end() && found->second == std::vector{expected}) return;
  const auto text = found != saved.end() && found->second.size() == 1 ? fmt::format("{}", found->second[0]) : "none";
  throw InvalidInput(
      fmt::format("exchange: the checkpoint is of another version of umda: its {} is {}, where this one has {}; resume "
                  "it with the version that wrote it, or begin anew",
                  name, text, expected));
}

UmdaState restore(const SearchState& saved, const GeneTable& table, const Population& population) {
  const auto& genes = array_of(saved, "genes", std::size_t{population.individuals} * population.genes);
  require_same_meaning(saved, "sampling", sampling_version);
  require_same_meaning(saved, "order of genes", order_of_genes(table));
  UmdaState state;
  const auto generation = array_of(saved, "generation", 1)[0];
  state.generation = static_cast<std::uint32_t>(generation);
  if (state.generation != generation || state.generation == ~0U)
    throw InvalidInput(fmt::format("exchange: the checkpoint is of generation {}, which cannot be", generation));
  state.fitness = array_of(saved, "fitness", population.individuals);
  for (const auto value : genes) {
    const auto gene = static_cast<std::uint32_t>(value);
    const auto paths = table.genes[state.genes.size() % population.genes].paths;
    if (value != gene || shared::exchange_gene_slot(gene) >= population.slots ||
        shared::exchange_gene_path(gene) >= paths)
      throw InvalidInput(fmt::format("exchange: the checkpoint holds a gene {}, which is out of range", value));
    state.genes.push_back(gene);
  }
  return state;
}

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
  HostUmda(const SearchTask& task, const GeneTable& table, const Population& population)
      : table_(table),
        population_(population),
        team_(task.devices, table, population, task.choice.method, population.individuals, task.options.queues,
              task.options.threads) {}

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
  }

  // A generation at a time. New individuals get spare rows, which are those of the replaced ones afterwards.
  void advance(std::uint32_t) override {
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
          for (std::uint32_t k = first; k < end; ++k) {
            mutate(population_, k, table_.genes, own[k - first]);
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
  }

  std::uint32_t generation() const override { return generation_; }
  std::span<const std::uint64_t> fitness() const override { return fitness_; }
  UmdaState state() override {
    UmdaState state{generation_, {}, fitness_};
    state.genes.reserve(rows_.size() * population_.genes);
    for (const auto own : rows_) state.genes.insert(state.genes.end(), row(own), row(own) + population_.genes);
    return state;
  }
  double build_seconds() const override { return team_.build_seconds(); }
  std::uint64_t launches() const override { return team_.launches(); }
  const std::vector<std::string>& failures() const { return team_.failures(); }

 private:
  std::uint32_t* row(std::size_t number) { return genes_.get() + number * population_.genes; }

  const GeneTable& table_;
  Population population_;
  FitnessTeam team_;
  std::uint32_t generation_ = 0;
  std::unique_ptr<std::uint32_t[]> genes_;
  std::vector<std::uint64_t> fitness_;
  std::vector<std::uint32_t> rows_, spare_rows_;
};

/// A search by one run of the algorithm, or by one for each device until one does not fail.
class UmdaSearch {
 public:
  explicit UmdaSearch(const SearchTask& task)
      : task_(task),
        table_(make_gene_table(task.problem, task.network, *task.paths)),
        population_{task.seed,
                    static_cast<std::uint32_t>(table_.genes.size()),
                    task.steps,
                    table_.links,
                    task.options.population,
                    0,
                    table_.hops} {
    if (!task.resume) return;
    before_ = restore(*task.resume, table_, population_);
    next_statistics_ = std::uint64_t{before_->generation} + 1;
  }

  SearchResult run() { return task_.choice.offload == Offload::device ? run_on_device() : run_on_host(); }

 private:
  SearchResult run_on_host() {
    HostUmda run(task_, table_, population_);
    search(run);
    auto result = result_of(run);
    result.how = fmt::format("univariate marginal distributions, fitness by {}", name_of(task_.choice.method));
    result.failures = run.failures();
    return result;
  }

  SearchResult run_on_device() {
    std::vector<std::string> failures;
    for (std::size_t i = 0;; ++i) {
      try {
        const auto run = make_device_umda(task_.devices[i], table_, population_);
        search(*run);
        auto result = result_of(*run);
        const auto conflicts = count_conflicts(task_.problem, result.schedule);
        const bool may_be_less = task_.network.has_parallel_channels();
        if (may_be_less ? conflicts > result.conflicts : conflicts != result.conflicts)
          doubt(*task_.devices[i], fmt::format("counts {} conflicts of its best individual, and the host {}",
                                               result.conflicts, conflicts));
        result.how = "univariate marginal distributions, all on the device";
        result.failures = std::move(failures);
        return result;
      } catch (const DeviceError& error) {
        if (i + 1 == task_.devices.size()) throw;
        failures.push_back(describe_failure(*task_.devices[i], error));
      }
    }
  }

  void search(Umda& run) {
    run.start(before_ ? &*before_ : nullptr);
    // Counted from the very start, as an annealing's sweeps are.
    const std::uint64_t end = std::min<std::uint64_t>(task_.generations, ~0U);
    report(run);
    while (least_conflicts(run) != 0 && run.generation() < end && !task_.watch.expired()) {
      run.advance(task_.statistics ? 1 : static_cast<std::uint32_t>(end - run.generation()));
      report(run);
      if (task_.save) task_.save([&] { return save(run.state(), table_); });
    }
  }

  static std::uint64_t least_conflicts(const Umda& run) {
    const auto fitness = run.fitness();
    return *std::min_element(fitness.begin(), fitness.end());
  }

  std::uint64_t evaluations_of(std::uint64_t generation) const {
    return population_.individuals + generation * (population_.individuals / 2);
  }

  void report(const Umda& run) {
    if (!task_.watch.interrupted() && task_.watch.report_due()) {
      const auto best = static_cast<double>(least_conflicts(run));
      task_.watch.report("umda", 1 / (1 + best), best, {}, evaluations_of(run.generation()));
    }
    // A run on another device makes generations again.
    if (!task_.statistics || run.generation() < next_statistics_) return;
    next_statistics_ = std::uint64_t{run.generation()} + 1;
    const auto fitness = run.fitness();
    const auto [least, most] = std::minmax_element(fitness.begin(), fitness.end());
    const auto sum = std::accumulate(fitness.begin(), fitness.end(), std::uint64_t{0});
    task_.statistics({.generation = run.generation(),
                      .evaluations = evaluations_of(run.generation()),
                      .best = static_cast<double>(*least),
                      .mean = static_cast<double>(sum) / static_cast<double>(fitness.size()),
                      .worst = static_cast<double>(*most)});
  }

  SearchResult result_of(Umda& run) const {
    const UmdaState state = run.state();
    const auto best = std::min_element(state.fitness.begin(), state.fitness.end());
    const auto number = static_cast<std::size_t>(best - state.fitness.begin());
    const auto genes = std::span(state.genes).subspan(number * population_.genes, population_.genes);
    SearchResult result;
    result.schedule = decode(table_, task_.problem, task_.network, task_.steps, genes);
    result.conflicts = *best;
    result.generations = state.generation;
    result.evaluations = evaluations_of(state.generation);
    result.checksum = checksum_of(state);
    if (task_.save) result.state = save(state, table_);
    result.build_seconds = run.build_seconds();
    result.launches = run.launches();
    return result;
  }

  const SearchTask& task_;
  GeneTable table_;
  Population population_;
  std::optional<UmdaState> before_;  ///< what the run goes on from
  std::uint64_t next_statistics_ = 0;
};

}  // namespace

SearchResult umda(const SearchTask& task) {
  if (task.steps > EXCHANGE_MOST_NUMBERED)
    throw InvalidInput(fmt::format("exchange: {} steps; umda takes at most {}", task.steps, EXCHANGE_MOST_NUMBERED));
  return UmdaSearch(task).run();
}

}  // namespace clopt::exchange
