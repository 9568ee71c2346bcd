// A program of the library as every rank of a job runs it: what it solves is printed by the first one.
#include <clopt/clopt.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

namespace {

using Devices = std::vector<std::shared_ptr<clopt::Device>>;

void print_result(const char* what, const clopt::RunResult& result, std::uint64_t value) {
  std::printf("%s %" PRIu64 " %016" PRIx64 "\n", what, value, result.checksum);
  const auto& report = result.cluster;
  if (report)
    std::fprintf(stderr, "%s: %" PRIu64 " requests%s%s\n", what, report->requests, report->alone.empty() ? "" : ", ",
                 report->alone.c_str());
}

// Each two of three transfers share a channel, which no bound by weights sees: every attempt at two steps fails, so
// that there are several, each of which is shared out.
void lower_steps(const Devices& devices) {
  namespace exchange = clopt::exchange;
  exchange::Problem problem;
  problem.topology = {"triangle", 3, {{0, 1}, {1, 2}, {2, 0}}, std::vector<exchange::Role>(3), 0};
  problem.pattern = "two links ahead";
  problem.transfers = {{0, 2}, {1, 0}, {2, 1}};
  exchange::Options options;
  options.optimizer = "anneal";
  options.searches = 5;
  options.generations = 9000;
  const auto result = exchange::solve(problem, options, devices);
  print_result("exchange", result, result.schedule.steps);
}

void find_subset(const Devices& devices) {
  const auto instance = clopt::subset_sum::make_instance("random:42:10000000000000", 5);
  clopt::subset_sum::Options options;
  options.method = "meet-in-the-middle";
  options.reduce = false;
  const auto result = clopt::subset_sum::solve(instance, options, devices);
  print_result("subset-sum", result, result.value);
}

// Islands that meet, whose target one of them reaches.
void evolve_islands(const Devices& devices) {
  const clopt::genetic::Problem problem{clopt::Objective::named("onemax"), 120, {}, {}};
  clopt::genetic::Options options;
  options.population = 40;
  options.islands = 9;
  options.migrate_every = 20;
  options.target = 20;
  options.generations = 2000;
  const auto result = clopt::genetic::solve(problem, options, devices);
  print_result("genetic", result, result.generations);
}

// Models whose pairs all ranks count, however few they are: by rows and by patterns, by each search, with groups too
// large for rows, and of fewer loci than there could be parts.
void build_models(const Devices& devices) {
  namespace ecga = clopt::ecga;
  struct Case {
    const char* objective;
    std::uint32_t length;
    std::uint64_t population;
    const char* search;
    const char* counting;
  };
  for (const auto& each : {Case{"trap5", 105, 1500, "greedy", "auto"},
                           {"trap4", 240, 900, "mating", "auto"},
                           {"trap5", 150, 601, "mating", "histogram"},
                           {"trap8", 72, 2000, "greedy", "popcount"},
                           {"onemax", 7, 49, "greedy", "auto"},
                           {"onemax", 1, 16, "greedy", "auto"}}) {
    ecga::Options options;
    options.population = each.population;
    options.search = each.search;
    options.counting = each.counting;
    options.least_shared = 0;
    const auto result = ecga::solve({ecga::find_objective(each.objective), each.length}, options, devices);
    print_result("ecga", result, result.passes);
  }
}

// Local search by parts and of whole individuals, for some generations, until the best is proven, and of populations
// that grow.
void improve_individuals(const Devices& devices) {
  namespace ecga = clopt::ecga;
  struct Case {
    const char* objective;
    std::uint32_t length;
    std::uint64_t population;
    const char* improve;
  };
  for (const auto& each : {Case{"nk7", 49, 201, "blocks"},
                           {"ising", 49, 97, "blocks"},
                           {"nk5", 49, 301, "flips"},
                           {"nk3", 21, 0, "auto"},
                           {"trap5", 105, 65, "blocks"},
                           {"onemax", 1, 16, "flips"}}) {
    ecga::Options options;
    options.population = each.population;
    options.improve = each.improve;
    options.generations = 5;
    options.least_shared = 0;
    const auto result = ecga::solve(ecga::find_problem(each.objective, each.length, 1), options, devices);
    print_result("ecga improved", result, result.evaluations);
  }
}

// The third generation ends a run that resumes from the second.
void continue_models(const Devices& devices) {
  namespace ecga = clopt::ecga;
  const ecga::Problem problem{ecga::find_objective("trap5"), 200};
  const std::filesystem::path path = std::string(std::getenv("CLOPT_TEST_FOLDER")) + "/ecga.checkpoint";
  ecga::Options options;
  options.population = 700;
  options.least_shared = 0;
  options.generations = 2;
  options.checkpoint = std::make_shared<clopt::CheckpointWriter>(path);
  ecga::solve(problem, options, devices);
  options.checkpoint = nullptr;
  options.generations = 3;
  options.resume = std::make_shared<const clopt::Checkpoint>(clopt::Checkpoint::read(path, "ecga"));
  const auto result = ecga::solve(problem, options, devices);
  print_result("ecga resumed", result, result.generations);
}

}  // namespace

int main() try {
  const auto member = clopt::cluster::join();
  const auto open = [] {
    clopt::DeviceOptions options;
    options.threads = 1;
    return clopt::open_devices({"openmp:0"}, options);
  };
  if (member && !member->is_first()) return member->serve(open);
  const auto devices = open();
  lower_steps(devices);
  find_subset(devices);
  evolve_islands(devices);
  build_models(devices);
  improve_individuals(devices);
  continue_models(devices);
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
