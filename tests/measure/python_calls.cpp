/// \file
/// The C++ side of what tools/python-times compares: a fit of rows from a file of doubles, and eight threads that solve
/// at once. Prints seconds: the processor's of the calls of a fit, and by the clock of eight runs one after the other
/// and at the same time.
///   python_calls ROWS COLUMNS FILE TEXT ROUNDS, python_calls threads ROUNDS
#include <clopt/clopt.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace solver = clopt::differential_evolution;

double seconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void fits(std::size_t rows, std::size_t columns, const char* file, const char* text, int rounds) {
  std::vector<double> data(rows * columns);
  std::ifstream(file, std::ios::binary)
      .read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size() * sizeof(double)));
  const auto objective = clopt::Objective::from_file(text);
  const auto device = clopt::open_device("openmp:0", {.threads = 1});
  for (int k = 0; k <= rounds; ++k) {
    // As the call from Python: from an array that the caller has.
    const auto begin = std::clock();
    {
      solver::Problem problem{objective, 3};
      problem.lower = {0, 0, -2};
      problem.upper = {5, 5, 2};
      problem.data = data;
      problem.columns = columns;
      problem.problems = rows;
      solver::Options options;
      options.weight = 0.7;
      options.generations = 50;
      const auto result = solver::solve(problem, options, *device);
      if (result.values.size() != rows) std::exit(1);
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (k > 0) std::cout << seconds << '\n';  // the first one builds
  }
}

void solve_at_once(int rounds) {
  const auto device = clopt::open_device("openmp:0", {.threads = 1});
  const auto solve = [&](std::uint64_t seed) {
    solver::Options options;
    options.seed = seed;
    options.generations = 1000;
    options.crossover = 0.1;
    solver::Problem problem{clopt::Objective::named("rastrigin"), 10};
    problem.problems = 20;
    solver::solve(problem, options, *device);
  };
  solve(0);
  for (int k = 0; k < rounds; ++k) {
    const double alone = seconds_of([&] {
      for (std::uint64_t seed = 0; seed < 8; ++seed) solve(seed);
    });
    const double together = seconds_of([&] {
      std::vector<std::jthread> threads;
      for (std::uint64_t seed = 0; seed < 8; ++seed) threads.emplace_back([&, seed] { solve(seed); });
    });
    std::cout << alone << ' ' << together << '\n';
  }
}

}  // namespace

int main(int count, char** words) {
  if (count == 6)
    fits(std::stoul(words[1]), std::stoul(words[2]), words[3], words[4], std::stoi(words[5]));
  else if (count == 3)
    solve_at_once(std::stoi(words[2]));
  else
    return 2;
}
