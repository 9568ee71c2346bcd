/// \file
/// The tables of `clopt bench --solver differential-evolution`. The paper claims its method's speed without a figure:
/// these are the figures.
#include <clopt/detail/numbers.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <commands/solver.hpp>

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;
using Kind = BenchmarkColumn::Kind;

constexpr std::size_t usual_population = 5;  // times the dimensions, the least that the paper recommends
constexpr double wanted_evaluations = 2e6;   // of a run that need not be full, and a hundred times as many on a GPU
constexpr std::uint32_t usual_runs = 10;

/// A row of the table.
struct Shape {
  std::size_t problems;
  std::size_t dimensions;
  std::size_t population;
  std::uint64_t generations;
};

/// The rates of some runs.
struct Measurement {
  Sample seconds;
  Sample generations;  ///< a second
  Sample evaluations;  ///< a second
  std::string note;
};

solver::Problem problem_of(const Shape& shape) {
  solver::Problem problem{Objective::named("rastrigin")};
  problem.dimensions = shape.dimensions;
  problem.problems = shape.problems;
  return problem;
}

Measurement measure(const Shape& shape, const std::string& method, const BenchmarkOptions& bench) {
  Measurement measured;
  measured.seconds = repeat(bench, usual_runs, [&](std::uint32_t number) -> std::optional<double> {
    solver::Options options;
    options.method = method;
    options.adapt = "none";  // the paper's algorithm, and the other programs'
    options.population = shape.population;
    options.generations = shape.generations;
    options.seed = bench.seed + number;
    const auto result = solver::solve(problem_of(shape), options, *bench.device, bench.control());
    if (result.total_generations < shape.problems * shape.generations) {
      measured.note = "> limit";
      return std::nullopt;
    }
    measured.generations.add(static_cast<double>(result.total_generations) / result.seconds.compute);
    measured.evaluations.add(static_cast<double>(result.total_evaluations) / result.seconds.compute);
    return result.seconds.compute;
  });
  return measured;
}

BenchmarkRow row_of(const Shape& shape, const std::string& method, const char* paper_name,
                    const Measurement& measured) {
  BenchmarkRow row{{"problems", shape.problems},
                   {"dimensions", shape.dimensions},
                   {"population", shape.population},
                   {"method", method},
                   {"paper_name", paper_name}};
  set_figures(row, measured.seconds, nullptr);
  row["generations"] = measured.generations.mean();
  row["evaluations"] = measured.evaluations.mean();
  row["note"] = measured.note;
  return row;
}

const std::vector<BenchmarkColumn> columns_of_methods{{"problems", "problems", Kind::count, 9},
                                                      {"dimensions", "D", Kind::count, 5},
                                                      {"population", "NP", Kind::count, 6},
                                                      {"method", "method", Kind::text, 9},
                                                      {"paper_name", "in the paper", Kind::text, 18},
                                                      {"mean", "mean", Kind::seconds, 10},
                                                      {"deviation", "deviation", Kind::seconds, 10},
                                                      {"runs", "runs", Kind::count, 5},
                                                      {"generations", "generations/s", Kind::rate, 14},
                                                      {"evaluations", "evaluations/s", Kind::rate, 14},
                                                      {"fused", "fused is faster", Kind::ratio, 15},
                                                      {"note", "note", Kind::text, 10}};

std::uint64_t generations_for(std::size_t problems, std::size_t population, const BenchmarkOptions& bench) {
  if (bench.full) return 1000;
  const bool is_gpu = bench.device->info().kind == DeviceKind::gpu;
  const double wanted = (is_gpu ? 100 : 1) * wanted_evaluations / static_cast<double>(problems * population);
  return static_cast<std::uint64_t>(std::clamp(wanted, 10.0, 1000.0));
}

