/// \file
/// Philox for oracles: it shares no code with the library.
#pragma once

#include <array>
#include <cstdint>

namespace clopt::test {

/// Philox4x32-10 (Salmon et al. 2011), from the paper's text.
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
  auto low = static_cast<std::uint32_t>(key);
  auto high = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ low, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ high, static_cast<std::uint32_t>(a)};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return counter;
}

}  // namespace clopt::test
