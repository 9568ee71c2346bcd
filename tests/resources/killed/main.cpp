/// \file
/// killed_run WORK FILE DEVICE: solves something small by the library, with a checkpoint in FILE wherever the solver
/// can write one; resumes from it where there is one. Prints what must not depend on how often it was killed.
#include <clopt/clopt.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

namespace {

struct Files {
  std::shared_ptr<clopt::CheckpointWriter> checkpoint;
  std::shared_ptr<const clopt::Checkpoint> resume;
};

template <class Options>
Options with_files(const Files& files) {
  Options options;
  options.seed = 5;
  options.checkpoint = files.checkpoint;
  options.resume = files.resume;
  return options;
}

void print(const clopt::RunResult& result, std::uint64_t generations, double best) {
  std::printf("%016llx %llu %.17g\n", static_cast<unsigned long long>(result.checksum),
              static_cast<unsigned long long>(generations), best);
}

void genetic(clopt::Device& device, const Files& files, std::uint32_t islands) {
  auto options = with_files<clopt::genetic::Options>(files);
  options.population = 65;
  options.islands = islands;
  options.migrate_every = islands > 1 ? 7 : 0;
  options.generations = 600;
  const auto result = clopt::genetic::solve({clopt::Objective::named("rastrigin"), 30, {}, {}}, options, device);
  print(result, result.generations, result.fitness);
}

void differential_evolution(clopt::Device& device, const Files& files, const char* adapt) {
  auto options = with_files<clopt::differential_evolution::Options>(files);
  options.population = 33;
  options.generations = 40000;
  options.adapt = adapt;
  clopt::differential_evolution::Problem problem{.objective = clopt::Objective::named("rosenbrock")};
  problem.dimensions = 10;
  problem.problems = 3;
  const auto result = clopt::differential_evolution::solve(problem, options, device);
  print(result, result.generations.at(result.best), result.values.at(result.best));
}

void ecga(clopt::Device& device, const Files& files) {
  auto options = with_files<clopt::ecga::Options>(files);
  options.population = 800;
  options.crossover = 0.3;
  options.generations = 24;
  const auto result = clopt::ecga::solve({clopt::ecga::find_objective("trap5"), 60}, options, device);
  print(result, result.generations, result.best_fitness);
}

void exchange(clopt::Device& device, const Files& files, const std::string& optimizer) {
  auto options = with_files<clopt::exchange::Options>(files);
  options.optimizer = optimizer;
  options.generations = optimizer == "umda" ? 400 : 60;
  options.population = 129;
  options.steps_are_bound = true;
  const auto topology = clopt::exchange::make_topology(optimizer == "umda" ? "mesh:3x3" : "torus:6x6");
  const auto result = clopt::exchange::solve(clopt::exchange::make_problem(topology, "all-to-all"), options, device);
  print(result, result.generations, static_cast<double>(result.conflicts));
}

void solve(const std::string& work, const std::string& file, const std::string& device_name) {
  Files files;
  if (std::filesystem::exists(file))
    files.resume = std::make_shared<const clopt::Checkpoint>(clopt::Checkpoint::read(file, ""));
  constexpr double seconds_between = 0.001;
  files.checkpoint = std::make_shared<clopt::CheckpointWriter>(file, "", seconds_between);
  const auto device = clopt::open_device(device_name);
  if (work == "genetic") return genetic(*device, files, 1);
  if (work == "genetic/islands") return genetic(*device, files, 3);
  if (work == "differential-evolution") return differential_evolution(*device, files, "none");
  if (work == "differential-evolution/shade") return differential_evolution(*device, files, "shade");
  if (work == "ecga") return ecga(*device, files);
  exchange(*device, files, work.substr(work.find('/') + 1));
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  try {
    solve(words[1], words[2], words[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
