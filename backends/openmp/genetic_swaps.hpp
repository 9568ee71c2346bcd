/// \file
/// Crossover of bits: which genes change places, for many units at a time.
#pragma once

#include <support/vectorize.hpp>
#include "genetic_breeding.hpp"
#include "genetic_random.hpp"

#include <algorithm>
#include <cstdint>

namespace clopt::openmp::genetic {

using std::uint32_t;
using std::uint64_t;

/// genetic_two_digits() for many units.
CLOPT_VECTORIZE static void take_two_digits(uint32_t digits, uint32_t count, const uint64_t* ab, const uint64_t* cd,
                                            uint64_t* below, uint64_t* undecided) {
  // All ones where the digit is 1, so that one formula serves both.
  const auto first = digits >> 31 != 0 ? ~uint64_t{0} : 0;
  const auto second = (digits >> 30 & 1U) != 0 ? ~uint64_t{0} : 0;
  for (uint32_t i = 0; i < count; ++i) {
    auto open = undecided[i];
    auto found = below[i] | (open & ~ab[i] & first);
    open &= ~(ab[i] ^ first);
    found |= open & ~cd[i] & second;
    open &= ~(cd[i] ^ second);
    below[i] = found;
    undecided[i] = open;
  }
}

/// Units of pairs whose parents differ there, as jobs that are done many at a time: each round draws the next two
/// digits of all decisions that are not made yet.
class Swaps {
 public:
  static constexpr uint32_t most = 1024;

  Swaps(const Settings& run, uint32_t generation) : run_(run), generation_(generation) {}

  /// Swaps what is decided of `asked` in a unit of both children, at the latest with finish().
  void add(uint32_t pair, uint32_t unit, uint64_t asked, uint64_t* first, uint64_t* second) {
    if (count_ == most) finish();
    pair_[count_] = pair;
    z_[count_] = unit << 4;
    undecided_[count_] = asked;
    below_[count_] = 0;
    first_[count_] = first;
    second_[count_] = second;
    ++count_;
  }

  void finish() {
    auto digits = static_cast<uint32_t>(run_.crossover & 0xffffffffU);
    if (run_.crossover >= BERNOULLI_ONE) {
      std::copy_n(undecided_, count_, below_);
      digits = 0;
    }
    // Two rounds leave most jobs with a decision to make.
    for (uint32_t rounds = 2; count_ != 0 && digits != 0; rounds = 1) {
      for (uint32_t round = 0; round < rounds; ++round, digits <<= 2) {
        random_blocks(run_.seed, GENETIC_CROSSOVER, generation_, pair_, z_, count_, ab_, cd_);
        take_two_digits(digits, count_, ab_, cd_, below_, undecided_);
        for (uint32_t i = 0; i < count_; ++i) ++z_[i];
      }
      close_ranks();
    }
    for (uint32_t i = 0; i < count_; ++i) swap(i, below_[i]);
    count_ = 0;
  }

 private:
  // Carries out the jobs that are decided, and moves the others together; without branches, which nobody could foresee.
  void close_ranks() {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      const bool done = undecided_[i] == 0;
      swap(i, done ? below_[i] : 0);
      pair_[left] = pair_[i];
      z_[left] = z_[i];
      below_[left] = below_[i];
      undecided_[left] = undecided_[i];
      first_[left] = first_[i];
      second_[left] = second_[i];
      left += done ? 0 : 1;
    }
    count_ = left;
  }

  void swap(uint32_t i, uint64_t bits) {
    *first_[i] ^= bits;
    *second_[i] ^= bits;
  }

  const Settings& run_;
  uint32_t generation_;
  uint32_t count_ = 0;
  alignas(64) uint32_t pair_[most];
  alignas(64) uint32_t z_[most];
  alignas(64) uint64_t undecided_[most];
  alignas(64) uint64_t below_[most];
  alignas(64) uint64_t ab_[most];
  alignas(64) uint64_t cd_[most];
  uint64_t* first_[most];
  uint64_t* second_[most];
};

}  // namespace clopt::openmp::genetic
