/// \file
/// Accelerators that do not start, start late, or fail.
#include <clopt/clopt.hpp>
#include <device/self_test.hpp>
#include <support/apart.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>

#include "moved.hpp"

namespace {

using namespace clopt;

const differential_evolution::Problem& problem() {
  static const auto made = [] {
    differential_evolution::Problem problem{Objective::named("rastrigin")};
    problem.dimensions = 10;
    return problem;
  }();
  return made;
}

differential_evolution::Options options_of(std::uint64_t generations) {
  differential_evolution::Options options;
  options.generations = generations;
  return options;
}

// A GPU whose self-test fails.
class RefusedDevice : public test::FailingDevice {
 public:
  RefusedDevice() : FailingDevice(1'000'000'000) {
    info_.kind = DeviceKind::gpu;
    // Nothing is remembered of this one.
    info_.version = "a version that fails";
    answers_ = std::make_unique<KnownAnswers>(info_, false, false, [] { return std::make_shared<FailingDevice>(0); });
  }

 protected:
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override {
    answers_->begin("differential_evolution");
    return FailingDevice::do_kernel(operation, program);
  }

 private:
  std::unique_ptr<KnownAnswers> answers_;
};

std::uint64_t expected_checksum(std::uint64_t generations) {
  return differential_evolution::solve(problem(), options_of(generations), test::processor()).checksum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(automatic_starts)

BOOST_AUTO_TEST_CASE(an_accelerator_that_cannot_be_opened_takes_no_part) {
  AutomaticOptions automatic;
  automatic.begin_after = 0;
  automatic.open_accelerator = []() -> std::shared_ptr<Device> { throw NoDevice("there is none"); };
  const auto result = differential_evolution::solve(problem(), options_of(2000), chosen_by_work(automatic));
  BOOST_TEST(result.checksum == expected_checksum(2000));
  BOOST_TEST(result.devices.size() == 1U);
  BOOST_TEST(result.failures.empty());
}

BOOST_AUTO_TEST_CASE(an_accelerator_whose_self_test_fails_takes_no_part) {
  // In a process of its own, whose standard error is a file.
  const auto printed = test::apart([]() -> std::string {
    ::setenv("CLOPT_LOG", "device", 1);
    std::FILE* const lines = std::tmpfile();
    ::dup2(::fileno(lines), 2);
    const auto log = [lines] {
      std::string text(4096, ' ');
      text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::pread(::fileno(lines), text.data(), 4096, 0))));
      return text;
    };
    AutomaticOptions automatic;
    automatic.begin_after = 0;
    automatic.open_accelerator = [] { return std::make_shared<RefusedDevice>(); };
    // The run ends once the accelerator is judged.
    RunControl control;
    control.progress_interval = 0;
    control.progress = [&](const Progress&) { return log().find("does not") == std::string::npos; };
    const auto cut =
        differential_evolution::solve(problem(), options_of(100'000'000), chosen_by_work(automatic), control);
    const auto whole = differential_evolution::solve(problem(), options_of(400), chosen_by_work(automatic));
    const bool is_right = cut.ending == Ending::interrupted && cut.devices.size() == 1 &&
                          cut.devices.front().id == "openmp:0" && cut.failures.empty() &&
                          whole.checksum == expected_checksum(400);
    return (is_right ? "right\n" : "wrong\n") + log();
  });
  BOOST_TEST_CONTEXT(printed) {
    BOOST_TEST(printed.starts_with("right\n"));
    BOOST_TEST(printed.find("does not take part: openmp:0") != std::string::npos);
    BOOST_TEST(printed.find("fails its self-test: random_numbers: the device is gone") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_run_does_not_wait_for_an_accelerator_that_starts) {
  // Kept by the thread that is left.
  const auto ended = std::make_shared<std::promise<void>>();
  const auto wait = ended->get_future().share();
  AutomaticOptions automatic;
  automatic.begin_after = 0;
  automatic.open_accelerator = [ended, wait] {
    wait.wait();
    return test::accelerator();
  };
  const auto result = differential_evolution::solve(problem(), options_of(1000), chosen_by_work(automatic));
  BOOST_TEST(result.checksum == expected_checksum(1000));
  ended->set_value();
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_leaves_the_run_to_the_processor) {
  const auto expected = expected_checksum(400);
  for (const int launches : {test::FailingDevice::from_the_start, 0, 1, 2, 5}) {
    BOOST_TEST_CONTEXT("fails after " << launches << " launches") {
      const auto devices = test::moved_each(1, std::make_shared<test::FailingDevice>(launches));
      const auto result = differential_evolution::solve(problem(), options_of(400), devices);
      BOOST_TEST(result.checksum == expected);
      if (launches <= 0) BOOST_TEST(!result.failures.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(functions_stay_on_the_processor) {
  int calls = 0;
  genetic::Options options;
  options.generations = 5;
  options.population = 8;
  const auto objective = Objective::from_real_function([&](std::span<const double> x) { return ++calls, x[0] * x[0]; });
  // There is no accelerator that could be opened.
  const auto result = genetic::solve({objective, 3, {-1}, {1}}, options, test::moved_each(1, nullptr));
  BOOST_TEST(result.devices.size() == 1U);
  BOOST_TEST(calls > 0);
}

BOOST_AUTO_TEST_SUITE_END()
