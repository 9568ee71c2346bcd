// Many solves in one process take no more memory than a few.
#include <boost/test/unit_test.hpp>
#include <clopt/clopt.hpp>
#include <resources/place.hpp>
#include <support/device.hpp>

#include <malloc.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace bt = boost::unit_test;

namespace {

constexpr std::int64_t bytes_of_a_megabyte = 1'000'000;

// Without what the allocator keeps for later.
std::int64_t resident_bytes() {
  malloc_trim(0);
  std::ifstream stream("/proc/self/statm");
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  stream >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// What was asked of the allocator and not given back.
std::int64_t allocated_bytes() {
  const auto state = mallinfo2();
  return static_cast<std::int64_t>(state.uordblks + state.hblkhd);
}

// A small run of one solver after the other, with a seed of its own.
std::uint64_t solve_one(clopt::Device& device, std::uint64_t number) {
  const auto seed = 1 + number / 5;
  switch (number % 5) {
    case 0: {
      clopt::subset_sum::Problem problem;
      for (std::uint64_t i = 0; i < 20; ++i) problem.weights.push_back(1 + (i * 7919 + seed * 13) % 125);
      problem.capacity = 500;
      clopt::subset_sum::Options options;
      options.method = "k1";
      options.reduce = false;
      return clopt::subset_sum::solve(problem, options, device).checksum;
    }
    case 1: {
      clopt::genetic::Problem problem{clopt::Objective::named("onemax"), 33, {}, {}};
      clopt::genetic::Options options;
      options.population = 17;
      options.generations = 9;
      options.seed = seed;
      return clopt::genetic::solve(problem, options, device).checksum;
    }
    case 2: {
      clopt::differential_evolution::Problem problem{.objective = clopt::Objective::named("sphere")};
      problem.dimensions = 3;
      problem.problems = 2;
      clopt::differential_evolution::Options options;
      options.population = 9;
      options.generations = 9;
      options.seed = seed;
      return clopt::differential_evolution::solve(problem, options, device).checksum;
    }
    case 3: {
      const clopt::ecga::Problem problem{clopt::ecga::find_objective("trap5"), 20};
      clopt::ecga::Options options;
      options.population = 99;
      options.generations = 3;
      options.seed = seed;
      return clopt::ecga::solve(problem, options, device).checksum;
    }
    default: {
      const auto problem = clopt::exchange::make_problem(clopt::exchange::make_topology("mesh:2x3"), "all-to-all");
      clopt::exchange::Options options;
      options.optimizer = "anneal";
      options.generations = 9;
      options.seed = seed;
      return clopt::exchange::solve(problem, options, device).checksum;
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resource_memory, *bt::label("device") * bt::label("slow"))

// Drivers keep what they like for each launch: only OpenMP's figure is clopt's own, and judged.
BOOST_AUTO_TEST_CASE(it_does_not_grow_with_solves) {
  const bool is_ours = clopt::test::platform() == "openmp";
  const std::uint64_t usual = clopt::test::long_run() ? (is_ours ? 10'000 : 1'000) : (is_ours ? 500 : 50);
  const auto solves = clopt::test::number_from("CLOPT_TEST_SOLVES", usual);
  const std::uint64_t warming = solves / 5;
  auto& device = clopt::test::device();
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < warming; ++i) sum += solve_one(device, i);
  const auto allocated = allocated_bytes();
  const auto resident = resident_bytes();
  for (std::uint64_t i = 0; i < solves; ++i) sum += solve_one(device, warming + i);
  const auto more_allocated = allocated_bytes() - allocated;
  const auto more_resident = resident_bytes() - resident;
  std::cout << solves << " solves on " << clopt::test::platform() << " after " << warming
            << ": resident memory grows by " << more_resident << " bytes, what is allocated by " << more_allocated
            << " (checksums sum up to " << sum << ")" << std::endl;
  if (!is_ours) return;
  BOOST_TEST(more_resident < bytes_of_a_megabyte);
  BOOST_TEST(more_allocated < bytes_of_a_megabyte);
}

BOOST_AUTO_TEST_SUITE_END()
