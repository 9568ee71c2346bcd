#include "umda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <numeric>
#include <utility>

#include <group/team.hpp>
#include <support/numbers/checksum.hpp>
#include <support/threads/thread_team.hpp>
#include "islands.hpp"

namespace clopt::exchange {
namespace {

// How individuals are sampled and mutated: to be raised when a seed stands for other individuals. A checkpoint that has
// no fields of breeding has the lower one.
std::uint64_t sampling_version_of(const Options& options) { return breeds_as_before(options) ? 2 : 3; }

// The transfer of each gene, so the order that a checkpoint's genes are in.
std::uint64_t order_of_genes(const GeneTable& table) {
  Checksum checksum;
  checksum.add(std::span<const std::uint32_t>(table.transfers));
  return checksum.value();
}

// Of one island its population, of several all of them.
std::uint64_t checksum_of(std::span<const std::unique_ptr<PopulationView>> islands, unsigned threads) {
  Checksum checksum(threads);
  for (const auto& island : islands) {
    island->for_each_genes([&](std::span<const std::uint32_t> genes) { checksum.add(genes); });
    checksum.add(island->fitness());
  }
  return checksum.value();
}

// Islands one after the other.
Record save(std::span<const UmdaState> islands, const GeneTable& table, const Options& options) {
  std::vector<std::uint64_t> generations, genes, fitness;
  for (const auto& state : islands) {
    generations.push_back(state.generation);
    genes.insert(genes.end(), state.genes.begin(), state.genes.end());
    fitness.insert(fitness.end(), state.fitness.begin(), state.fitness.end());
  }
  Record state;
  state.add("sampling", sampling_version_of(options)).add("order of genes", order_of_genes(table));
  state.add("generation", std::move(generations)).add("genes", std::move(genes)).add("fitness", std::move(fitness));
  return state;
}

// A run resumed with another order or sampling would continue as no run of this version does.
void require_same_meaning(const Record& saved, const std::string& name, std::uint64_t expected) {
  const auto found =
      saved.holds<std::uint64_t>(name) ? saved.array<std::uint64_t>(name) : Record::Array<std::uint64_t>();
  if (found.size() == 1 && found[0] == expected) return;
  const auto text = found.size() == 1 ? fmt::format("{}", found[0]) : "none";
  throw InvalidInput(fmt::format(
      "exchange: the checkpoint is of another version of umda: its {} is {}, where this one has {}; {}, "
      "or start again",
      name, text, expected,
      name == "sampling" && text == "2" ? "resume it with `tournament` 2, `mutations` 2, `tries` 1 and `symmetries` 1"
                                        : "resume it with the version that wrote it"));
}

// Islands are in step until one has found a schedule.
void require_step(std::span<const std::uint64_t> generations, std::span<const std::uint64_t> fitness) {
  if (std::find(fitness.begin(), fitness.end(), 0U) != fitness.end()) return;
  const auto [least, greatest] = std::minmax_element(generations.begin(), generations.end());
  if (*least == *greatest) return;
  throw InvalidInput(fmt::format(
      "exchange: the checkpoint has islands of generations {} to {}, which cannot be where none has a schedule", *least,
      *greatest));
}

std::vector<UmdaState> restore(const Record& saved, const GeneTable& table, const Population& population,
                               const Options& options) {
  const std::size_t islands = options.islands;
  const std::size_t individuals = population.individuals;
  require_same_meaning(saved, "sampling", sampling_version_of(options));
  require_same_meaning(saved, "order of genes", order_of_genes(table));
  const auto genes = array_of(saved, "genes", islands * individuals * population.genes);
  const auto generations = array_of(saved, "generation", islands);
  const auto fitness = array_of(saved, "fitness", islands * individuals);
  require_step(generations, fitness);
  std::vector<UmdaState> states(islands);
  for (std::size_t n = 0; n < islands; ++n) {
    auto& state = states[n];
    state.generation = static_cast<std::uint32_t>(generations[n]);
    if (state.generation != generations[n] || state.generation == ~0U)
      throw InvalidInput(fmt::format("exchange: the checkpoint is of generation {}, which cannot be", generations[n]));
    const auto begin = static_cast<std::ptrdiff_t>(n * individuals);
    state.fitness.assign(fitness.begin() + begin, fitness.begin() + begin + static_cast<std::ptrdiff_t>(individuals));
    for (const auto value : genes.subspan(n * individuals * population.genes, individuals * population.genes)) {
      const auto gene = static_cast<std::uint32_t>(value);
      const auto paths = table.genes[state.genes.size() % population.genes].paths;
      if (value != gene || shared::exchange_gene_slot(gene) >= population.slots ||
          shared::exchange_gene_path(gene) >= paths)
        throw InvalidInput(fmt::format("exchange: the checkpoint holds a gene {}, which is out of range", value));
      state.genes.push_back(gene);
    }
  }
  return states;
}

/// A search by islands on all devices, and on those that are left once one has failed: from the start again.
class UmdaSearch {
 public:
  explicit UmdaSearch(const SearchTask& task)
      : task_(task),
        table_(make_symmetric_gene_table(task.problem, task.network, *task.paths, task.options.symmetries,
                                         task.options.seed)),
        population_(population_of(table_, task.steps, task.options)) {
    population_.seed = task.seed;
    if (!task.resume) return;
    before_ = restore(*task.resume, table_, population_, task.options);
    for (const auto& island : before_) require_fitness(island);
    next_statistics_ = std::uint64_t{before_.front().generation} + 1;
  }

