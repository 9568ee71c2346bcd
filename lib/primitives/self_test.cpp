#include <fmt/format.h>
#include <clopt/device.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "arg_min.hpp"
#include "operations.hpp"
#include "reduce.hpp"
#include "scan.hpp"

namespace clopt::primitives {

/// Known answers of every kind of primitive on a device. \returns an empty text, or what is wrong.
std::string self_test(Device& device);

namespace {

// Several sections, the last one odd.
constexpr std::uint64_t count = 5003;

// Gives the work of all primitives to one queue and looks at the answers once: launches cost most of the time.
class SelfTest {
 public:
  explicit SelfTest(Device& device) : device_(device), queue_(device.queue()) {}

  std::string run() {
    // 0, 7, 14, ... modulo 5003, a prime: each number below it once.
    std::vector<std::uint32_t> values(count);
    for (std::uint64_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * 7 % count);
    const auto buffer = device_.buffer<std::uint32_t>("self-test values", count);
    queue_->write(buffer, values);

    Reduce<std::uint32_t> reduce(device_);
    const auto total = device_.buffer<std::uint64_t>("self-test results", 1);
    const auto largest = device_.buffer<std::uint32_t>("self-test results", 1);
    reduce.sum(*queue_, buffer, count, total);
    reduce.maximum(*queue_, buffer, count, largest);
    Scan<std::uint32_t> scan(device_);
    const auto sums = device_.buffer<std::uint32_t>("self-test results", count);
    scan.inclusive(*queue_, buffer, count, sums);
    const auto index = device_.buffer<std::uint64_t>("self-test results", 1);
    ArgMin<std::uint32_t> arg_min(device_);
    arg_min.largest(*queue_, buffer, count, index);

    std::vector<float> fractions(count);
    for (std::uint64_t i = 0; i < count; ++i) fractions[i] = 1.0F / static_cast<float>(i + 1);
    const auto float_buffer = device_.buffer<float>("self-test fractions", count);
    queue_->write(float_buffer, fractions);
    OrderedSum<float> ordered(device_, count);
    const auto float_sum = device_.buffer<float>("self-test results", 1);
    ordered.sum(*queue_, float_buffer, count, float_sum);

    const auto transpose = device_.kernel(transpose_bits<std::uint32_t>);
    const auto columns = device_.buffer<std::uint32_t>("self-test results", 32);
    queue_->launch(transpose, Range::of_items(32), buffer, columns, std::uint64_t{32});
    const auto words = device_.buffer<std::uint32_t>("self-test results", 4);
    queue_->launch(device_.kernel(random_words), Range::of_items(1), words, std::uint64_t{1}, std::uint64_t{0}, 0U, 0U,
                   0U);

    std::uint64_t sum = 0;
    std::uint64_t where = 0;
    std::uint32_t maximum_value = 0;
    float fraction_sum = 0;
    std::vector<std::uint32_t> prefix(count);
    std::array<std::uint32_t, 32> column_words{};
    std::array<std::uint32_t, 4> random{};
    queue_->read(total, std::span(&sum, 1));
    queue_->read(index, std::span(&where, 1));
    queue_->read(largest, std::span(&maximum_value, 1));
    queue_->read(float_sum, std::span(&fraction_sum, 1));
    queue_->read(sums, std::span(prefix));
    queue_->read(columns, std::span(column_words));
    queue_->read(words, std::span(random));
    queue_->finish();

    if (sum != count * (count - 1) / 2) return fmt::format("a sum is {}", sum);
    if (maximum_value != count - 1) return fmt::format("a maximum is {}", maximum_value);
    if (where >= count || values[where] != count - 1) return fmt::format("the largest value is found at {}", where);
    std::vector<std::uint32_t> expected(count);
    std::inclusive_scan(values.begin(), values.end(), expected.begin());
    if (prefix != expected) return "prefix sums are wrong";
    if (fraction_sum != tree(fractions)) return fmt::format("an ordered sum is {}", fraction_sum);
    for (std::uint32_t row = 0; row < 32; ++row)
      for (std::uint32_t column = 0; column < 32; ++column)
        if ((values[row] >> column & 1) != (column_words[column] >> row & 1))
          return "a matrix of bits is not transposed";
    // Random123's known answer for counter and key 0.
    if (random != std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8})
      return fmt::format("Philox4x32-10 gives {:08x} {:08x} {:08x} {:08x}", random[0], random[1], random[2], random[3]);
    return {};
  }

 private:
  static float tree(std::vector<float> values) {
    while (values.size() > 1) {
      std::vector<float> sums;
      for (std::size_t i = 0; i + 1 < values.size(); i += 2) sums.push_back(values[i] + values[i + 1]);
      if (values.size() % 2 != 0) sums.push_back(values.back());
      values = std::move(sums);
    }
    return values[0];
  }

  Device& device_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace

std::string self_test(Device& device) { return SelfTest(device).run(); }

}  // namespace clopt::primitives
