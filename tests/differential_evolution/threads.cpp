/// \file
/// Different problems at the same time, each on a thread of the caller's.
#include <clopt/differential_evolution.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <barrier>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "host.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

struct Work {
  de::Problem problem;
  de::Options options;
};

// Objectives, dimensions, populations, methods and precisions differ, so that threads build kernels meanwhile.
std::vector<Work> different_works() {
  struct Size {
    std::size_t dimensions, problems, population;
    const char* method;
    const char* adapt;
  };
  const char* const text =
      "real objective(individual x) { const real d = gene(x, 0) - row(x, 0); return d * d + 1; }\n";
  const Size sizes[] = {{1, 1, 7, "auto", "auto"},      {7, 49, 20, "staged", "none"}, {49, 2, 60, "fused", "shade"},
                        {3, 7, 300, "merged", "jde"},   {10, 5, 30, "fused", "none"},  {20, 3, 33, "ahead", "none"},
                        {5, 4, 25, "offloaded", "none"}};
  const char* const names[] = {"rastrigin", "ackley", "sphere", "rosenbrock", "griewank", "schwefel", "rastrigin"};
  std::vector<Work> works;
  for (std::size_t n = 0; n < std::size(sizes); ++n) {
    const auto& size = sizes[n];
    Work work{test::problem_of(names[n], size.dimensions, size.problems), {}};
    if (n == 4) {
      work.problem = de::Problem{Objective::from_text(text)};
      work.problem.dimensions = size.dimensions;
      work.problem.problems = size.problems;
      work.problem.lower = {-2};
      work.problem.upper = {3};
      work.problem.columns = 1;
      for (std::size_t k = 0; k < size.problems; ++k) work.problem.data.push_back(static_cast<double>(k) / 4);
    }
    work.options.population = size.population;
    work.options.method = size.method;
    work.options.adapt = size.adapt;
    work.options.seed = 100 + n;
    work.options.generations = 30 + 10 * n;
    works.push_back(std::move(work));
  }
  return works;
}

/// What each work comes to, all begun together; on the devices by turns.
std::vector<std::uint64_t> checksums_at_once(const std::vector<Work>& works, const std::vector<Device*>& devices) {
  std::vector<std::uint64_t> checksums(works.size());
  std::vector<std::exception_ptr> errors(works.size());
  std::barrier begin(static_cast<std::ptrdiff_t>(works.size()));
  std::vector<std::jthread> threads;
  for (std::size_t n = 0; n < works.size(); ++n)
    threads.emplace_back([&, n] {
      begin.arrive_and_wait();
      try {
        checksums[n] = de::solve(works[n].problem, works[n].options, *devices[n % devices.size()]).checksum;
      } catch (...) {
        errors[n] = std::current_exception();
      }
    });
  threads.clear();
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
  return checksums;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(differential_evolution_threads, *boost::unit_test::label("device"))

// Together first, while nothing is built yet.
BOOST_AUTO_TEST_CASE(different_problems_have_the_answers_that_they_have_alone) {
  const auto works = different_works();
  const auto one_of_two = test::host(2);
  const auto together = checksums_at_once(works, {&test::device()});
  const auto on_two_devices = checksums_at_once(works, {&test::device(), one_of_two.get()});
  for (std::size_t n = 0; n < works.size(); ++n) {
    const auto alone = de::solve(works[n].problem, works[n].options, *test::host(1)).checksum;
    BOOST_TEST(together[n] == alone, "problem " << n << ": " << together[n] << ", alone " << alone);
    BOOST_TEST(on_two_devices[n] == alone, "problem " << n << " on two devices: " << on_two_devices[n]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
