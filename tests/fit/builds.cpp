// How the host's compiler builds models.
#include <clopt/detail/background.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <fit/blocks/block.hpp>
#include <fit/blocks/rows.hpp>
#include <fit/run/quick_build.hpp>

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <support/apart.hpp>
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
    const auto number = i / columns;
    const auto row = static_cast<double>(number), place = static_cast<double>(i - number * columns);
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

// That no cache has yet.
fit::Model new_model() {
  static int number = 0;
  return fit::Model::from_text(
      fmt::format("// {} {}\n"
                  "real model(individual x, real t) {{\n"
                  "  return gene(x, 0) * exp(-gene(x, 1) * t) + gene(x, 2);\n}}\n",
                  ::getpid(), ++number));
}

// Looks once in a while, for a minute.
template <class Condition>
bool comes_true(const Condition& condition) {
  for (int i = 0; i < 6000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

// A plan by a quick build, with what it refers to.
struct PlanOf {
  const fit::Problem& problem;
  bool is_double;
  fit::Options options{};
  clopt::ThreadTeam threads{1};
  std::shared_ptr<const clopt::Objective> residuals = std::make_shared<clopt::Objective>(problem.model.residuals);
  const fit::Plan plan{problem, options, residuals, problem.guess, is_double, true, threads};
};

bool suits(const fit::Problem& problem, bool is_double, std::uint64_t rows) {
  const std::shared_ptr<clopt::Device> devices[] = {host(2)};
  return fit::suits_quick_build(PlanOf{problem, is_double}.plan, rows, devices);
}

// The quick one first, which would take the full one from the cache.
void compare_builds(fit::Problem problem, const fit::Options& options) {
  problem.model = new_model();
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
  auto problem = decays(49, 40);
  problem.model = fit::Model::from_text("real model(individual x, real t) { return gene(x, 0) * t; }  // much");
  BOOST_TEST(!suits(problem, true, 1'000'000'000));
  problem.model = fit::Model::from_text("real model(individual x, real t) { return gene(x, 0) * t; }  // little");
  BOOST_TEST(suits(problem, true, 49));
  // However quick it was believed to be.
  const auto code = fit::HostCode::of(fit::Specialisation(PlanOf{problem, true}.plan));
  code->add_seconds(0.3);
  BOOST_TEST(suits(problem, true, 49));
  BOOST_TEST(!code->has_ended());
  code->add_seconds(0.3);
  // A small run does not wait for it.
  BOOST_TEST(suits(problem, true, 1));
  BOOST_TEST(comes_true([&] { return !suits(problem, true, 1); }));
  BOOST_TEST(code->is_optimised());
  // Other code of the same model.
  BOOST_TEST(suits(problem, false, 1));
  const Variable quick("CLOPT_BUILD", "quick");
  BOOST_TEST(suits(problem, true, 1'000'000'000));
}

BOOST_AUTO_TEST_CASE(optimised_code_is_taken_within_a_run_that_repays_it) {
  const Variable unset("CLOPT_BUILD", "");
  auto problem = decays(49, 11);
  problem.model = new_model();
  const PlanOf of{problem, true};
  const clopt::RunControl control;
  const clopt::Watch watch(control);
  fit::Result result;
  fit::Rows rows{of.plan, {0, 49}, 49, watch, result};
  fit::Fitter<double> fitter(rows, host(1), 1, true);
  const auto* const quick = &fitter.fit_rows.base();
  fitter.improve(2 * fit::seconds_worth_compiler);
  BOOST_TEST(comes_true([&] {
    fitter.improve(0);
    return &fitter.fit_rows.base() != quick;
  }));
  const Variable forced("CLOPT_BUILD", "quick");
  BOOST_TEST(!fit::may_build_anew());
}

BOOST_AUTO_TEST_CASE(runs_that_take_it_on_the_way_have_the_same_bits) {
  const clopt::test::Folder folder;
  const auto compiler = folder.path() / "c++", mark = folder.path() / "mark";
  clopt::test::write_file(compiler, fmt::format("#!/bin/sh\n"
                                                "g++ \"$@\" || exit\n"
                                                "case \"$*\" in *-O3*) echo > {};; esac\n",
                                                mark.string()));
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const Variable own("CXX", compiler.string());
  for (const char* precision : {"float", "double"}) {
    auto problem = decays(5000, 11);
    problem.model = new_model();
    std::filesystem::remove(mark);
    clopt::RunControl control;
    control.progress_interval = 0;
    control.progress = [&, calls = 0](const clopt::Progress&) mutable {
      if (++calls == 1) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      // What is compiled is read a moment later.
      if (calls == 2 && comes_true([&] { return std::filesystem::exists(mark); }))
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
      return true;
    };
    const auto changing = [&] {
      const Variable unset("CLOPT_BUILD", "");
      return fit::solve(problem, {.precision = precision}, *host(1), control);
    }();
    BOOST_TEST(std::filesystem::exists(mark));
    const Variable full("CLOPT_BUILD", "full");
    BOOST_TEST(changing.checksum == fit::solve(problem, {.precision = precision}, *host(1)).checksum);
  }
}

BOOST_AUTO_TEST_CASE(a_compiler_beside_runs_ends_with_the_process) {
  const Variable unset("CLOPT_BUILD", "");
  const clopt::test::Folder folder;
  const auto compiler = folder.path() / "c++", number = folder.path() / "number";
  clopt::test::write_file(
      compiler, fmt::format("#!/bin/sh\n"
                            "case \"$*\" in *-O3*) printf %d $$ > {0}.new; mv {0}.new {0}; exec sleep 600;; esac\n"
                            "exec g++ \"$@\"\n",
                            number.string()));
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const Variable own("CXX", compiler.string());
  auto problem = decays(49, 11);
  problem.model = new_model();
  const auto begin = std::chrono::steady_clock::now();
  const auto said = clopt::test::apart([&] {
    const Variable files("TMPDIR", folder.path().string());
    // Its share of the rows takes as long as repays a compiler.
    clopt::RunControl control;
    control.progress_interval = 0;
    control.progress = [&, calls = 0](const clopt::Progress&) mutable {
      if (++calls == 1)
        std::this_thread::sleep_for(std::chrono::duration<double>(fit::seconds_worth_compiler));
      else
        comes_true([&] { return std::filesystem::exists(number); });
      return true;
    };
    const auto result = fit::solve(problem, {}, *host(1), control);
    const bool is_over = clopt::end_background_work(0);
    return fmt::format("{} {}", result.converged, is_over);
  });
  BOOST_TEST(said == "49 true");
  BOOST_REQUIRE(std::filesystem::exists(number));
  const auto process = clopt::number_in<pid_t>(clopt::test::read_file(number));
  BOOST_REQUIRE(process.has_value());
  BOOST_TEST(::kill(*process, 0) == -1);
  // Its guard would have killed it after two minutes.
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(100)));
  for (const auto& left : std::filesystem::directory_iterator(folder.path()))
    BOOST_TEST((left.path() == compiler || left.path() == number), left.path());
}

BOOST_AUTO_TEST_CASE(another_word_is_refused) {
  const Variable wrong("CLOPT_BUILD", "slow");
  BOOST_CHECK_EXCEPTION(fit::solve(decays(1, 5), {}, *host(1)), clopt::InvalidInput, [](const auto& error) {
    return error.what() == std::string("CLOPT_BUILD is 'slow'; it takes quick or full");
  });
}

BOOST_AUTO_TEST_SUITE_END()
