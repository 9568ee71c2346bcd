/// \file
/// The tables of `clopt bench` for ECGA.
#include <clopt/devices.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/ecga_sizing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <commands/solver.hpp>

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;
using Kind = BenchmarkColumn::Kind;

/// The paper's table 5: populations that solve m - 1 traps, by greedy and by mating search.
struct PaperSize {
  std::uint32_t length;
  std::uint64_t greedy;
  std::uint64_t mating;
};
constexpr std::array<PaperSize, 7> paper_sizes{{{50, 2376, 2616},
                                                {100, 6670, 6670},
                                                {150, 11781, 12248},
                                                {200, 17160, 19008},
                                                {250, 21907, 24667},
                                                {300, 29890, 30530},
                                                {350, 36992, 39296}}};
// The paper uses a theoretical size here, which it does not state; this one is on the curve of the others.
constexpr PaperSize largest{500, 59270, 63000};
// Section 5.3: gECGA against the baseline, at 500 loci.
constexpr double paper_model_ratio = 482.28;
constexpr double paper_whole_ratio = 358.97;
constexpr double paper_mating_ratio = 505.6;

std::vector<PaperSize> sizes(bool full) {
  std::vector<PaperSize> all(paper_sizes.begin(), paper_sizes.end());
  if (!full) all.resize(4);
  if (full) all.push_back(largest);
  return all;
}

std::optional<solver::Result> measure(const BenchmarkOptions& bench, Device& device, std::uint32_t length,
                                      std::uint64_t population, const std::string& search, const std::string& counting,
                                      std::optional<std::uint32_t> guesses = std::nullopt) {
  solver::Options options;
  options.population = population;
  options.search = search;
  options.counting = counting;
  options.guesses = guesses;
  options.stagnation.reset();  // it reads each generation back; the paper's runs end where all are equal
  options.seed = bench.seed;
  const auto result = solver::solve(solver::trap(5, length), options, device, bench.control());
  return result.converged ? std::optional(result) : std::nullopt;
}

/// Seconds of a whole run and of its models.
struct Times {
  std::optional<double> whole;
  std::optional<double> model;
};

Times times_of(const std::optional<solver::Result>& result) {
  if (!result) return {};
  return {result->seconds.compute, result->model_seconds};
}

// The original code counts one individual after the other; that takes long where there are many pairs.
constexpr std::uint32_t longest_one_by_one = 100;

// Figures 5 and 7: every method against the baseline of the same length, measured in the same run.
void run_speedups(const BenchmarkOptions& bench, const AddRow& add) {
  auto one_thread = bench.device_options;
  one_thread.threads = 1;
  const auto baseline_device = open_device("openmp:0", one_thread);
  for (const auto& size : sizes(bench.full)) {
    const auto baseline = times_of(measure(bench, *baseline_device, size.length, size.greedy, "greedy", "table-16"));
    struct Method {
      const char* name;
      const char* search;
      const char* counting;
      Device* device;
      std::optional<double> paper_model, paper_whole;
      std::optional<std::uint32_t> guesses = {};
    };
    const bool at_500 = size.length == largest.length;
    const auto paper = [&](double figure) { return at_500 ? std::optional(figure) : std::nullopt; };
    const Method methods[] = {
        {"one by one", "greedy", "histogram", baseline_device.get(), {}, {}, 1},
        {"baseline", "greedy", "table-16", baseline_device.get(), 1, 1},
        {"table", "greedy", "table", bench.device.get(), paper(paper_model_ratio), paper(paper_whole_ratio)},
        {"table, mating", "mating", "table", bench.device.get(), {}, paper(paper_mating_ratio)},
        {"auto", "greedy", "auto", bench.device.get(), {}, {}},
        {"auto, mating", "mating", "auto", bench.device.get(), {}, {}},
    };
    for (const auto& method : methods) {
      const bool mating = std::string_view(method.search) == "mating";
      const auto population = mating ? size.mating : size.greedy;
      if (method.guesses && size.length > longest_one_by_one && !bench.full) continue;
      const bool is_baseline = std::string_view(method.name) == "baseline";
      const auto times = is_baseline ? baseline
                                     : times_of(measure(bench, *method.device, size.length, population, method.search,
                                                        method.counting, method.guesses));
      add({{"length", size.length},
           {"population", population},
           {"method", method.name},
           {"model_seconds", or_null(times.model)},
           {"whole_seconds", or_null(times.whole)},
           {"model_ratio", ratio(or_null(baseline.model), or_null(times.model))},
           {"whole_ratio", ratio(or_null(baseline.whole), or_null(times.whole))},
           {"paper_model_ratio", or_null(method.paper_model)},
           {"paper_whole_ratio", or_null(method.paper_whole)}});
    }
  }
}

// Groups of a model that are exactly a trap.
std::uint32_t right_groups(std::span<const std::vector<std::uint32_t>> model, std::uint32_t order) {
  std::uint32_t right = 0;
  for (const auto& group : model)
    if (group.size() == order && group.front() % order == 0 && group.back() == group.front() + order - 1) ++right;
  return right;
}

/// What figure 6 shows of a generation.
struct Quality {
  double known = 0;  ///< the part of the traps that the model has exactly
  double ones = 0;   ///< the part of ones after selection
};

