#include <algorithm>
#include <clopt/device.hpp>
#include <clopt/exchange.hpp>
#include <nlohmann/json.hpp>

#include <device/solver_devices.hpp>
#include <exchange/anneal/replicas.hpp>
#include <exchange/umda/fitness.hpp>
#include <support/stopwatch.hpp>

namespace clopt::exchange {
namespace {

/// Slots of the mesh 7x7, which is the paper's largest.
constexpr std::uint32_t tuned_steps = 84;
constexpr std::uint32_t batch = 1024;
/// A measurement takes at least so long.
constexpr double measured_seconds = 0.3;
/// Launches between two synchronisations: one costs a GPU as much time as some thousand individuals.
constexpr int launches_at_once = 8;
constexpr int launches_at_once_of_gpu = 64;
/// Different individuals among those that are evaluated: what matters is that each has its own memory.
constexpr std::uint32_t different = 256;

/// How often a second something is done, which one call does \p times; none where the run ends before it is known.
template <class Work>
std::optional<double> rate_of(const RunControl& control, double times, const Work& work) {
  work();  // kernels are built, tables are uploaded
  const Stopwatch stopwatch;
  double seconds = 0;
  double done = 0;
  while (seconds < measured_seconds) {
    if (control.stop.stop_requested()) return std::nullopt;
    work();
    done += times;
    seconds = stopwatch.seconds();
  }
  return done / seconds;
}

/// Random individuals, some of which are alike.
void draw_individuals(const Population& population, const GeneTable& table, std::span<std::uint32_t> genes) {
  for (std::size_t i = 0; i < genes.size(); ++i) {
    const auto individual = static_cast<std::uint32_t>(i / population.genes);
    const auto gene = static_cast<std::uint32_t>(i % population.genes);
    genes[i] = individual < different
                   ? shared::exchange_first_gene(population, individual, gene, table.genes[gene].paths)
                   : genes[i - std::size_t{different} * population.genes];
  }
}

std::optional<double> fitness_rate(Device& device, const Problem& problem, std::uint32_t steps, Method method,
                                   std::uint32_t individuals, const RunControl& control,
                                   std::optional<std::uint32_t> group_size) {
  const Network network(problem.topology);
  const Paths paths(network);
  const auto table = make_gene_table(problem, network, paths);
  Options sizes;
  sizes.population = individuals;
  const auto population = population_of(table, steps, sizes);
  const FitnessDevice on_device(non_owning(device), table, population, method, group_size);
  FitnessQueue queue(on_device, individuals);
  draw_individuals(population, table, queue.genes());
  queue.start(individuals);
  queue.finish();
  const int launches = device.info().kind == DeviceKind::gpu ? launches_at_once_of_gpu : launches_at_once;
  return rate_of(control, static_cast<double>(individuals) * launches, [&] {
    for (int i = 1; i < launches; ++i) queue.launch(individuals);
    queue.start_again(individuals);
    queue.finish();
  });
}

}  // namespace

std::optional<double> measure_fitness(Device& device, const Problem& problem, std::uint32_t steps,
                                      const std::string& method, std::uint32_t individuals, const RunControl& control) {
  return fitness_rate(device, problem, steps, method_of(method), individuals, control, std::nullopt);
}

std::optional<double> measure_offload(std::span<const std::shared_ptr<Device>> devices, const Problem& problem,
                                      std::uint32_t steps, const std::string& method, std::uint32_t individuals,
                                      std::uint32_t queues, const RunControl& control) {
  const Network network(problem.topology);
  const Paths paths(network);
  const auto table = make_gene_table(problem, network, paths);
  Options sizes;
  sizes.population = individuals;
  const auto population = population_of(table, steps, sizes);
  FitnessTeam team(devices, table, population, method_of(method), individuals, queues);
  team.fill([&](std::uint32_t first, std::uint32_t end, std::uint32_t* genes) {
    draw_individuals(population, table, std::span(genes, std::size_t{end - first} * population.genes));
  });
  std::vector<std::uint64_t> fitness(individuals);
  return rate_of(control, individuals, [&] {
    team.evaluate(
        individuals, [](std::uint32_t, std::uint32_t, std::uint32_t*) {}, fitness);
  });
}

std::optional<double> measure_moves(Device& device, const Problem& problem, std::uint32_t steps, std::uint32_t replicas,
                                    const RunControl& control) {
  const Network network(problem.topology);
  const auto tables = make_orbit_tables(network, problem.transfers, trivial_group(network.nodes()), steps);
  Replicas moving(device, *tables, replicas, 1, Rule::heat_bath);
  while (!moving.is_placed()) moving.advance();
  return rate_of(control, static_cast<double>(Replicas::moves_of(*tables)) * replicas, [&] { moving.advance(); });
}

std::optional<std::string> tune(Device& device, const RunControl& control) {
  const auto problem = make_problem(make_topology("mesh:7x7"), "all-to-all");
  nlohmann::json tuned;
  double best = 0;
  for (const std::uint32_t size : {fitness_group_size / 4, fitness_group_size / 2, fitness_group_size}) {
    const auto rate = fitness_rate(device, problem, tuned_steps, Method::links, batch, control, size);
    if (!rate) return std::nullopt;
    tuned["individuals_a_second"][std::to_string(size)] = *rate;
    if (*rate > best) tuned["group_size"] = size;
    best = std::max(best, *rate);
  }
  return tuned.dump();
}

}  // namespace clopt::exchange