  /// Evolves the islands that are here, and gives them to a function. \returns what that returns. \throws DeviceError
  /// where all devices fail, or one where others evolve in step.
  template <class Conclude>
  auto run(const Conclude& conclude) {
    std::vector<std::shared_ptr<Device>> devices(task_.devices.begin(), task_.devices.end());
    std::vector<std::string> failures;
    for (;;) try {
        Islands islands(task_, devices, table_, population_);
        search(islands);
        auto end = conclude(islands);
        end.failures.insert(end.failures.begin(), failures.begin(), failures.end());
        return end;
      } catch (const IslandFailed& failed) {
        if (task_.peer_islands) throw group::LostDevice(failed.device, failed.reason());
        if (devices.size() == 1) std::rethrow_exception(failed.error);
        failures.push_back(failed.what);
        devices.erase(devices.begin() + static_cast<std::ptrdiff_t>(failed.device));
      }
  }

  /// The end of a rank's islands, with their states, of which the first rank makes the result.
  IslandsOutcome end_with_states(Islands& islands) const {
    auto end = end_of(islands);
    end.states = islands.states();
    return end;
  }

  /// The result of islands, whose individuals are kept only where a checkpoint may be due.
  SearchResult result_of(Islands& islands) const {
    auto end = end_of(islands);
    if (task_.save) {
      end.states = islands.states();
      end.launches = islands.launches();
      return result_of_states(std::move(end));
    }
    std::vector<std::unique_ptr<PopulationView>> views;
    for (std::size_t n = 0; n < islands.size(); ++n) views.push_back(islands.view(n));
    auto result = result_of(std::move(end), views);
    result.launches = islands.launches();
    return result;
  }

  SearchResult result_of_states(IslandsOutcome end) const {
    const auto states = std::exchange(end.states, {});
    std::vector<std::unique_ptr<PopulationView>> views;
    views.reserve(states.size());
    for (const auto& state : states) views.push_back(std::make_unique<StateView>(state));
    auto result = result_of(std::move(end), views);
    if (task_.save) result.state = save(states, table_, task_.options);
    return result;
  }

  /// The result of all islands.
  SearchResult result_of(IslandsOutcome end, std::span<const std::unique_ptr<PopulationView>> islands) const {
    const auto key = [](const auto& island) { return std::pair(island->extremes().least, island->generation()); };
    const auto& best = *std::min_element(islands.begin(), islands.end(),
                                         [&](const auto& a, const auto& b) { return key(a) < key(b); });
    SearchResult result;
    result.conflicts = best->extremes().least;
    result.schedule = schedule_of(best->best());
    // Of others that are not known, one may have found a schedule before.
    result.generations = result.conflicts == 0 ? best->generation() : end.generation;
    result.evaluations = evaluations_of(result.generations);
    // How far the others come once one has found a schedule differs.
    const auto threads = task_.options.threads != 0 ? task_.options.threads : usable_cores();
    result.checksum = checksum_of(result.conflicts == 0 ? std::span(&best, 1) : islands, threads);
    result.how = std::move(end.how);
    result.launches = end.launches;
    result.failures = std::move(end.failures);
    result.devices = std::move(end.devices);
    return result;
  }

 private:
  void search(Islands& islands) {
    try {
      evolve(islands);
    } catch (const Cancelled&) {
      // What is here is as it was after the last round.
      if (!task_.peer_islands || !task_.peer_islands->is_first()) throw;
    }
  }

