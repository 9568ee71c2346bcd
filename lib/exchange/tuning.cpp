#include <chrono>
#include <clopt/device.hpp>
#include <clopt/exchange.hpp>
#include <nlohmann/json.hpp>

#include "fitness.hpp"
#include "replicas.hpp"

namespace clopt::exchange {
namespace {

constexpr std::uint32_t steps = 84;  ///< of the mesh 7x7, which is the paper's largest
constexpr std::uint32_t batch = 1024;
constexpr double seconds_that_tell = 0.3;
constexpr int launches_at_once = 8;
constexpr std::uint32_t different = 256;

/// How often a second something is done, which one call does \p times; none where the run ends before it is known.
template <class Work>
std::optional<double> rate_of(const RunControl& control, double times, const Work& work) {
  work();  // kernels are built, tables are uploaded
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0;
  double done = 0;
  while (seconds < seconds_that_tell) {
    if (control.stop.stop_requested()) return std::nullopt;
    work();
    done += times;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return done / seconds;
}

}  // namespace

std::optional<double> measure_fitness(Device& device, const Problem& problem, std::uint32_t steps,
                                      const std::string& method, std::uint32_t individuals, const RunControl& control) {
  const Network network(problem.topology);
  const Paths paths(network);
  const auto table = make_gene_table(problem, network, paths);
  const Population population{
      1, static_cast<std::uint32_t>(table.genes.size()), steps, table.links, individuals, 0, table.hops};
  const FitnessDevice on_device(device.shared_from_this(), table, population, method);
  FitnessQueue queue(on_device, individuals);
  // A few different ones, again and again: what matters is that each has its own memory.
  const auto genes = queue.genes();
  for (std::size_t i = 0; i < genes.size(); ++i) {
    const auto individual = static_cast<std::uint32_t>(i / population.genes);
    const auto gene = static_cast<std::uint32_t>(i % population.genes);
    genes[i] = individual < different
                   ? shared::exchange_first_gene(population, individual, gene, table.genes[gene].paths)
                   : genes[i - std::size_t{different} * population.genes];
  }
  queue.start(individuals);
  queue.finish();
  return rate_of(control, double{launches_at_once} * individuals, [&] {
    for (int i = 0; i < launches_at_once; ++i) queue.start_again(individuals);
    queue.finish();
  });
}

std::optional<double> measure_moves(Device& device, const Problem& problem, std::uint32_t steps, std::uint32_t replicas,
                                    const RunControl& control) {
  const Network network(problem.topology);
  const auto plan = make_search_plan(network, problem.transfers, trivial_group(network.nodes()), steps);
  Replicas moving(device, *plan, replicas, 1, Rule::heat_bath);
  while (!moving.is_placed()) moving.advance();
  return rate_of(control, static_cast<double>(Replicas::moves_of(*plan)) * replicas, [&] { moving.advance(); });
}

std::optional<std::string> tune(Device& device, const RunControl& control) {
  const auto problem = make_problem(make_topology("mesh:7x7"), "all-to-all");
  const auto links = measure_fitness(device, problem, steps, "links", batch, control);
  const auto pairs = links ? measure_fitness(device, problem, steps, "pairs", batch / 8, control) : std::nullopt;
  if (!pairs) return std::nullopt;
  const auto moves = measure_moves(device, problem, steps, 8 * device.info().compute_units, control);
  if (!moves) return std::nullopt;
  const nlohmann::json speeds{{"mesh:7x7 individuals a second by links", *links},
                              {"mesh:7x7 individuals a second by pairs", *pairs},
                              {"mesh:7x7 exact moves a second", *moves}};
  return speeds.dump();
}

}  // namespace clopt::exchange
