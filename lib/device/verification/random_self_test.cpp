#include "random_self_test.hpp"

#include <generated/operations/random_numbers.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>

namespace clopt::random_numbers {

std::string self_test(Device& device) {
  const auto queue = device.queue();
  const auto words = device.buffer<std::uint32_t>("self-test results", 4);
  queue->launch(device.kernel<operations::RandomWords>(), Range::of_items(1),
                {.words = words, .count = 1, .seed = 0, .purpose = 0, .y = 0, .z = 0});
  std::array<std::uint32_t, 4> found{};
  queue->read(words, std::span(found));
  queue->finish();
  // Random123's known answer for counter and key 0.
  if (found == std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}) return {};
  return fmt::format("Philox4x32-10 gives {:08x} {:08x} {:08x} {:08x}", found[0], found[1], found[2], found[3]);
}

}  // namespace clopt::random_numbers