// Figure 6: how many of ten traps a model knows, and how many ones are selected, generation by generation, by either
// search; a mean of thirty runs.
void run_model_quality(const BenchmarkOptions& bench, const AddRow& add) {
  constexpr std::uint32_t blocks = 10;
  constexpr std::uint32_t runs = 30;
  constexpr std::uint32_t shown = 8;
  for (const std::uint64_t population : {1000U, 2000U, 4000U}) {
    std::map<std::string, std::array<Quality, shown>> quality;
    for (const auto& search : choices_of<solver::Options>("search"))
      for (std::uint32_t run = 0; run < runs; ++run) {
        solver::Options options;
        options.population = population;
        options.search = search;
        options.seed = bench.seed + run;
        options.generations = shown;
        options.statistics = [&](const solver::Statistics& statistics) {
          if (statistics.generation == 0 || statistics.generation > shown) return;
          auto& here = quality[search][statistics.generation - 1];
          here.known += right_groups(statistics.model, 5) / double{blocks} / runs;
          here.ones += statistics.ones / runs;
        };
        solver::solve(solver::trap(5, 5 * blocks), options, *bench.device, bench.control());
      }
    for (std::uint32_t generation = 1; generation <= shown; ++generation)
      add({{"population", population},
           {"generation", generation},
           {"greedy", quality["greedy"][generation - 1].known},
           {"mating", quality["mating"][generation - 1].known},
           {"greedy_ones", quality["greedy"][generation - 1].ones},
           {"mating_ones", quality["mating"][generation - 1].ones}});
  }
}

// How often the paper's populations, and one and a half times as many, solve all traps, or all but one.
void run_success(const BenchmarkOptions& bench, const AddRow& add) {
  const std::uint32_t runs = bench.full ? 40 : 10;
  for (const auto& size : sizes(bench.full)) {
    if (size.length == largest.length || (!bench.full && size.length > 100)) continue;
    for (const double factor : {1.0, 1.5}) {
      std::uint32_t all = 0;
      std::uint32_t but_one = 0;
      double evaluations = 0;
      const auto population = static_cast<std::uint64_t>(factor * static_cast<double>(size.greedy));
      std::uint32_t done = 0;
      for (; done < runs; ++done) {
        auto own = bench;
        own.seed = bench.seed + done;
        const auto result = measure(own, *bench.device, size.length, population, "greedy", "auto");
        if (!result) break;
        if (result->best_fitness >= size.length) ++all;
        if (result->best_fitness >= size.length - 1) ++but_one;
        evaluations += static_cast<double>(result->evaluations);
      }
      if (done == 0) continue;
      add({{"length", size.length},
           {"population", population},
           {"of_paper", factor},
           {"runs", done},
           {"all", all},
           {"all_but_one", but_one},
           {"evaluations", evaluations / done}});
    }
  }
}

// The paper's table 4: N l bits for the population, the model, the cache of pairs, and the states.
std::uint64_t paper_bytes(std::uint64_t length, std::uint64_t population) {
  constexpr std::uint64_t row = 11;  // loci of a group and their number
  return 8 * ((population * length + 63) / 64) + 4 * length * row + 4 * length * length + length;
}

// Section 5.4: the population that the paper says would fit a card of 3 GB, and what it takes here.
void list_memory(const BenchmarkOptions& bench, const AddRow& add) {
  auto all = sizes(true);
  all.push_back({9800, 1912315, 1912315});
  for (const auto& size : all) {
    solver::Options options;
    options.population = size.greedy;
    const auto bytes = solver::memory_needed(solver::trap(5, size.length), options);
    add({{"length", size.length},
         {"population", size.greedy},
         {"paper_bytes", paper_bytes(size.length, size.greedy)},
         {"bytes", bytes},
         {"fits", bytes <= bench.device->info().global_memory_bytes ? "yes" : "no"}});
  }
}

}  // namespace

std::vector<BenchmarkTable> benchmark_tables() {
  return {
      {"5",
       "figures 5 and 7: traps of order 5, seconds and ratios to the baseline (sequential, 16-bit tables, one thread)",
       {{"length", "loci", Kind::count, 6},
        {"population", "N", Kind::count, 8},
        {"method", "method", Kind::text, 16},
        {"model_seconds", "models", Kind::seconds},
        {"whole_seconds", "whole run", Kind::seconds},
        {"model_ratio", "ratio", Kind::ratio},
        {"whole_ratio", "ratio whole", Kind::ratio},
        {"paper_model_ratio", "paper", Kind::ratio},
        {"paper_whole_ratio", "paper whole", Kind::ratio}},
       run_speedups},
      {"6",
       "figure 6: part of ten traps of order 5 that the model has exactly, and of ones that are selected; means of 30 "
       "runs",
       {{"population", "N", Kind::count, 8},
        {"generation", "generation", Kind::count},
        {"greedy", "greedy", Kind::ratio},
        {"mating", "mating", Kind::ratio},
        {"greedy_ones", "ones, greedy", Kind::ratio},
        {"mating_ones", "ones, mating", Kind::ratio}},
       run_model_quality},
      {"memory",
       "section 5.4: bytes on a device, by the paper's formula and of this program, and whether they fit",
       {{"length", "loci", Kind::count, 6},
        {"population", "N", Kind::count, 8},
        {"paper_bytes", "paper", Kind::bytes},
        {"bytes", "clopt", Kind::bytes},
        {"fits", "fits", Kind::text, 5}},
       list_memory},
      {"success",
       "runs that solve all traps of order 5, or all but one, at the paper's populations and 1.5 times these",
       {{"length", "loci", Kind::count, 6},
        {"population", "N", Kind::count, 8},
        {"of_paper", "of paper's", Kind::ratio},
        {"runs", "runs", Kind::count, 6},
        {"all", "all", Kind::count, 6},
        {"all_but_one", "all but one", Kind::count},
        {"evaluations", "evaluations", Kind::count}},
       run_success}};
}

}  // namespace clopt::apps::ecga
