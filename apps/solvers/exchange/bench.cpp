/// \file
/// The tables of `clopt bench --solver exchange`.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <commands/solver.hpp>

namespace clopt::apps::exchange {
namespace {

namespace solver = clopt::exchange;
using Kind = BenchmarkColumn::Kind;

/// A line of the paper's table 1.
struct Evolved {
  const char* topology;
  std::uint32_t steps;
  std::uint32_t bound;
  double seconds;
};

constexpr double minute = 60, hour = 3600, day = 86400;
constexpr Evolved evolved[] = {
    {"mesh:3x3", 6, 6, 2},
    {"mesh:4x4", 16, 16, 22 * minute + 7},
    {"mesh:5x5", 32, 32, 9 * hour + 20 * minute},
    {"mesh:6x6", 56, 54, 3 * day + 20 * hour},
    {"hypercube:3", 4, 4, 1},
    {"hypercube:4", 9, 9, 10 * minute},
    {"hypercube:5", 16, 16, 2 * day + 8 * hour},
    {"hypercube:6", 35, 32, 2 * day + 18 * hour},
    {"torus:3x3", 4, 4, 1},
    {"torus:4x4", 9, 8, 19 * minute},
    {"torus:5x5", 16, 15, 7 * hour},
    {"torus:6x6", 30, 24, 1 * day + 12 * hour},
};

const std::vector<BenchmarkColumn> columns_of_1{
    {"topology", "network", Kind::text, 12},  {"steps", "steps", Kind::count, 6},
    {"lower_bound", "bound", Kind::count, 6}, {"total", "total", Kind::seconds},
    {"paper_steps", "paper", Kind::text, 7},  {"paper_seconds", "paper's time", Kind::seconds},
    {"ratio", "here/paper", Kind::ratio},     {"note", "how", Kind::text, 40}};

solver::Problem exchange_on(const std::string& topology) {
  return solver::make_problem(solver::make_topology(topology), "all-to-all");
}

void table_1(const BenchmarkOptions& bench, const AddRow& add) {
  for (const auto& paper : evolved) {
    solver::Options options;
    options.seed = bench.seed;
    const auto result = solver::solve(exchange_on(paper.topology), options, *bench.device, bench.control());
    add({{"topology", paper.topology},
         {"steps", result.schedule.steps},
         {"lower_bound", result.bound.steps},
         {"total", result.seconds.total},
         {"paper_steps", fmt::format("{}/{}", paper.steps, paper.bound)},
         {"paper_seconds", paper.seconds},
         {"ratio", result.seconds.total / paper.seconds},
         {"note", result.reason.substr(0, result.reason.find(';'))}});
  }
}

/// A line of the paper's table 2: individuals a second on a GTX 580 and on a quad-core processor.
struct Evaluated {
  const char* topology;
  double gpu;
  double cpu;
};

constexpr Evaluated evaluated[] = {
    {"mesh:2x2", 537895, 581530},   {"mesh:3x3", 113188, 89572},   {"mesh:4x4", 22981, 15930},
    {"mesh:5x5", 7563, 3588},       {"mesh:6x6", 2372, 504},       {"mesh:7x7", 539, 112},
    {"hypercube:3", 85384, 145077}, {"hypercube:4", 23456, 25845}, {"hypercube:5", 4152, 1369},
    {"hypercube:6", 222, 65},       {"torus:4x4", 23551, 19498},   {"torus:5x5", 8353, 3695},
    {"torus:6x6", 2709, 677},       {"torus:7x7", 725, 176},
};

const std::vector<BenchmarkColumn> columns_of_2{
    {"topology", "network", Kind::text, 12}, {"offload", "offload", Kind::text, 8},
    {"method", "fitness", Kind::text, 8},    {"rate", "individuals/s", Kind::rate, 14},
    {"paper_gpu", "GTX 580", Kind::rate},    {"paper_cpu", "quad-core", Kind::rate},
    {"ratio", "here/GTX 580", Kind::ratio},  {"note", "note", Kind::text, 24}};

/// Individuals a second of the whole optimiser; none where the run was stopped.
std::optional<double> individuals_a_second(const std::string& topology, solver::Options options,
                                           std::span<const std::shared_ptr<Device>> devices, RunControl control,
                                           double seconds) {
  options.optimizer = "umda";
  const auto problem = exchange_on(topology);
  // The first population is not what is measured.
  options.generations = 0;
  const auto start = solver::solve(problem, options, devices, control);
  options.generations = 1'000'000'000;
  seconds += start.seconds.compute;
  control.time_limit = std::min(seconds, control.time_limit.value_or(seconds));
  const auto result = solver::solve(problem, options, devices, control);
  const double spent = result.seconds.compute - start.seconds.compute;
  if (result.interrupted() || spent <= 0) return std::nullopt;
  return static_cast<double>(result.evaluations - start.evaluations) / spent;
}

void table_2(const BenchmarkOptions& bench, const AddRow& add) {
  const std::shared_ptr<Device> devices[] = {bench.device};
  for (const auto& paper : evaluated)
    for (const auto& [offload, method] :
         {std::pair("host", "pairs"), std::pair("host", "links"), std::pair("device", "links")}) {
      // Three networks show each class in small; all with --full.
      const std::string name = paper.topology;
      if (!bench.full && name != "mesh:4x4" && name != "mesh:7x7" && name != "hypercube:6" && name != "torus:6x6")
        continue;
      solver::Options options;
      options.seed = bench.seed;
      options.offload = offload;
      options.method = method;
      const auto rate = individuals_a_second(name, options, devices, bench.control(), 2);
      add({{"topology", name},
           {"offload", offload},
           {"method", method},
           {"rate", or_null(rate)},
           {"paper_gpu", paper.gpu},
           {"paper_cpu", paper.cpu},
           {"ratio", ratio(or_null(rate), paper.gpu)},
           {"note", "whole optimiser"}});
    }
}

const std::vector<BenchmarkColumn> columns_of_devices{
    {"topology", "network", Kind::text, 12},        {"method", "fitness", Kind::text, 8},
    {"individuals", "individuals", Kind::text, 11}, {"devices", "devices", Kind::count, 8},
    {"queues", "queues", Kind::count, 7},           {"population", "population", Kind::count},
    {"rate", "individuals/s", Kind::rate, 14},      {"speedup", "speed-up", Kind::ratio}};

/// One way of sharing a population out among devices.
struct Offload {
  const char* topology;
  const char* method;
  bool is_whole;  ///< the whole optimiser, which draws on the host; else individuals that are there already
};

// The same with an island on each device, which draws there, too: as many individuals in all.
void add_islands(const BenchmarkOptions& bench, const char* topology, const AddRow& add) {
  const auto& all = bench.devices;
  double alone = 0;
  for (std::size_t count = 1; count <= all.size(); count *= 2) {
    solver::Options options;
    options.seed = bench.seed;
    options.offload = "device";
    options.islands = static_cast<std::uint32_t>(count);
    options.population = (bench.full ? 65536 : 4096) / options.islands;
    const auto rate = individuals_a_second(topology, options, std::span(all).first(count), bench.control(), 2);
    if (!rate) return;
    if (count == 1) alone = *rate;
    add({{"topology", topology},
         {"method", "links"},
         {"individuals", "islands"},
         {"devices", count},
         {"queues", 1},
         {"population", options.population},
         {"rate", *rate},
         {"speedup", *rate / alone}});
  }
}

// Figure 5 of the paper: the population stays as it is, and more devices share it. First one device that computes and
// waits by turns, with one queue.
void add_devices(const BenchmarkOptions& bench, const Offload& offload, const AddRow& add) {
  const auto& all = bench.devices;
  const auto problem = exchange_on(offload.topology);
  const auto steps = static_cast<std::uint32_t>(solver::find_bound(problem).steps);
  double alone = 0;
  for (std::size_t half_count = 1; half_count <= 2 * all.size(); half_count *= 2) {
    const auto devices = std::span(all).first(std::max<std::size_t>(half_count / 2, 1));
    solver::Options options;
    options.seed = bench.seed;
    options.method = offload.method;
    options.population = bench.full ? 65536 : 4096;
    options.queues = half_count == 1 ? 1 : 2;
    const auto rate = offload.is_whole ? individuals_a_second(offload.topology, options, devices, bench.control(), 2)
                                       : solver::measure_offload(devices, problem, steps, offload.method,
                                                                 options.population, options.queues, bench.control());
    if (!rate) return;
    if (half_count <= 2) alone = *rate;
    add({{"topology", offload.topology},
         {"method", offload.method},
         {"individuals", offload.is_whole ? "drawn" : "given"},
         {"devices", devices.size()},
         {"queues", options.queues},
         {"population", options.population},
         {"rate", *rate},
         {"speedup", *rate / alone}});
  }
}

void table_devices(const BenchmarkOptions& bench, const AddRow& add) {
  for (const char* topology : {"mesh:7x7", "hypercube:6"})
    for (const bool is_whole : {false, true})
      for (const char* method : {"links", "pairs"}) add_devices(bench, {topology, method, is_whole}, add);
  for (const char* topology : {"mesh:7x7", "hypercube:6"}) add_islands(bench, topology, add);
}

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
    double by_links = 0;
    for (const auto& [method, individuals] : batches) {
      const auto rate = solver::measure_fitness(*bench.device, problem, steps, method, individuals, bench.control());
      if (!rate) return;
      if (by_links == 0) by_links = *rate;
      add({{"topology", topology},
           {"method", method},
           {"individuals", individuals},
           {"rate", *rate},
           {"ratio", *rate / by_links},
           {"note", "fitness alone"}});
    }
    solver::Options options;
    options.seed = bench.seed;
    options.offload = "device";
    options.population = batches[0].second;
    const std::shared_ptr<Device> devices[] = {bench.device};
    const auto rate = individuals_a_second(topology, options, devices, bench.control(), 2);
    if (!rate) return;
    add({{"topology", topology},
         {"method", "links"},
         {"individuals", options.population},
         {"rate", *rate},
         {"ratio", *rate / by_links},
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
      if (!rate) return;
      add({{"topology", topology}, {"steps", steps}, {"replicas", replicas}, {"rate", *rate}});
    }
  }
}

const std::vector<BenchmarkColumn> columns_of_networks{{"topology", "network", Kind::text, 28},
                                                       {"steps", "steps", Kind::count, 7},
                                                       {"lower_bound", "bound", Kind::count, 7},
                                                       {"gap", "steps/bound", Kind::ratio},
                                                       {"bound_seconds", "for the bound", Kind::seconds, 14},
                                                       {"total", "total", Kind::seconds},
                                                       {"note", "how", Kind::text, 40}};

// A schedule of one network within the time limit, as a row.
void add_network(const BenchmarkOptions& bench, const std::string& name, const solver::Problem& problem,
                 const AddRow& add) {
  solver::Options options;
  options.seed = bench.seed;
  // As many replicas more take a GPU no more time.
  if (bench.device->info().kind == DeviceKind::gpu) options.replicas = 64;
  const auto result = solver::solve(problem, options, bench.devices, bench.control());
  add({{"topology", name},
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
    add_network(bench, name, solver::make_problem(std::move(topology), "all-to-all"), add);
  }
}

void table_networks(const BenchmarkOptions& bench, const AddRow& add) {
  std::vector<std::string> names{"mesh:7x7", "mesh:8x8", "torus:7x7", "torus:8x8", "midimew:32", "random:32:4"};
  if (bench.full)
    names.insert(names.end(), {"torus:8x8x8", "mesh:16x32", "random:512:4", "hypercube:10", "torus:32x32", "mesh:32x32",
                               "random:1024:4"});
  for (const auto& name : names)
    add_network(bench, name, solver::make_problem(solver::make_topology(name, bench.seed), "all-to-all"), add);
}

}  // namespace

std::vector<BenchmarkTable> benchmark_tables() {
  return {{"1", "steps and time to solution, as table 1 of the paper", columns_of_1, &table_1},
          {"2", "individuals a second of the whole optimiser, as table 2 of the paper", columns_of_2, &table_2},
          {"fitness", "individuals a second of the fitness alone", columns_of_fitness, &table_fitness},
          {"devices", "one population on 1, 2, 4, ... devices, as figure 5 of the paper", columns_of_devices,
           &table_devices},
          {"moves", "exact moves a second", columns_of_moves, &table_moves},
          {"networks", "networks beyond the paper's, to 1,024 nodes with --full", columns_of_networks, &table_networks},
          {"faults", "mesh 6x6 with one link broken: each of the 60 with --full", columns_of_networks, &table_faults}};
}

}  // namespace clopt::apps::exchange