  void evolve(Islands& islands) {
    islands.start(before_);
    // Counted from the very start, as an annealing's sweeps are.
    const std::uint64_t end = std::min<std::uint64_t>(task_.generations, ~0U);
    report(islands);
    while (islands.status().least_conflicts != 0 && islands.generation() < end && !is_late(islands)) {
      islands.advance(task_.statistics ? 1 : static_cast<std::uint32_t>(end - islands.generation()));
      report(islands);
      if (task_.save) task_.save([&] { return save(islands.states(), table_, task_.options); });
    }
  }

  bool is_late(const Islands& islands) const {
    return task_.peer_islands ? islands.status().is_late != 0 : task_.watch.expired();
  }

  Schedule schedule_of(const Migrant& individual) const {
    return decode(table_, task_.problem, task_.network, task_.steps, individual.genes);
  }

  // The best of an island ends the search, and the host counts its conflicts.
  void require_fitness(const UmdaState& island) const {
    const auto least = std::min_element(island.fitness.begin(), island.fitness.end());
    const auto place = (least - island.fitness.begin()) * static_cast<std::ptrdiff_t>(population_.genes);
    const auto begin = island.genes.begin() + place;
    const auto conflicts = count_conflicts(
        task_.problem, schedule_of({*least, {begin, begin + static_cast<std::ptrdiff_t>(population_.genes)}}));
    if (task_.network.has_parallel_channels() ? conflicts > *least : conflicts != *least)
      throw InvalidInput(
          fmt::format("exchange: the checkpoint's array 'fitness' has an individual with {} conflicts, "
                      "and its 'genes' have {}",
                      *least, conflicts));
  }

  // Once the best individual has been checked on the host.
  IslandsOutcome end_of(Islands& islands) const {
    const auto best = islands.best();
    const auto individual = islands.view(best)->best();
    islands.require(best, count_conflicts(task_.problem, schedule_of(individual)), individual.fitness);
    const auto order = table_.group.order();
    return {islands.status(),
            islands.generation(),
            {},
            islands.how() + (order == 1 ? std::string() : fmt::format(", symmetries of order {}", order)),
            islands.launches(),
            islands.failures(),
            islands.parts()};
  }

  std::uint64_t evaluations_of(std::uint64_t generation) const {
    const std::uint64_t made = population_.individuals + generation * (population_.individuals / 2);
    return made * task_.options.islands;
  }

  void report(Islands& islands) {
    if (!task_.watch.interrupted() && task_.watch.report_due()) {
      const auto best = static_cast<double>(islands.status().least_conflicts);
      task_.watch.report("umda", 1 / (1 + best), best, {}, evaluations_of(islands.generation()));
    }
    // A run on other devices makes generations again.
    if (!task_.statistics || islands.generation() < next_statistics_) return;
    next_statistics_ = std::uint64_t{islands.generation()} + 1;
    const auto all = islands.fitness();
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    const auto sum = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    task_.statistics({.generation = islands.generation(),
                      .evaluations = evaluations_of(islands.generation()),
                      .best = static_cast<double>(*least),
                      .mean = static_cast<double>(sum) / static_cast<double>(all.size()),
                      .worst = static_cast<double>(*most)});
  }

  const SearchTask& task_;
  GeneTable table_;
  Population population_;
  std::vector<UmdaState> before_;  ///< what the run resumes from, by islands; or empty
  std::uint64_t next_statistics_ = 0;
};

void require_numbered(const SearchTask& task) {
  if (task.steps > EXCHANGE_MOST_NUMBERED)
    throw InvalidInput(fmt::format("exchange: {} steps; umda takes at most {}", task.steps, EXCHANGE_MOST_NUMBERED));
}

}  // namespace

SearchResult umda(const SearchTask& task) {
  require_numbered(task);
  UmdaSearch search(task);
  return search.run([&](Islands& islands) { return search.result_of(islands); });
}

IslandsOutcome evolve_islands(const SearchTask& task) {
  require_numbered(task);
  UmdaSearch search(task);
  return search.run([&](Islands& islands) { return search.end_with_states(islands); });
}

SearchResult result_of_islands(const SearchTask& task, IslandsOutcome end) {
  return UmdaSearch(task).result_of_states(std::move(end));
}

UmdaState Umda::state() {
  const auto fitness = this->fitness();
  UmdaState state{generation_, {}, {fitness.begin(), fitness.end()}};
  state.genes.reserve(fitness.size() * population_.genes);
  for_each_genes(
      [&](std::span<const std::uint32_t> genes) { state.genes.insert(state.genes.end(), genes.begin(), genes.end()); });
  return state;
}

}  // namespace clopt::exchange
