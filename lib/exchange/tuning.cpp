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

std::optional<double> fitness_rate(Device& device, const RunControl& control, const Problem& problem,
                                   const GeneTable& table, const std::string& method) {
  const std::uint32_t individuals = method == "pairs" ? batch / 8 : batch;
  const Population population{1, static_cast<std::uint32_t>(table.genes.size()), steps, table.links, individuals, 0, 0};
  const FitnessDevice on_device(device.shared_from_this(), table, population, method);
  FitnessQueue queue(on_device, individuals);
  for (std::uint32_t i = 0; i < individuals; ++i)
    for (std::uint32_t gene = 0; gene < problem.transfers.size(); ++gene)
      queue.genes()[i * population.genes + gene] =
          shared::exchange_first_gene(population, i, gene, table.genes[gene].paths);
  return rate_of(control, individuals, [&] {
    queue.start(individuals);
    queue.finish();
  });
}

}  // namespace

std::optional<std::string> tune(Device& device, const RunControl& control) {
  const auto problem = make_problem(make_topology("mesh:7x7"), "all-to-all");
  const Network network(problem.topology);
  const Paths paths(network);
  const auto table = make_gene_table(problem, network, paths);
  const auto links = fitness_rate(device, control, problem, table, "links");
  const auto pairs = links ? fitness_rate(device, control, problem, table, "pairs") : std::nullopt;
  if (!pairs) return std::nullopt;
  const auto plan = make_search_plan(network, problem.transfers, trivial_group(network.nodes()), steps);
  const std::uint32_t replicas = 8 * device.info().compute_units;
  Replicas moving(device, *plan, replicas, 1, Rule::heat_bath);
  while (!moving.is_placed()) moving.advance();
  const auto moves =
      rate_of(control, static_cast<double>(Replicas::moves_of(*plan)) * replicas, [&] { moving.advance(); });
  if (!moves) return std::nullopt;
  const nlohmann::json speeds{{"mesh:7x7 individuals a second by links", *links},
                              {"mesh:7x7 individuals a second by pairs", *pairs},
                              {"mesh:7x7 exact moves a second", *moves}};
  return speeds.dump();
}

}  // namespace clopt::exchange
