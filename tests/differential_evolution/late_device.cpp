/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include <clopt/differential_evolution.hpp>
#include <clopt/objective.hpp>
#include <support/late_runs.hpp>
#include <support/lying_device.hpp>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(differential_evolution_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere) {
  for (const char* method : {"offloaded", "staged", "ahead", "merged", "fused"})
    test::fail_everywhere([&](const test::SharedDevices& devices) {
      differential_evolution::Options options;
      options.method = method;
      options.adapt = "none";
      options.population = 12;
      options.generations = 9;
      options.target = 1e-3;
      differential_evolution::Problem problem{Objective::named("sphere")};
      problem.dimensions = 3;
      problem.problems = 5;
      return differential_evolution::solve(problem, options, devices).checksum;
    });
}

// The value of the best, and its parameters.
BOOST_AUTO_TEST_CASE(a_wrong_best_is_refused) {
  const auto solve = [&](std::span<const std::shared_ptr<Device>> devices) {
    differential_evolution::Options options;
    options.population = 12;
    options.generations = 9;
    options.adapt = "none";
    differential_evolution::Problem problem{Objective::named("rastrigin")};
    problem.dimensions = 3;
    problem.problems = 2;
    const auto result = differential_evolution::solve(problem, options, devices);
    BOOST_TEST(result.unchecked.empty());
    return result.checksum;
  };
  test::refuse_lies("best values", 0, 31, solve);
  test::refuse_lies("best vectors", 20, 10, solve);
}

// Of an allocation or a build, too: whatever the first device lacks, the second one has.
BOOST_AUTO_TEST_CASE(another_device_continues_without_memory_or_kernels) {
  enum class Lack { memory, kernels };
  struct Poor : test::FailingDevice {
    explicit Poor(Lack lacking) : FailingDevice(1 << 30), lack(lacking) {}
    std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) override {
      if (lack == Lack::memory) throw OutOfMemory("it has no more memory");
      return FailingDevice::do_allocate(name, bytes, kind);
    }
    std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override {
      if (lack == Lack::kernels) throw BuildError("its compiler fails");
      return FailingDevice::do_kernel(operation, program);
    }
    Lack lack;
  };
  differential_evolution::Problem problem{Objective::named("sphere")};
  problem.dimensions = 3;
  problem.problems = 7;
  differential_evolution::Options options;
  options.generations = 20;
  options.adapt = "none";
  const auto sound = open_device("openmp:0");
  const auto expected = differential_evolution::solve(problem, options, *sound);
  for (const bool is_observed : {false, true}) {
    if (is_observed) options.statistics = [](const differential_evolution::Statistics&) {};
    for (const auto lack : {Lack::memory, Lack::kernels}) {
      const test::SharedDevices devices{std::make_shared<Poor>(lack), sound};
      const auto result = differential_evolution::solve(problem, options, devices);
      BOOST_TEST(result.checksum == expected.checksum);
      BOOST_TEST_REQUIRE(result.failures.size() == 1U);
      const auto why = lack == Lack::memory ? "no more memory" : "compiler fails";
      BOOST_TEST(result.failures[0].find(why) != std::string::npos);
      // The kind of the last error stays.
      const test::SharedDevices poor{std::make_shared<Poor>(lack)};
      if (lack == Lack::memory)
        BOOST_CHECK_THROW(differential_evolution::solve(problem, options, poor), OutOfMemory);
      else
        BOOST_CHECK_THROW(differential_evolution::solve(problem, options, poor), BuildError);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
