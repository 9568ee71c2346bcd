// How the host's compiler builds models.
#include <clopt/detail/numbers.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <fit/blocks/block.hpp>
#include <fit/blocks/quick_build.hpp>
#include <fit/blocks/rows.hpp>
#include <fit/options.hpp>

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
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
  fit::Plan plan{problem, options, residuals, problem.guess, is_double, true, threads};
};

// The code of runs that begin with a quick build; or null.
std::shared_ptr<fit::HostCode> chosen(const fit::Problem& problem, bool is_double, std::uint64_t rows) {
  const std::shared_ptr<clopt::Device> devices[] = {host(2)};
  PlanOf of{problem, is_double};
  fit::choose_build(of.plan, rows, devices);
  BOOST_TEST(of.plan.quick_build == (of.plan.code != nullptr));
  return of.plan.code;
}

// The environment's compiler, or g++, which does something else where it is to optimise, or before or behind that:
// `$own` is the compiler.
std::string compiler_in(const std::filesystem::path& folder, const std::string& optimising) {
  const auto file = folder / "c++";
  const char* const compiler = std::getenv("CXX");
  clopt::test::write_file(file, fmt::format("#!/bin/sh\nown='{}'\ncase \"$*\" in *-O3*) {};; esac\nexec $own \"$@\"\n",
                                            compiler ? compiler : "g++", optimising));
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file.string();
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
  if (!clopt::test::are_compilers_native()) return;
  // Not by the usual tests' compiler, which never optimises.
  const Variable compiler("CXX", "g++");
  compare_builds(problem, {.precision = "float"});
}

