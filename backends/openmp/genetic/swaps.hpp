/// \file
/// Crossover of bits: which genes change places, for many units at a time.
#pragma once

#include <support/numbers/vectorize.hpp>
#include "batch.hpp"
#include "random.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace clopt::openmp::genetic {

using std::uint32_t;
using std::uint64_t;

/// genetic_two_digits() for many units.
CLOPT_VECTORIZE_WITH(, static, void, take_two_digits,
                     (uint32_t digits, uint32_t count, const uint64_t* ab, const uint64_t* cd, uint64_t* below,
                      uint64_t* undecided),
                     (digits, count, ab, cd, below, undecided)) {
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

  Swaps(const Settings& run, uint32_t generation) : run_(run), generation_(generation), shift_(run_of_units(run)) {}

  /// Units, as a power of two, that a bit of `different` stands for, so that 64 bits are enough.
  static uint32_t run_of_units(const Settings& run) {
    return static_cast<uint32_t>(std::countr_zero(std::bit_ceil((run.units + 63) / 64)));
  }

  /// Swaps what is decided of a pair's genes between the points, at the latest with finish(). different: which runs of
  /// units may differ. The children are their parents so far; second may be null.
  void add(uint32_t pair, shared::genetic_points points, uint64_t different, const uint64_t* a, const uint64_t* b,
           uint64_t* first, uint64_t* second) {
    const auto y = shared::genetic_pair_address(run_, pair);
    const auto begin = points.first / GENETIC_UNIT;
    const auto last = points.last / GENETIC_UNIT;
    different &= ~uint64_t{0} << (begin >> shift_) & ~uint64_t{0} >> (63 - (last >> shift_));
    for (; different != 0; different &= different - 1) {
      const auto run_begin = static_cast<uint32_t>(std::countr_zero(different)) << shift_;
      const auto run_last = std::min(last, run_begin + (1U << shift_) - 1);
      for (auto unit = std::max(begin, run_begin); unit <= run_last; ++unit) {
        auto asked = a[unit] ^ b[unit];
        if (unit == begin) asked &= ~uint64_t{0} << points.first % GENETIC_UNIT;
        if (unit == last) asked &= ~uint64_t{0} >> (GENETIC_UNIT - 1 - points.last % GENETIC_UNIT);
        if (count_ == most) finish();
        // Written in any case: a branch on it would be mispredicted.
        y_[count_] = y;
        z_[count_] = unit << 4;
        undecided_[count_] = asked;
        first_[count_] = first + unit;
        second_[count_] = second != nullptr ? second + unit : &nothing_;
        count_ += asked != 0 ? 1 : 0;
      }
    }
  }

  void finish() {
    const auto jobs = count_;
    std::iota(number_, number_ + jobs, 0U);
    std::fill_n(below_, jobs, 0);
    auto digits = static_cast<uint32_t>(run_.crossover & 0xffffffffU);
    if (run_.crossover >= BERNOULLI_ONE) {
      std::copy_n(undecided_, count_, below_);
      digits = 0;
    }
    // Two rounds leave most jobs with a decision to make.
    for (uint32_t rounds = 2; count_ != 0 && digits != 0; rounds = 1) {
      for (uint32_t round = 0; round < rounds; ++round, digits <<= 2) {
        random_blocks(run_.seed, GENETIC_CROSSOVER, generation_, y_, z_, count_, ab_, cd_);
        take_two_digits(digits, count_, ab_, cd_, below_, undecided_);
        for (uint32_t i = 0; i < count_; ++i) ++z_[i];
      }
      close_ranks();
    }
    for (uint32_t i = 0; i < count_; ++i) decided_[number_[i]] = below_[i];
    for (uint32_t job = 0; job < jobs; ++job) {
      *first_[job] ^= decided_[job];
      *second_[job] ^= decided_[job];
    }
    count_ = 0;
  }

 private:
  // Notes what is decided so far, and moves the jobs that are not done together; without branches.
  void close_ranks() {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      const auto undecided = undecided_[i];
      decided_[number_[i]] = below_[i];
      number_[left] = number_[i];
      y_[left] = y_[i];
      z_[left] = z_[i];
      below_[left] = below_[i];
      undecided_[left] = undecided;
      left += undecided != 0 ? 1 : 0;
    }
    count_ = left;
  }

  const Settings& run_;
  uint32_t generation_;
  uint32_t shift_;
  uint32_t count_ = 0;
  uint64_t nothing_ = 0;
  // Whole lanes of random numbers are drawn, and one job may be written for nothing.
  static constexpr uint32_t room = most + random_lanes;
  alignas(64) uint32_t number_[room];
  alignas(64) uint32_t y_[room];
  alignas(64) uint32_t z_[room];
  alignas(64) uint64_t undecided_[room];
  alignas(64) uint64_t below_[room];
  alignas(64) uint64_t decided_[room];
  alignas(64) uint64_t ab_[room];
  alignas(64) uint64_t cd_[room];
  uint64_t* first_[room];
  uint64_t* second_[room];
};

}  // namespace clopt::openmp::genetic
