/// \file
/// The tables of `clopt bench --solver exchange` that no paper has.
#include "bench_own.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clopt::apps::exchange {

clopt::exchange::Problem exchange_on(const std::string& topology) {
  return clopt::exchange::make_problem(clopt::exchange::make_topology(topology), "all-to-all");
}

std::optional<double> individuals_a_second(const std::string& topology, clopt::exchange::Options options,
                                           std::span<const std::shared_ptr<Device>> devices, RunControl control,
                                           double seconds) {
  options.optimizer = "umda";
  // As the paper's text has it, so that the same is compared.
  options.tournament = 2;
  options.mutations = 2;
  options.tries = 1;
  options.symmetries = 1;
  const auto problem = exchange_on(topology);
  // The first population is not what is measured.
  options.generations = 0;
  const auto start = clopt::exchange::solve(problem, options, devices, control);
  options.generations = 1'000'000'000;
  seconds += start.seconds.compute;
  control.time_limit = std::min(seconds, control.time_limit.value_or(seconds));
  const auto result = clopt::exchange::solve(problem, options, devices, control);
  const double spent = result.seconds.compute - start.seconds.compute;
  if (result.interrupted() || spent <= 0 || result.evaluations <= start.evaluations) return std::nullopt;
  return static_cast<double>(result.evaluations - start.evaluations) / spent;
}

