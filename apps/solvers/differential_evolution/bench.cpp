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
constexpr double short_run = 0.3;            // seconds; such a run is repeated and the best is kept
constexpr int repetitions = 3;

/// A row of the table.
struct Shape {
  std::size_t problems;
  std::size_t dimensions;
  std::size_t population;
  std::uint64_t generations;
};

/// How a run went; none where it was stopped.
struct Measurement {
  double seconds = 0;
  double generations = 0;
  double evaluations = 0;
  std::string note;
};

solver::Problem problem_of(const Shape& shape) {
  solver::Problem problem{Objective::named("rastrigin")};
  problem.dimensions = shape.dimensions;
  problem.problems = shape.problems;
  return problem;
}

Measurement measure(const Shape& shape, const std::string& method, const BenchmarkOptions& bench) {
  solver::Options options;
  options.method = method;
  options.adapt = "none";  // the paper's algorithm, and the other programs'
  options.population = shape.population;
  options.generations = shape.generations;
  options.seed = bench.seed;
  Measurement best;
  for (int n = 0; n < repetitions; ++n) {
    const auto result = solver::solve(problem_of(shape), options, *bench.device, bench.control());
    const auto all = shape.problems * shape.generations;
    if (n == 0 || result.seconds.compute < best.seconds)
      best = {result.seconds.compute, static_cast<double>(result.total_generations),
              static_cast<double>(result.total_evaluations), result.total_generations < all ? "> limit" : ""};
    if (result.seconds.compute > short_run) break;
  }
  return best;
}

BenchmarkRow row_of(const Shape& shape, const std::string& method, const Measurement& measured) {
  return {{"problems", shape.problems},
          {"dimensions", shape.dimensions},
          {"population", shape.population},
          {"method", method},
          {"seconds", measured.seconds},
          {"generations", ratio(measured.generations, measured.seconds)},
          {"evaluations", ratio(measured.evaluations, measured.seconds)},
          {"note", measured.note}};
}

const std::vector<BenchmarkColumn> columns_of_methods{{"problems", "problems", Kind::count, 9},
                                                      {"dimensions", "D", Kind::count, 5},
                                                      {"population", "NP", Kind::count, 6},
                                                      {"method", "method", Kind::text, 8},
                                                      {"seconds", "computing", Kind::seconds},
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

void table_of_methods(const BenchmarkOptions& bench, const AddRow& add) {
  for (const std::size_t problems : {1U, 100U, 10'000U})
    for (const std::size_t dimensions : {5U, 10U, 30U, 100U}) {
      const auto population = std::max<std::size_t>(20, usual_population * dimensions);
      const Shape shape{problems, dimensions, population, generations_for(problems, population, bench)};
      Json fused;
      for (const char* method : {"fused", "merged", "staged"}) {
        const auto measured = measure(shape, method, bench);
        auto row = row_of(shape, method, measured);
        if (std::string(method) == "fused") fused = row["generations"];
        row["fused"] = ratio(fused, row["generations"]);
        add(row);
      }
    }
}

const std::vector<BenchmarkColumn> columns_of_libraries{{"problems", "problems", Kind::count, 9},
                                                        {"dimensions", "D", Kind::count, 5},
                                                        {"population", "NP", Kind::count, 6},
                                                        {"method", "library", Kind::text, 14},
                                                        {"seconds", "computing", Kind::seconds},
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
                                   shape.population, shape.generations, bench.seed % 1'000'000, bench.time_limit);
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  char line[64] = "";
  if (!output || !std::fgets(line, sizeof line, output.get())) return std::nullopt;
  return number_in<double>(std::string_view(line).substr(0, std::string_view(line).find('\n')));
}

void table_of_libraries(const BenchmarkOptions& bench, const AddRow& add) {
  for (const std::size_t dimensions : {10U, 30U}) {
    const Shape shape{bench.full ? 1000U : 20U, dimensions, usual_population * dimensions, 1000};
    add(row_of(shape, "clopt, float", measure(shape, "auto", bench)));
    std::error_code error;
    const bool is_there = std::filesystem::exists(pagmo_program(), error);
    const auto seconds = is_there ? pagmo_seconds(shape, bench) : std::nullopt;
    Measurement theirs;
    theirs.note = is_there ? "> limit" : "not built: needs libpagmo-dev, target clopt-pagmo";
    if (seconds)
      theirs = {*seconds, static_cast<double>(shape.problems * shape.generations),
                static_cast<double>(shape.problems * (shape.generations + 1) * shape.population), "one core, double"};
    auto row = row_of(shape, "pagmo", theirs);
    if (!seconds) row["seconds"] = nullptr;
    add(row);
  }
}

}  // namespace

std::vector<BenchmarkTable> benchmark_tables() {
  return {{"methods", "the three methods on rastrigin, rand/1/bin, floats", columns_of_methods, table_of_methods},
          {"libraries", "what a user would pick instead, on the same work", columns_of_libraries, table_of_libraries}};
}

}  // namespace clopt::apps::differential_evolution