void figure_3(const BenchmarkOptions& bench, const AddRow& add) {
  for (const std::size_t problems : {1U, 100U, 10'000U})
    for (const std::size_t dimensions : {5U, 10U, 30U, 100U}) {
      if (!bench.full && (problems > 100 || dimensions > 30)) continue;
      const auto population = std::max<std::size_t>(20, usual_population * dimensions);
      const Shape shape{problems, dimensions, population, generations_for(problems, population, bench)};
      Json fused;
      for (const auto& [method, paper_name] :
           {std::pair("fused", "figure 3"), std::pair("merged", "MCRE of [8]"),
            std::pair("staged", "figure 1, kernels"), std::pair("ahead", "[5], draws ahead"),
            std::pair("offloaded", "[6], fitness alone")}) {
        auto row = row_of(shape, method, paper_name, measure(shape, method, bench));
        if (fused.is_null()) fused = row["generations"];
        row["fused"] = ratio(fused, row["generations"]);
        add(row);
      }
    }
}

const std::vector<BenchmarkColumn> columns_of_libraries{{"problems", "problems", Kind::count, 9},
                                                        {"dimensions", "D", Kind::count, 5},
                                                        {"population", "NP", Kind::count, 6},
                                                        {"method", "library", Kind::text, 14},
                                                        {"mean", "mean", Kind::seconds, 10},
                                                        {"runs", "runs", Kind::count, 5},
                                                        {"generations", "generations/s", Kind::rate, 14},
                                                        {"evaluations", "evaluations/s", Kind::rate, 14},
                                                        {"note", "note", Kind::text, 24}};

std::filesystem::path pagmo_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "clopt-pagmo";
}

// Seconds that pagmo takes for the same work; none where it is not there, or takes longer than the limit.
std::optional<double> pagmo_seconds(const Shape& shape, const BenchmarkOptions& bench) {
  const auto command = fmt::format("'{}' {} {} {} {} {} {}", pagmo_program().string(), shape.problems, shape.dimensions,
                                   shape.population, shape.generations, bench.seed % 1'000'000, bench.limit());
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  char line[64] = "";
  if (!output || !std::fgets(line, sizeof line, output.get())) return std::nullopt;
  return number_in<double>(std::string_view(line).substr(0, std::string_view(line).find('\n')));
}

void table_of_libraries(const BenchmarkOptions& bench, const AddRow& add) {
  for (const std::size_t dimensions : {10U, 30U}) {
    const Shape shape{bench.full ? 1000U : 20U, dimensions, usual_population * dimensions, 1000};
    add(row_of(shape, "clopt, float", "", measure(shape, "auto", bench)));
    std::error_code error;
    Measurement theirs;
    if (!std::filesystem::exists(pagmo_program(), error)) {
      // It is no part of the program, and its absence no failure.
      auto row = row_of(shape, "pagmo", "", theirs);
      row.erase("mean");
      row["note"] = "not built: needs libpagmo-dev, target clopt-pagmo";
      add(row);
      continue;
    }
    const auto seconds = pagmo_seconds(shape, bench);
    theirs.note = seconds ? "one core, double" : "> limit";
    if (seconds) {
      theirs.seconds.add(*seconds);
      theirs.generations.add(static_cast<double>(shape.problems * shape.generations) / *seconds);
      theirs.evaluations.add(static_cast<double>(shape.problems * (shape.generations + 1) * shape.population) /
                             *seconds);
    }
    add(row_of(shape, "pagmo", "", theirs));
  }
}

}  // namespace

std::vector<BenchmarkTable> benchmark_tables() {
  return {
      {.name = "figure-3",
       .caption = "the proposed method beside figure 1, [5], [6] and [8], rastrigin, rand/1/bin, floats",
       .seconds = 10,
       .runs = usual_runs,
       .aliases = {"methods"},
       .columns = columns_of_methods,
       .run = figure_3,
       .remarks = {"The paper has no measurement: its figures are schemes of kernels and memory, and its claim of "
                   "speed has no number.",
                   "Equation (2) as it is written may leave a vector as it was; the rows take one parameter of the "
                   "mutant at least, as Storn and Price do (else: --unforced).",
                   "ahead: a launch draws for up to 64 generations, which the other launches read. offloaded: the host "
                   "breeds (for a GPU by all threads) and the device evaluates; trials and values cross each "
                   "generation."}},
      {.name = "libraries",
       .caption = "what a user would pick instead, on the same work",
       .seconds = 3,
       .runs = usual_runs,
       .columns = columns_of_libraries,
       .run = table_of_libraries}};
}

}  // namespace clopt::apps::differential_evolution