namespace {

namespace solver = clopt::exchange;
using Kind = BenchmarkColumn::Kind;

const std::vector<BenchmarkColumn> columns_of_fitness{
    {"topology", "network", Kind::text, 12},     {"method", "fitness", Kind::text, 8},
    {"individuals", "individuals", Kind::count}, {"rate", "individuals/s", Kind::rate, 14},
    {"ratio", "to links", Kind::ratio},          {"note", "note", Kind::text, 30}};

// The fitness alone, of individuals that are on the device; then the whole optimiser there, of as large a population.
void table_fitness(const BenchmarkOptions& bench, const AddRow& add) {
  const bool is_large = bench.device->info().kind == DeviceKind::gpu;
  for (const char* topology : {"mesh:7x7", "torus:6x6", "hypercube:6"}) {
    const auto problem = exchange_on(topology);
    const auto steps = static_cast<std::uint32_t>(solver::find_bound(problem).steps);
    if (!bench.full && std::string(topology) != "mesh:7x7") continue;
    // Enough that a GPU's last work-groups take a small part of the time.
    const std::pair<const char*, std::uint32_t> batches[] = {{"links", is_large ? 65536 : 1024},
                                                             {"pairs", is_large ? 1024 : 128}};
    Json by_links;
    for (const auto& [method, individuals] : batches) {
      const auto rate = solver::measure_fitness(*bench.device, problem, steps, method, individuals, bench.control());
      if (by_links.is_null()) by_links = or_null(rate);
      add({{"topology", topology},
           {"method", method},
           {"individuals", individuals},
           {"rate", or_null(rate)},
           {"ratio", ratio(or_null(rate), by_links)},
           {"ended", rate.has_value()},
           {"note", "fitness alone"}});
    }
    solver::Options options;
    options.seed = bench.seed;
    options.offload = "device";
    options.population = batches[0].second;
    const std::shared_ptr<Device> devices[] = {bench.device};
    const auto rate = individuals_a_second(topology, options, devices, bench.control(), bench.full ? 2 : 0.5);
    add({{"topology", topology},
         {"method", "links"},
         {"individuals", options.population},
         {"rate", or_null(rate)},
         {"ratio", ratio(or_null(rate), by_links)},
         {"ended", rate.has_value()},
         {"note", "whole optimiser on the device"}});
  }
}

const std::vector<BenchmarkColumn> columns_of_moves{{"topology", "network", Kind::text, 12},
                                                    {"steps", "steps", Kind::count, 6},
                                                    {"replicas", "replicas", Kind::count},
                                                    {"rate", "moves/s", Kind::rate, 14}};

// Exact moves without symmetry: of as many replicas as a search has by default, and of as many as fill a device.
void table_moves(const BenchmarkOptions& bench, const AddRow& add) {
  const auto& info = bench.device->info();
  for (const char* topology : {"mesh:7x7", "mesh:8x8", "torus:8x8"}) {
    const auto problem = exchange_on(topology);
    const auto steps = static_cast<std::uint32_t>(solver::find_bound(problem).steps);
    if (!bench.full && std::string(topology) != "mesh:7x7") continue;
    for (const std::uint32_t replicas : {16U, 16 * info.compute_units, 64 * info.compute_units}) {
      if (replicas > 16 && info.kind != DeviceKind::gpu) continue;
      const auto rate = solver::measure_moves(*bench.device, problem, steps, replicas, bench.control());
      add({{"topology", topology},
           {"steps", steps},
           {"replicas", replicas},
           {"rate", or_null(rate)},
           {"ended", rate.has_value()}});
    }
  }
}

const std::vector<BenchmarkColumn> columns_of_networks{
    {"topology", "network", Kind::text, 28}, {"optimizer", "optimizer", Kind::text, 9},
    {"steps", "steps", Kind::count, 7},      {"lower_bound", "bound", Kind::count, 7},
    {"gap", "steps/bound", Kind::ratio},     {"bound_seconds", "for the bound", Kind::seconds, 14},
    {"total", "total", Kind::seconds},       {"note", "how", Kind::text, 40}};

// A schedule of one network within the time limit, as a row.
void add_network(const BenchmarkOptions& bench, const std::string& name, const char* optimizer,
                 const solver::Problem& problem, const AddRow& add) {
  solver::Options options;
  options.optimizer = optimizer;
  options.seed = bench.seed;
  // As many replicas more take a GPU no more time.
  if (bench.device->info().kind == DeviceKind::gpu) options.replicas = 64;
  const auto result = solver::solve(problem, options, bench.devices,
                                    bench.control(bench.full ? BenchmarkOptions::usual_time_limit : 3));
  add({{"topology", name},
       {"optimizer", optimizer},
       {"steps", result.schedule.steps},
       {"lower_bound", result.bound.steps},
       {"gap", static_cast<double>(result.schedule.steps) / static_cast<double>(result.bound.steps)},
       {"bound_seconds", result.bound_seconds},
       {"total", result.seconds.total},
       {"note", result.reason.substr(0, result.reason.find(';'))}});
}

void table_faults(const BenchmarkOptions& bench, const AddRow& add) {
  const auto whole = solver::make_topology("mesh:6x6");
  std::size_t number = 0;
  for (const auto& link : whole.links) {
    if (link.from > link.to || (number++ % 10 != 0 && !bench.full)) continue;
    auto topology = whole;
    solver::remove_link(topology, link.from, link.to);
    const auto name = fmt::format("mesh:6x6 without {}-{}", link.from, link.to);
    add_network(bench, name, "auto", solver::make_problem(std::move(topology), "all-to-all"), add);
  }
}

void table_networks(const BenchmarkOptions& bench, const AddRow& add) {
  // By `auto`, meshes and tori would be constructed.
  std::vector<std::pair<const char*, const char*>> networks{
      {"mesh:7x7", "anneal"}, {"mesh:8x8", "anneal"}, {"torus:7x7", "anneal"}, {"torus:8x8", "anneal"},
      {"torus:8x8", "auto"},  {"midimew:32", "auto"}, {"random:32:4", "auto"}};
  if (bench.full)
    networks.insert(networks.end(), {{"torus:8x8x8", "pack"},
                                     {"mesh:16x32", "pack"},
                                     {"random:512:4", "auto"},
                                     {"hypercube:10", "auto"},
                                     {"torus:32x32", "auto"},
                                     {"mesh:32x32", "auto"},
                                     {"random:1024:4", "auto"}});
  for (const auto& [name, optimizer] : networks)
    add_network(bench, name, optimizer, solver::make_problem(solver::make_topology(name, bench.seed), "all-to-all"),
                add);
}

}  // namespace

std::vector<BenchmarkTable> own_tables() {
  return {{.name = "fitness",
           .caption = "individuals a second of the fitness alone",
           .seconds = 4,
           .columns = columns_of_fitness,
           .run = table_fitness},
          {.name = "moves",
           .caption = "exact moves a second",
           .seconds = 2,
           .columns = columns_of_moves,
           .run = table_moves},
          {.name = "networks",
           .caption = "networks beyond the paper's, to 1,024 nodes with --full",
           .seconds = 12,
           .columns = columns_of_networks,
           .run = table_networks},
          {.name = "faults",
           .caption = "mesh 6x6 with one link broken: each of the 60 with --full",
           .seconds = 7,
           .columns = columns_of_networks,
           .run = table_faults}};
}

}  // namespace clopt::apps::exchange
