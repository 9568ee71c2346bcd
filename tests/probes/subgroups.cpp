// Every provider of sub-groups does what common/subgroup.cl says, for every width that the device takes.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <generated/operations/probes.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <common/subgroup_oracle.hpp>
#include <support/skip.hpp>
#include "support.hpp"

namespace {

using namespace clopt;
using Values = std::span<const std::uint64_t>;

struct Case {
  void (*check)(Device& device, const Case& one, std::size_t case_index, std::size_t width_index);
  std::size_t rows;
  std::function<std::vector<std::uint64_t>(Values, std::size_t, std::size_t)> oracle;
  std::string (*row_name)(std::size_t);
};

constexpr std::uint32_t groups = 3;
constexpr std::array<std::uint32_t, 6> widths = {1, 4, 8, 16, 32, 64};
constexpr std::array<std::uint32_t, 10> all_group_sizes = {1, 3, 7, 16, 49, 63, 64, 65, 100, 256};

// Every width is tried with two of the probes, and the default one with all, unless all platforms run everything.
// PoCL compiles a kernel anew for every group size, about a second each: there a kernel of a width is tried with one of
// them, another one for each, unless the long run is asked for.
std::vector<std::uint32_t> group_sizes(std::size_t width_index, std::size_t case_index) {
  if (test::platform() != "pocl" || test::long_run()) return {all_group_sizes.begin(), all_group_sizes.end()};
  return {all_group_sizes[(3 * width_index + case_index) % all_group_sizes.size()]};
}

// A finite float above, bits of any kind below; now and then values that are equal or all zero.
std::vector<std::uint64_t> make_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> finite(-1000, 1000);
  std::vector<std::uint64_t> values(count);
  for (auto& value : values) {
    const auto low = static_cast<std::uint32_t>(random()) & (random() % 3 == 0 ? 0xf00U : ~0U);
    value = std::uint64_t{std::bit_cast<std::uint32_t>(random() % 5 == 0 ? 0.5F : finite(random))} << 32 | low;
  }
  return values;
}

template <OperationArguments Probe>
void check_kernel(Device& device, const Case& one, std::size_t case_index, std::size_t width_index) {
  const auto width = widths[width_index];
  Program program;
  program.subgroup_size = width;
  const auto kernel = device.kernel<Probe>(program);
  BOOST_TEST(kernel.subgroup_size() == width);
  const auto queue = device.queue();
  for (const auto group_size : group_sizes(width_index, case_index)) {
    if (group_size > kernel.max_group_size()) continue;
    const auto count = groups * group_size;
    const auto values = make_values(count, group_size);
    const auto input = device.buffer<std::uint64_t>("values", count);
    const auto output = device.buffer<std::uint64_t>("results", one.rows * count);
    queue->write(input, values);
    queue->fill(output, 0xdeadbeefdeadbeefULL);
    queue->launch(kernel, Range::of_groups(groups, group_size), {.values = input, .results = output, .count = count});
    const auto results = test::download(*queue, output, output.size());
    const auto expected = one.oracle(values, group_size, width);
    for (std::size_t row = 0; row < one.rows; ++row) {
      const auto first = static_cast<std::ptrdiff_t>(row * count);
      const bool same = std::equal(results.begin() + first, results.begin() + first + count, expected.begin() + first);
      BOOST_TEST(same,
                 Probe::info.name << ", width " << width << ", group size " << group_size << ": " << one.row_name(row));
    }
  }
}

namespace operations = probes::operations;
const std::vector<Case> cases = {
    {check_kernel<operations::SubgroupFunctionsInt>, test::kSubgroupFunctionRows,
     test::subgroup_functions<std::int32_t>, test::subgroup_function_row_name},
    {check_kernel<operations::SubgroupFunctionsUint>, test::kSubgroupFunctionRows,
     test::subgroup_functions<std::uint32_t>, test::subgroup_function_row_name},
    {check_kernel<operations::SubgroupFunctionsLong>, test::kSubgroupFunctionRows,
     test::subgroup_functions<std::int64_t>, test::subgroup_function_row_name},
    {check_kernel<operations::SubgroupFunctionsUlong>, test::kSubgroupFunctionRows,
     test::subgroup_functions<std::uint64_t>, test::subgroup_function_row_name},
    {check_kernel<operations::SubgroupFunctionsFloat>, test::kSubgroupFunctionRows, test::subgroup_functions<float>,
     test::subgroup_function_row_name},
    {check_kernel<operations::SubgroupVotes>, test::kSubgroupVoteRows, test::subgroup_votes,
     test::subgroup_vote_row_name},
};

// Which provider a device uses is decided when it is opened.
class Forced {
 public:
  explicit Forced(const char* provider) { setenv("CLOPT_SUBGROUPS", provider, 1); }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;
  ~Forced() { unsetenv("CLOPT_SUBGROUPS"); }
};

void check_provider(const char* provider) {
  if (test::platform() == "openmp") return test::skip("no sub-groups");
  const Forced forced(provider);
  std::shared_ptr<Device> device;
  try {
    DeviceOptions options;
    options.self_test = false;
    device = open_device(test::device().info().id, options);
  } catch (const InvalidInput&) {
    return test::skip("the device has no such sub-groups");
  }
  BOOST_TEST(name_of(device->subgroup().provider) == provider);
  bool default_built = false;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    try {
      const bool is_default = widths[i] == device->subgroup().size;
      for (std::size_t one = 0; one < cases.size(); ++one)
        if (is_default || test::wide_run() || (one + i) % 3 == 0) cases[one].check(*device, cases[one], one, i);
      default_built = default_built || is_default;
    } catch (const BuildError& error) {
      // Emulation takes every width, and Intel's runtime has all from 4 on.
      const bool expected =
          device->subgroup().provider == SubgroupProvider::emulated || (test::platform() == "intel" && widths[i] >= 4);
      BOOST_TEST(!expected, provider << " refuses the width " << widths[i] << ": " << error.what());
    }
  }
  BOOST_TEST(default_built, "the default width must work");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subgroups, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(khr) { check_provider("khr"); }
BOOST_AUTO_TEST_CASE(intel) { check_provider("intel"); }
BOOST_AUTO_TEST_CASE(ptx) { check_provider("ptx"); }
BOOST_AUTO_TEST_CASE(emulated) { check_provider("emulated"); }

BOOST_AUTO_TEST_SUITE_END()