BOOST_AUTO_TEST_CASE(runs_repay_full_ones_by_their_work) {
  const Variable unset("CLOPT_BUILD", "");
  auto problem = decays(49, 40);
  problem.model = new_model();
  BOOST_TEST(!chosen(problem, true, 1'000'000'000));
  const auto code = chosen(problem, true, 49);
  BOOST_REQUIRE(code);
  // However quick it was believed to be.
  code->add_seconds(0.3);
  BOOST_TEST(chosen(problem, true, 49) == code);
  BOOST_TEST(!code->is_optimised());
  code->add_seconds(0.3);
  // A small run does not wait for it.
  BOOST_TEST(chosen(problem, true, 1) == code);
  BOOST_TEST(comes_true([&] { return !chosen(problem, true, 1); }));
  BOOST_TEST(code->is_optimised());
  const Variable quick("CLOPT_BUILD", "quick");
  PlanOf of{problem, true};
  fit::choose_build(of.plan, 1'000'000'000, std::vector{host(2)});
  BOOST_TEST((of.plan.quick_build && !of.plan.code));
}

BOOST_AUTO_TEST_CASE(what_is_compiled_otherwise_is_other_code) {
  auto problem = decays(3, 11);
  const auto code_of = [](const fit::Problem& of, const fit::Options& options, bool is_double) {
    clopt::ThreadTeam threads(1);
    const auto residuals = std::make_shared<const clopt::Objective>(fit::residuals_of(of, false));
    return fit::HostCode::of(fit::Specialisation({of, options, residuals, of.guess, is_double, true, threads}));
  };
  const auto code = code_of(problem, {}, true);
  BOOST_TEST(code == code_of(problem, {}, true));
  BOOST_TEST(code == code_of(decays(49, 11), {.errors = false}, true));
  BOOST_TEST(code != code_of(problem, {}, false));
  BOOST_TEST(code != code_of(problem, {.loss = "cauchy"}, true));
  auto other = problem;
  other.lower = {0, 0, 0};
  BOOST_TEST(code != code_of(other, {}, true));
  other = problem;
  other.sigma = std::vector<double>(33, 1);
  BOOST_TEST(code != code_of(other, {}, true));
  // Places that all rows share are a table, whose size is in the code.
  other = problem;
  other.abscissa = std::vector<double>(11, 1);
  auto longer = decays(3, 13);
  longer.abscissa = std::vector<double>(13, 1);
  BOOST_TEST(code_of(other, {}, true) != code);
  BOOST_TEST(code_of(other, {}, true) != code_of(longer, {}, true));
}

BOOST_AUTO_TEST_CASE(where_it_does_not_compile_quick_ones_do_all) {
  const Variable unset("CLOPT_BUILD", "");
  const clopt::test::Folder folder;
  const auto mark = folder.path() / "mark";
  const Variable own("CXX", compiler_in(folder.path(), fmt::format("echo >> {}; exit 1", mark.string())));
  auto problem = decays(5, 11);
  problem.model = new_model();
  const auto first = fit::solve(problem, {.precision = "double"}, *host(1));
  const auto code = chosen(problem, true, 5);
  BOOST_REQUIRE(code);
  code->add_seconds(1);
  BOOST_TEST(chosen(problem, true, 5) == code);
  BOOST_TEST(comes_true([&] { return std::filesystem::exists(mark); }));
  // It may not have failed yet; the run has the same code either way.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  BOOST_TEST(fit::solve(problem, {.precision = "double"}, *host(1)).checksum == first.checksum);
  BOOST_TEST(!code->is_optimised());
}

BOOST_AUTO_TEST_CASE(a_fork_has_what_was_optimised_and_not_what_was_begun) {
  const Variable unset("CLOPT_BUILD", "");
  auto done = decays(5, 11), begun = done;
  done.model = new_model();
  begun.model = new_model();
  const auto code = chosen(done, true, 5);
  BOOST_REQUIRE(code);
  code->add_seconds(1);
  BOOST_TEST(comes_true([&] { return !chosen(done, true, 5); }));
  const clopt::test::Folder folder;
  const auto resume = folder.path() / "resume";
  const Variable own(
      "CXX", compiler_in(folder.path(), fmt::format("until [ -e '{}' ]; do sleep 0.01; done", resume.string())));
  const auto other = chosen(begun, true, 5);
  BOOST_REQUIRE(other);
  other->add_seconds(1);
  BOOST_TEST(chosen(begun, true, 5) == other);
  const auto said = clopt::test::apart([&] {
    const auto anew = chosen(begun, true, 5);
    if (!anew || anew == other) return std::string("what the parent has begun");
    anew->add_seconds(1);
    return fmt::format("{} {}", chosen(done, true, 5) == nullptr,
                       chosen(begun, true, 5) == anew && chosen(begun, true, 5) == anew);
  });
  BOOST_TEST(said == "true true");
  clopt::test::write_file(resume, "");
  BOOST_TEST(comes_true([&] { return other->is_optimised(); }));
}

BOOST_AUTO_TEST_CASE(optimised_code_is_taken_within_a_run_that_repays_it) {
  const Variable unset("CLOPT_BUILD", "");
  auto problem = decays(49, 11);
  problem.model = new_model();
  PlanOf of{problem, true};
  fit::choose_build(of.plan, 49, std::vector{host(1)});
  const clopt::RunControl control;
  const clopt::Watch watch(control);
  fit::Result result;
  fit::Rows rows{of.plan, {0, 49}, 49, watch, result};
  fit::Fitter<double> fitter(rows, host(1), nullptr, true);
  const auto* const quick = &fitter.fit_rows.base();
  fitter.improve(2 * fit::seconds_worth_compiler);
  BOOST_TEST(comes_true([&] {
    fitter.improve(0);
    return &fitter.fit_rows.base() != quick;
  }));
}

BOOST_AUTO_TEST_CASE(runs_that_take_it_on_the_way_have_the_same_bits) {
  const clopt::test::Folder folder;
  const auto mark = folder.path() / "mark";
  const Variable own("CXX", compiler_in(folder.path(), fmt::format("$own \"$@\" && echo > {}; exit", mark.string())));
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
  const auto number = folder.path() / "number";
  const Variable own(
      "CXX", compiler_in(folder.path(),
                         fmt::format("printf %d $$ > {0}.new; mv {0}.new {0}; exec sleep 600", number.string())));
  auto problem = decays(49, 11);
  problem.model = new_model();
  const auto begin = std::chrono::steady_clock::now();
  // As a program ends, whose last word this is.
  const auto said = clopt::test::apart([&] {
    const Variable files("TMPDIR", folder.path().string());
    clopt::RunControl control;
    control.progress_interval = 0;
    // A third of the rows takes as long as repays a compiler.
    control.progress = [&, calls = 0](const clopt::Progress&) mutable {
      if (++calls == 1)
        std::this_thread::sleep_for(std::chrono::duration<double>(fit::seconds_worth_compiler));
      else
        comes_true([&] { return std::filesystem::exists(number); });
      return true;
    };
    if (fit::solve(problem, {}, *host(1), control).converged == 49U) std::exit(0);
    return std::string("rows did not converge");
  });
  BOOST_TEST(said == "");
  BOOST_REQUIRE(std::filesystem::exists(number));
  const auto process = clopt::number_in<pid_t>(clopt::test::read_file(number));
  BOOST_REQUIRE(process.has_value());
  BOOST_TEST(::kill(*process, 0) == -1);
  // Its guard would have killed it after two minutes.
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(100)));
  for (const auto& left : std::filesystem::directory_iterator(folder.path()))
    BOOST_TEST((left.path() == folder.path() / "c++" || left.path() == number), left.path());
}

BOOST_AUTO_TEST_CASE(another_word_is_refused) {
  const Variable wrong("CLOPT_BUILD", "slow");
  BOOST_CHECK_EXCEPTION(fit::solve(decays(1, 5), {}, *host(1)), clopt::InvalidInput, [](const auto& error) {
    return error.what() == std::string("CLOPT_BUILD is 'slow'; it takes quick or full");
  });
}

BOOST_AUTO_TEST_SUITE_END()
