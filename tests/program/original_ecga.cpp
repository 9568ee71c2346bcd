#include <clopt/devices.hpp>
#include <clopt/ecga.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <solvers/ecga/original.hpp>

// The baseline of `bench` is the same search as the library's, which counts in another way.
BOOST_AUTO_TEST_CASE(the_original_counting_gives_the_models_of_the_library) {
  clopt::DeviceOptions options;
  options.threads = 1;
  const auto device = clopt::open_device("openmp:0", options);
  for (std::uint32_t number = 0; number < 20; ++number) {
    std::mt19937_64 random(number);
    const std::uint32_t length = 7 + 3 * number;
    const std::uint32_t count = 100 + 37 * number;
    clopt::apps::ecga::Individuals individuals(count, std::vector<std::uint8_t>(length));
    std::vector<std::uint32_t> words((length + 31) / 32 * std::size_t{count});
    for (std::uint32_t i = 0; i < count; ++i) {
      auto& values = individuals[i];
      for (auto& value : values) value = static_cast<std::uint8_t>(random() & 1);
      // Loci that depend on others, mostly.
      for (std::uint32_t locus = 0; locus + 2 < length; locus += 4)
        if (random() % 3 != 0) values[locus + 1] = values[locus], values[locus + 2] = values[locus] ^ 1;
      for (std::uint32_t locus = 0; locus < length; ++locus)
        words[std::size_t{locus / 32} * count + i] |= std::uint32_t{values[locus]} << locus % 32;
    }
    auto original = clopt::apps::ecga::original_model(individuals, 10);
    auto ours = clopt::ecga::build_model(words, count, length, {}, *device);
    std::sort(original.begin(), original.end());
    std::sort(ours.begin(), ours.end());
    BOOST_TEST_CONTEXT(length << " loci, " << count << " individuals") {
      BOOST_TEST((original == ours));
      BOOST_TEST(original.size() < length);
    }
  }
}
