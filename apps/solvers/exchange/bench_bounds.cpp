/// \file
/// The formulas of section 2.1 of the exchange's paper, beside what they are to bound.
#include <clopt/exchange.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include "bench_own.hpp"
#include "bench_paper.hpp"
#include "solver.hpp"

namespace clopt::apps::exchange {
namespace {

namespace solver = clopt::exchange;
using Kind = BenchmarkColumn::Kind;

// A step of the model: a start-up of 10 us, and a message of 1000 bytes at 1 GB/s.
constexpr double start_up = 10e-6, message = 1e-6;

std::uint64_t rounded_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// Channels across the middle of a square network or a hypercube, both ways.
std::uint64_t bisection_channels(std::string_view topology, std::uint64_t nodes) {
  if (topology.starts_with("hypercube")) return nodes;
  std::uint64_t side = 1;
  while (side * side < nodes) ++side;
  return (topology.starts_with("torus") ? 4 : 2) * side;
}

// The fewest channels that enter a node.
std::uint64_t least_ports(const solver::Topology& topology) {
  std::vector<std::uint64_t> ports(topology.nodes);
  for (const auto& link : topology.links) ++ports[link.to];
  return *std::min_element(ports.begin(), ports.end());
}

void section_2_1(const BenchmarkOptions& bench, const AddRow& add) {
  for (const auto& paper : evolved) {
    const auto problem = exchange_on(paper.topology);
    const std::uint64_t nodes = problem.topology.nodes;
    solver::Options options;
    options.seed = bench.seed;
    const auto found = solver::solve(problem, options, *bench.device, bench.control());
    // 2 (P/2)^2 messages; of weights that are all 1, the bound is that of all distances over all channels.
    BenchmarkRow row{
        {"topology", paper.topology},
        {"bisection", rounded_up(nodes * nodes, 2 * bisection_channels(paper.topology, nodes))},
        {"distances", solver::bound_of(problem, std::vector<std::uint64_t>(problem.topology.links.size(), 1))},
        {"ports", rounded_up(nodes - 1, least_ports(problem.topology))},
        {"paper_bound", paper.bound},
        {"lower_bound", found.bound.steps},
        {"paper_steps", paper.steps},
        {"steps", found.schedule.steps}};
    Sample time;
    time.add(found.schedule.steps * (start_up + message));
    set_figures(row, time, paper.steps * (start_up + message));
    row["note"] = found.conflicts != 0 || found.interrupted() ? "> limit" : "";
    add(row);
  }
}

}  // namespace

BenchmarkTable bounds_table() {
  return {
      .name = "section-2.1",
      .caption = "lower bounds by formulas, and the time model",
      .seconds = 2,
      .columns = with_figures({{"topology", "network", Kind::text, 12},
                               {"bisection", "bisection", Kind::count, 9},
                               {"distances", "distances", Kind::count, 9},
                               {"ports", "ports", Kind::count, 6},
                               {"paper_bound", "the paper's", Kind::count, 11},
                               {"lower_bound", "bound", Kind::count, 6},
                               {"paper_steps", "its steps", Kind::count, 9},
                               {"steps", "steps", Kind::count, 6}},
                              Kind::seconds),
      .run = section_2_1,
      .remarks = {"bisection: 2 (P/2)^2 / BC, which is above schedules that exist where P is odd; distances: of all "
                  "messages over all channels; ports: (P - 1) / min k; bound: the linear programme of all routings by "
                  "shortest paths, which none of the three exceeds where P is even.",
                  "mean: steps (t_s + m t_1) of clopt's schedule with t_s = 10 us and m t_1 = 1 us, paper: of the "
                  "paper's."}};
}

}  // namespace clopt::apps::exchange
