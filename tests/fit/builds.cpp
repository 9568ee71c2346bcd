// How the host's compiler builds models.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <fit/run/quick_build.hpp>

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <support/folder.hpp>

namespace {

namespace fit = clopt::fit;
using clopt::test::Variable;

fit::Problem decays(std::size_t rows, std::size_t columns) {
  fit::Problem problem{fit::Model::named("exponential"), {}, columns};
  problem.parameters = 3;
  problem.guess = {1, 0.5, 0};
  std::vector<double> data;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const auto row = static_cast<double>(i / columns), place = static_cast<double>(i % columns);
    data.push_back((2 + row / 10) * std::exp(-0.3 * place) + 1 + 0.01 * std::sin(7 * place + row));
  }
  problem.data = std::move(data);
  return problem;
}

std::shared_ptr<clopt::Device> host(unsigned threads) { return clopt::open_device("openmp:0", {.threads = threads}); }

std::uint64_t checksum_of(const char* build, const fit::Problem& problem, const fit::Options& options) {
  const Variable variable("CLOPT_BUILD", build);
  return fit::solve(problem, options, *host(2)).checksum;
}

// The quick one first, which would take the full one from the cache; each process has a model of its own.
void compare_builds(fit::Problem problem, const fit::Options& options) {
  static int number = 0;
  problem.model =
      fit::Model::from_text(fmt::format("// {} {}\n"
                                        "real model(individual x, real t) {{\n"
                                        "  return gene(x, 0) * exp(-gene(x, 1) * t) + gene(x, 2);\n}}\n",
                                        ::getpid(), ++number));
  const auto quick = checksum_of("quick", problem, options);
  BOOST_TEST(quick == checksum_of("full", problem, options));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(builds)

BOOST_AUTO_TEST_CASE(quick_and_full_ones_have_the_same_bits) {
  auto problem = decays(49, 11);
  compare_builds(problem, {.precision = "float"});
  problem.lower = {0, 0.31, 0};
  compare_builds(problem, {.precision = "double", .loss = "cauchy"});
  compare_builds(decays(1, std::size_t{1} << 15), {});
  // Not by the usual tests' compiler, which never optimises.
  const Variable compiler("CXX", "g++");
  compare_builds(problem, {.precision = "float"});
}

BOOST_AUTO_TEST_CASE(runs_repay_full_ones_by_their_work) {
  const Variable unset("CLOPT_BUILD", "");
  const std::vector<std::shared_ptr<clopt::Device>> devices{host(2)};
  auto problem = decays(49, 40);
  problem.model = fit::Model::from_text("real model(individual x, real t) { return gene(x, 0) * t; }  // much");
  BOOST_TEST(!fit::suits_quick_build(problem, {}, true, 1'000'000'000, devices));
  problem.model = fit::Model::from_text("real model(individual x, real t) { return gene(x, 0) * t; }  // little");
  std::size_t calls = 1;
  while (calls < 100'000 && fit::suits_quick_build(problem, {}, true, 49, devices)) ++calls;
  BOOST_TEST(calls > 100U);
  BOOST_TEST(calls < 100'000U);
  BOOST_TEST(!fit::suits_quick_build(problem, {}, true, 1, devices));
  // Other code of the same model.
  BOOST_TEST(fit::suits_quick_build(problem, {}, false, 1, devices));
  const Variable quick("CLOPT_BUILD", "quick");
  BOOST_TEST(fit::suits_quick_build(problem, {}, true, 1'000'000'000, devices));
}

BOOST_AUTO_TEST_CASE(another_word_is_refused) {
  const Variable wrong("CLOPT_BUILD", "slow");
  BOOST_CHECK_EXCEPTION(fit::solve(decays(1, 5), {}, *host(1)), clopt::InvalidInput, [](const auto& error) {
    return error.what() == std::string("CLOPT_BUILD is 'slow'; it takes quick or full");
  });
}

BOOST_AUTO_TEST_SUITE_END()
