/// \file
/// The checksum of a result: XXH3, 64 bits, of its state as little-endian words, so that it is equal on every device.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace clopt {

/// Takes in numbers in a fixed order and gives their checksum. Each number counts with its own width, little-endian.
class Checksum {
 public:
  Checksum() { XXH3_64bits_reset(&state_); }

  /// Adds one number.
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void add(Number number) { add(std::span<const Number>(&number, 1)); }

  /// Adds numbers in their order.
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void add(std::span<const Number> numbers) {
    if constexpr (std::endian::native == std::endian::little || sizeof(Number) == 1) {
      XXH3_64bits_update(&state_, numbers.data(), numbers.size_bytes());
    } else {
      for (const Number number : numbers) {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof(Number)>>(number);
        for (std::size_t i = bytes.size(); i-- > 0;) XXH3_64bits_update(&state_, &bytes[i], 1);
      }
    }
  }

  /// The checksum of all numbers so far.
  std::uint64_t value() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

}  // namespace clopt
