/// \file
/// The tables and figures of the exchange's paper, for `clopt bench --solver exchange`.
#include <clopt/detail/numbers.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench_own.hpp"
#include "bench_paper.hpp"
#include "solver.hpp"

namespace clopt::apps::exchange {
namespace {

namespace solver = clopt::exchange;
using Kind = BenchmarkColumn::Kind;

double measured_seconds(const BenchmarkOptions& bench) { return bench.full ? 2 : 0.3; }

// Table 1: steps and time to solution, by the paper's optimiser and by `auto`.

constexpr std::uint32_t paper_runs = 30;
constexpr std::uint32_t paper_population = 256;

const std::vector<BenchmarkColumn> columns_of_1 = with_figures({{"topology", "network", Kind::text, 12},
                                                                {"optimizer", "optimizer", Kind::text, 9},
                                                                {"steps", "steps", Kind::count, 6},
                                                                {"lower_bound", "bound", Kind::count, 6},
                                                                {"paper_steps", "paper", Kind::text, 7},
                                                                {"success", "success", Kind::text, 8},
                                                                {"evaluations", "evaluations", Kind::rate, 11},
                                                                {"paper_evaluations", "paper", Kind::rate, 9}},
                                                               Kind::seconds);

// The paper has a time and, of the same processor, a rate.
std::optional<double> paper_evaluations(const Evolved& paper) {
  return paper.rate > 0 ? std::optional(paper.seconds * paper.rate) : std::nullopt;
}

BenchmarkRow row_of(const Evolved& paper, const char* optimizer) {
  return {{"topology", paper.topology},
          {"optimizer", optimizer},
          {"steps", nullptr},
          {"lower_bound", nullptr},
          {"paper_steps", fmt::format("{}/{}", paper.steps, paper.bound)},
          {"success", nullptr},
          {"evaluations", nullptr},
          {"paper_evaluations", or_null(paper_evaluations(paper))}};
}

// \returns the optimizer whose schedule it is.
std::string add_schedule(const Evolved& paper, const char* optimizer, const BenchmarkOptions& bench,
                         const AddRow& add) {
  auto row = row_of(paper, optimizer);
  std::string method;
  std::string how;
  std::uint32_t runs = 0;
  const auto sample = repeat(bench, paper_runs, [&](std::uint32_t number) {
    solver::Options options;
    options.seed = bench.seed + number;
    options.optimizer = optimizer;
    const auto result = solver::solve(exchange_on(paper.topology), options, *bench.device, bench.control());
    ++runs;
    method = result.method;
    how = result.reason.substr(0, result.reason.find(';'));
    row["steps"] = result.schedule.steps;
    row["lower_bound"] = result.bound.steps;
    return std::optional(result.seconds.total);
  });
  row["success"] = fmt::format("{}/{}", sample.runs(), runs);
  set_figures(row, sample, paper.seconds);
  row["note"] = how;
  add(row);
  return method;
}

// The optimiser of the paper, for its number of steps, at most twice its evaluations.
void add_umda(const Evolved& paper, const BenchmarkOptions& bench, const AddRow& add) {
  const auto problem = exchange_on(paper.topology);
  // Torus 3x3 has no rate; mesh 3x3 has as many nodes.
  const double most = 2 * paper_evaluations(paper).value_or(paper.seconds * 89572);
  auto row = row_of(paper, "umda");
  row["steps"] = paper.steps;
  row["lower_bound"] = solver::find_bound(problem).steps;
  Sample seconds, evaluations;
  std::uint32_t runs = 0;
  bool is_late = false;
  repeat(bench, bench.full ? paper_runs : 4, [&](std::uint32_t number) -> std::optional<double> {
    solver::Options options;
    options.seed = bench.seed + number;
    options.optimizer = "umda";
    options.steps = paper.steps;
    options.population = paper_population;
    const auto bred = paper_population / 2;
    options.generations = static_cast<std::uint64_t>(most / bred);
    const auto result = solver::solve(problem, options, *bench.device, bench.control());
    ++runs;
    is_late = is_late || result.ending == Ending::time;
    if (result.conflicts == 0) {
      seconds.add(result.seconds.total);
      evaluations.add(static_cast<double>(result.evaluations));
    }
    return is_late ? std::nullopt : std::optional(result.seconds.total);
  });
  row["success"] = fmt::format("{}/{}", seconds.runs(), runs);
  row["evaluations"] = evaluations.mean();
  set_figures(row, seconds, paper.seconds);
  row["note"] = is_late              ? "> limit"
                : seconds.runs() > 0 ? "of runs that succeed"
                                     : fmt::format("none in {:.1e} evaluations", most);
  // What does not succeed within twice the paper's evaluations has its figure: the part that does.
  if (!is_late && seconds.runs() == 0) row.erase("mean");
  add(row);
}

void table_1(const BenchmarkOptions& bench, const AddRow& add) {
  for (const auto& paper : evolved) {
    // The paper's schedules are found by a search.
    if (add_schedule(paper, "auto", bench, add) == "construct") add_schedule(paper, "anneal", bench, add);
    if (bench.full || paper.seconds <= 2) add_umda(paper, bench, add);
  }
}

// Table 2: individuals a second.

/// A line of the paper's table 2: individuals a second on two GPUs and on a quad-core processor.
struct Evaluated {
  const char* topology;
  double gtx_285;
  double gtx_580;
  double processor;
};

constexpr Evaluated evaluated[] = {
    {"mesh:2x2", 92692, 537895, 581530},   {"mesh:3x3", 48369, 113188, 89572},   {"mesh:4x4", 16741, 22981, 15930},
    {"mesh:5x5", 3810, 7563, 3588},        {"mesh:6x6", 750, 2372, 504},         {"mesh:7x7", 108, 539, 112},
    {"hypercube:3", 52454, 85384, 145077}, {"hypercube:4", 18621, 23456, 25845}, {"hypercube:5", 1835, 4152, 1369},
    {"hypercube:6", 51, 222, 65},          {"torus:4x4", 18619, 23551, 19498},   {"torus:5x5", 6336, 8353, 3695},
    {"torus:6x6", 1230, 2709, 677},        {"torus:7x7", 351, 725, 176},
};

std::vector<BenchmarkColumn> columns_of_2() {
  auto columns = with_figures({{"topology", "network", Kind::text, 12},
                               {"offload", "offload", Kind::text, 8},
                               {"method", "fitness", Kind::text, 8}},
                              Kind::rate);
  columns.insert(columns.end() - 1, {{"paper_gtx_285", "GTX 285", Kind::rate, 9},
                                     {"paper_gtx_580", "GTX 580", Kind::rate, 9},
                                     {"paper_processor", "quad-core", Kind::rate, 9}});
  return columns;
}

void table_2(const BenchmarkOptions& bench, const AddRow& add) {
  const std::shared_ptr<Device> devices[] = {bench.device};
  const bool is_gpu = bench.device->info().kind == DeviceKind::gpu;
  for (const auto& paper : evaluated)
    for (const auto& [offload, method] :
         {std::pair("host", "pairs"), std::pair("host", "links"), std::pair("device", "links")}) {
      // Four networks show each class in small.
      const std::string name = paper.topology;
      if (!bench.full && name != "mesh:4x4" && name != "mesh:7x7" && name != "hypercube:5" && name != "torus:6x6")
        continue;
      const auto sample = repeat(bench, 1, [&, &offload = offload, &method = method](std::uint32_t number) {
        solver::Options options;
        options.seed = bench.seed + number;
        options.offload = offload;
        options.method = method;
        return individuals_a_second(name, options, devices, bench.control(), measured_seconds(bench));
      });
      BenchmarkRow row{{"topology", name}, {"offload", offload}, {"method", method}};
      set_figures(row, sample, is_gpu ? paper.gtx_580 : paper.processor);
      row["paper_gtx_285"] = paper.gtx_285;
      row["paper_gtx_580"] = paper.gtx_580;
      row["paper_processor"] = paper.processor;
      row["note"] = sample.runs() == 0 ? "> limit" : "whole optimiser";
      add(row);
    }
}

// Figure 1: where the time goes.

constexpr double paper_fitness_part = 0.93;

void figure_1(const BenchmarkOptions& bench, const AddRow& add) {
  const std::shared_ptr<Device> devices[] = {bench.device};
  const char* const topology = "mesh:7x7";
  const auto problem = exchange_on(topology);
  const auto steps = static_cast<std::uint32_t>(solver::find_bound(problem).steps);
  for (const char* method : {"pairs", "links"}) {
    Json fitness, whole;
    const auto sample = repeat(bench, 1, [&](std::uint32_t number) -> std::optional<double> {
      solver::Options options;
      options.seed = bench.seed + number;
      options.method = method;
      const auto all = individuals_a_second(topology, options, devices, bench.control(), measured_seconds(bench));
      const auto alone =
          solver::measure_fitness(*bench.device, problem, steps, method, paper_population / 2, bench.control());
      if (!all || !alone) return std::nullopt;
      whole = *all;
      fitness = *alone;
      return *all / *alone;
    });
    BenchmarkRow row{{"method", method}, {"fitness", fitness}, {"whole", whole}};
    set_figures(row, sample, paper_fitness_part);
    row["note"] = sample.runs() == 0 ? "> limit" : "";
    add(row);
  }
}

// Figure 4: the layout of work-groups, of which the number of work-items is left.

void figure_4(const BenchmarkOptions& bench, const AddRow& add) {
  const auto tuned = solver::tune(*bench.device, bench.control());
  if (!tuned) throw BenchmarkStopped();
  const auto rates = Json::parse(*tuned).at("individuals_a_second");
  double best = 0;
  for (const auto& rate : rates) best = std::max(best, rate.get<double>());
  for (const auto& [size, rate] : rates.items())
    add({{"group_size", number_in<std::uint32_t>(size).value_or(0)},
         {"rate", rate},
         {"to_best", rate.get<double>() / best}});
}

// Figure 5: one population on several devices.

/// One way of sharing a population out among devices.
struct Sharing {
  const char* topology;
  const char* method;
  const char* individuals;  ///< "given", "drawn" on the host, or "islands", which draw on devices
};

std::optional<double> shared_rate(const Sharing& sharing, std::uint32_t population, std::uint32_t queues,
                                  std::span<const std::shared_ptr<Device>> devices, const BenchmarkOptions& bench) {
  const std::string_view individuals = sharing.individuals;
  if (individuals == "given") {
    const auto problem = exchange_on(sharing.topology);
    const auto steps = static_cast<std::uint32_t>(solver::find_bound(problem).steps);
    return solver::measure_offload(devices, problem, steps, sharing.method, population, queues, bench.control());
  }
  solver::Options options;
  options.seed = bench.seed;
  options.method = sharing.method;
  options.queues = queues;
  options.population = population;
  if (individuals == "islands") {
    options.offload = "device";
    options.islands = static_cast<std::uint32_t>(devices.size());
    options.population = population / options.islands;
  }
  return individuals_a_second(sharing.topology, options, devices, bench.control(), measured_seconds(bench));
}

// First one device that computes and waits by turns, with one queue.
void add_sharing(const Sharing& sharing, const BenchmarkOptions& bench, const AddRow& add) {
  const auto& all = bench.devices;
  const std::uint32_t population = bench.full ? 65536 : paper_population;
  Json alone;
  for (std::size_t half_count = 1; half_count <= 2 * all.size(); half_count *= 2) {
    const auto devices = std::span(all).first(std::max<std::size_t>(half_count / 2, 1));
    const std::uint32_t queues = half_count == 1 ? 1 : 2;
    const auto rate = shared_rate(sharing, population, queues, devices, bench);
    if (half_count <= 2) alone = or_null(rate);
    add({{"topology", sharing.topology},
         {"method", sharing.method},
         {"individuals", sharing.individuals},
         {"devices", devices.size()},
         {"queues", queues},
         {"population", population},
         {"rate", or_null(rate)},
         {"speedup", ratio(or_null(rate), alone)},
         {"ended", rate.has_value()},
         {"note", rate ? "" : "> limit"}});
  }
}

void figure_5(const BenchmarkOptions& bench, const AddRow& add) {
  for (const char* topology : {"mesh:7x7", "hypercube:6"}) {
    for (const char* individuals : {"given", "drawn"})
      for (const char* method : {"links", "pairs"}) add_sharing({topology, method, individuals}, bench, add);
    add_sharing({topology, "links", "islands"}, bench, add);
  }
}

}  // namespace

std::vector<BenchmarkTable> benchmark_tables() {
  std::vector<BenchmarkTable> tables{
      {.name = "table-1",
       .caption = "time steps of the best schedules, lower bounds, and time to solution",
       .seconds = 6,
       .runs = paper_runs,
       .columns = columns_of_1,
       .run = table_1,
       .remarks =
           {"umda: for the paper's number of steps, at most twice the paper's evaluations, which are its time by "
            "its rate of table 2. It has more than the paper's text says, which finds next to none: see "
            "docs/papers/complete-exchange.md.",
            "The bounds of mesh 5x5, torus 3x3 and hypercube 4 (32, 4 and 9) are not bounds: schedules of 30, 3 and 8 "
            "steps "
            "exist. That of torus 6x6, 24, can be 27."}},
      {.name = "table-2",
       .caption = "individuals processed per second, of the whole optimiser",
       .seconds = 7,
       .columns = columns_of_2(),
       .run = table_2,
       .remarks =
           {"here/paper is to the GTX 580 on a GPU, to the quad-core processor on a processor. umda as the paper's "
            "text has it: --tournament 2 --mutations 2 --tries 1 --symmetries 1."}},
      {.name = "figure-1",
       .caption = "the part of the time that the fitness takes, mesh 7x7",
       .seconds = 4,
       .columns = with_figures({{"method", "fitness", Kind::text, 8},
                                {"fitness", "fitness alone", Kind::rate, 13},
                                {"whole", "optimiser", Kind::rate, 10}},
                               Kind::part),
       .run = figure_1,
       .remarks =
           {"Here: the optimiser's rate over that of the fitness alone on the same device. The paper's profile is "
            "of one thread: 93 % fitness, of which 20 % share out paths, 2 % random numbers, 2 % the model."}},
      {.name = "figure-4",
       .caption = "the size of work-groups, mesh 7x7",
       .seconds = 3,
       .columns = {{"group_size", "work-items", Kind::count, 10},
                   {"rate", "individuals/s", Kind::rate, 14},
                   {"to_best", "to the best", Kind::ratio, 12}},
       .run = figure_4,
       .picture = BenchmarkPicture{"group_size", "work-items", "rate", "individuals a second"},
       .remarks =
           {"The figure is an image: one-dimensional blocks of 1024 threads are the best, two-dimensional ones are "
            "alike. Here a work-group counts an individual's links, and has no second dimension; on a processor sizes "
            "do "
            "not matter."}},
      {.name = "figure-5",
       .caption = "strong scaling: one population on 1, 2, 4, ... devices",
       .seconds = 11,
       .aliases = {"devices"},
       .columns = {{"topology", "network", Kind::text, 12},
                   {"method", "fitness", Kind::text, 8},
                   {"individuals", "individuals", Kind::text, 11},
                   {"devices", "devices", Kind::count, 8},
                   {"queues", "queues", Kind::count, 7},
                   {"population", "population", Kind::count},
                   {"rate", "individuals/s", Kind::rate, 14},
                   {"speedup", "speed-up", Kind::ratio},
                   {"note", "note", Kind::text, 10}},
       .run = figure_5,
       .picture = BenchmarkPicture{"devices", "devices", "speedup", "speed-up", {"topology", "individuals", "method"}},
       .remarks = {"The figure is an image: almost ideal up to 4 GPUs, then no more; 8 GPUs are almost 30 times the "
                   "quad-core processor."}}};
  tables.push_back(bounds_table());
  for (auto& each : own_tables()) tables.push_back(std::move(each));
  return tables;
}

}  // namespace clopt::apps::exchange
