/// \file
/// The checksum of a result: XXH3, 64 bits, of its state as little-endian words, so that it is equal on every device. A
/// state of more than a block of 256 KiB has that of its blocks' checksums, so that several threads can make it.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <support/threads/kept_team.hpp>

namespace clopt {

/// Takes in numbers in a fixed order and gives their checksum. Each number counts with its own width, little-endian.
class Checksum {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 18;

  /// \param threads that take it, at most; they begin with the first several blocks that are given at once.
  explicit Checksum(unsigned threads = 1) : threads_(std::min(threads, most_threads)) { XXH3_64bits_reset(&state_); }
  /// \param team of threads that take it, all of them.
  explicit Checksum(ThreadTeam& team) : threads_(team.size()), team_(&team) { XXH3_64bits_reset(&state_); }

  /// Adds one number.
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void add(Number number) { add(std::span<const Number>(&number, 1)); }

  /// Adds numbers in their order. O(bytes / threads) for many blocks that begin where a block does.
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void add(std::span<const Number> numbers) {
    if constexpr (std::endian::native == std::endian::little || sizeof(Number) == 1) {
      add_bytes(std::as_bytes(numbers));
    } else {
      for (const Number number : numbers) {
        auto bytes = std::bit_cast<std::array<std::byte, sizeof(Number)>>(number);
        std::reverse(bytes.begin(), bytes.end());
        add_bytes(bytes);
      }
    }
  }

  /// Adds whole blocks, which have these checksums, where a block begins. \throws std::logic_error elsewhere.
  void add_blocks(std::span<const std::uint64_t> checksums) {
    if (in_block_ != 0) throw std::logic_error("a checksum takes blocks only where a block begins");
    blocks_.insert(blocks_.end(), checksums.begin(), checksums.end());
  }

  /// The checksum of all numbers so far.
  std::uint64_t value() const {
    if (blocks_.empty()) return XXH3_64bits_digest(&state_);
    auto all = blocks_;
    if (in_block_ != 0) all.push_back(XXH3_64bits_digest(&state_));
    if (all.size() == 1) return all.front();
    if constexpr (std::endian::native == std::endian::big)
      for (auto& each : all) each = XXH_swap64(each);
    return XXH3_64bits(all.data(), all.size() * sizeof(std::uint64_t));
  }

 private:
  /// More are no faster than a state comes from a device.
  static constexpr unsigned most_threads = 4;

  void add_bytes(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      if (in_block_ == 0 && threads_ > 1 && bytes.size() >= 2 * block_bytes) bytes = after_whole_blocks(bytes);
      const auto part = bytes.first(std::min(block_bytes - in_block_, bytes.size()));
      XXH3_64bits_update(&state_, part.data(), part.size());
      bytes = bytes.subspan(part.size());
      in_block_ += part.size();
      if (in_block_ < block_bytes) continue;
      blocks_.push_back(XXH3_64bits_digest(&state_));
      XXH3_64bits_reset(&state_);
      in_block_ = 0;
    }
  }

  // Takes all whole blocks. \returns the bytes that follow them.
  std::span<const std::byte> after_whole_blocks(std::span<const std::byte> bytes) {
    if (!team_) {
      own_team_ = kept_team(threads_, Waiting::spinning_in_use);
      team_ = own_team_.get();
    }
    const auto blocks = bytes.size() / block_bytes;
    const auto first = blocks_.size();
    blocks_.resize(first + blocks);
    team_->run(blocks,
               [&](std::size_t i) { blocks_[first + i] = XXH3_64bits(bytes.data() + i * block_bytes, block_bytes); });
    return bytes.subspan(blocks * block_bytes);
  }

  unsigned threads_;
  KeptTeam own_team_;
  ThreadTeam* team_ = nullptr;
  XXH3_state_t state_;
  std::size_t in_block_ = 0;           ///< bytes of a block that is not full yet
  std::vector<std::uint64_t> blocks_;  ///< checksums of those that are
};

}  // namespace clopt
