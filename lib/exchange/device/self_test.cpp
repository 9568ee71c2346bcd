#include <fmt/format.h>

#include <clopt/device.hpp>
#include <clopt/exchange.hpp>

#include <device/solver_devices.hpp>
#include <exchange/anneal/replicas.hpp>
#include <exchange/umda/fitness.hpp>
#include <support/numbers/checksum.hpp>

#include <future>

namespace clopt::exchange {

namespace {

/// Where four replicas stand after some launches: the same on every device.
std::string test_moves(Device& device, const Problem& problem, const Network& network) {
  constexpr std::uint32_t steps = 6;
  constexpr int launches = 4;
  constexpr std::uint64_t known = 0xb6fc'e991'9fe9'caac;
  const auto tables = make_orbit_tables(network, problem.transfers, trivial_group(network.nodes()), steps);
  Replicas replicas(device, *tables, 4, 1, Rule::heat_bath);
  for (int i = 0; i < launches; ++i) replicas.advance();
  const auto state = replicas.state();
  Checksum checksum;
  checksum.add(std::span<const std::uint32_t>(state.slots));
  checksum.add(std::span<const std::uint16_t>(state.paths));
  checksum.add(std::span<const std::uint32_t>(state.energies));
  if (checksum.value() == known) return {};
  return fmt::format("moves lead to {:016x} in place of {:016x}", checksum.value(), known);
}

/// Conflicts of a few individuals, against those that the host counts.
std::string test_fitness(Device& device, const Problem& problem, const Network& network) {
  constexpr std::uint32_t individuals = 3;
  const Paths paths(network);
  const auto table = make_gene_table(problem, network, paths);
  Options sizes;
  sizes.population = individuals;
  const auto population = population_of(table, 5, sizes);
  const FitnessDevice fitness_device(non_owning(device), table, population, Method::links);
  FitnessQueue queue(fitness_device, individuals);
  for (std::uint32_t i = 0; i < individuals; ++i)
    for (std::uint32_t gene = 0; gene < population.genes; ++gene)
      queue.genes()[i * population.genes + gene] =
          shared::exchange_first_gene(population, i, gene, table.genes[gene].paths);
  queue.start(individuals);
  const auto found = queue.finish();
  for (std::uint32_t i = 0; i < individuals; ++i) {
    const auto own = queue.genes().subspan(std::size_t{i} * population.genes, population.genes);
    const auto known = count_conflicts(problem, decode(table, problem, network, population.slots, own));
    if (found[i] != known) return fmt::format("an individual has {} conflicts in place of {}", found[i], known);
  }
  return {};
}

}  // namespace

std::string self_test(Device& device) {
  const auto problem = make_problem(make_topology("mesh:3x3"), "all-to-all");
  const Network network(problem.topology);
  const auto policy = device.builds_side_by_side() ? std::launch::async : std::launch::deferred;
  auto fitness = std::async(policy, [&] { return test_fitness(device, problem, network); });
  if (auto wrong = test_moves(device, problem, network); !wrong.empty()) return wrong;
  return fitness.get();
}

}  // namespace clopt::exchange
