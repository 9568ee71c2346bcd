// A GPU's self-test, which runs beside the compilers of the process that waits for it with the first launch.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <device/self_test.hpp>
#include <support/apart.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

using clopt::DeviceInfo;
using clopt::KnownAnswers;
using clopt::NoDevice;

namespace {

// The OpenMP device as a GPU with a driver of a version that nothing is remembered of. This process must list no
// devices: it does so once, and other tests are about that.
DeviceInfo listed_as_gpu() {
  static const auto text = clopt::test::apart([] {
    const auto info = clopt::open_device("openmp:0")->info();
    return info.platform + "\n" + info.name;
  });
  DeviceInfo info;
  info.id = "openmp:0";
  info.backend = "openmp";
  info.platform = text.substr(0, text.find('\n'));
  info.name = text.substr(text.find('\n') + 1);
  info.kind = clopt::DeviceKind::gpu;
  info.version = "one that is tested each time";
  return info;
}

KnownAnswers::Opener no_opener() {
  return []() -> std::shared_ptr<clopt::Device> { throw NoDevice("a test in this process was not wanted"); };
}

std::string any_solver() { return std::string(clopt::known_answers().back().name); }

}  // namespace

BOOST_AUTO_TEST_SUITE(known_answers_of_devices)

BOOST_AUTO_TEST_CASE(the_first_launch_waits_for_the_test) {
  KnownAnswers answers(listed_as_gpu(), true, false, no_opener());
  answers.begin(any_solver());
  BOOST_TEST(answers.settle() > 0);
  BOOST_TEST(answers.settle() == 0);
  answers.begin(any_solver());
  BOOST_TEST(answers.settle() == 0);
}

BOOST_AUTO_TEST_CASE(kernels_of_no_solver_need_no_test) {
  KnownAnswers answers(listed_as_gpu(), true, false, no_opener());
  for (const char* folder : {"probes", "checksums", "objective", "random_numbers"}) answers.begin(folder);
  BOOST_TEST(answers.settle() == 0);
}

BOOST_AUTO_TEST_CASE(the_first_launch_is_refused_where_the_test_fails) {
  auto info = listed_as_gpu();
  info.name = "another device";
  KnownAnswers answers(info, true, false, no_opener());
  answers.begin(any_solver());
  BOOST_CHECK_THROW(answers.settle(), NoDevice);
  // No later launch is done either.
  BOOST_CHECK_EXCEPTION(answers.settle(), NoDevice, [](const NoDevice& error) {
    return std::string(error.what()).find("its driver failed: openmp:0 (another device) is not among") !=
           std::string::npos;
  });
  BOOST_CHECK_THROW(answers.begin(any_solver()), NoDevice);
  KnownAnswers forced(info, true, true, no_opener());
  forced.begin(any_solver());
  BOOST_TEST(forced.settle() > 0);
}

BOOST_AUTO_TEST_SUITE_END()
