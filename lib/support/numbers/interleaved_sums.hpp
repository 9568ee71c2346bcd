/// \file
/// Many numbers together: sums that a processor adds up side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace clopt {

/// The least, the greatest and the sums of numbers; NaN is neither of the first two. The n-th number belongs to sum n
/// mod \p lanes: how many there are is part of what they come to, to the last bit.
template <std::size_t lanes>
class InterleavedSums {
 public:
  InterleavedSums() {
    least_.fill(std::numeric_limits<double>::infinity());
    greatest_.fill(-std::numeric_limits<double>::infinity());
  }

  template <class Real>
  void add(std::span<const Real> numbers) {
    for (; !numbers.empty() && lane_ != 0; numbers = numbers.subspan(1)) add_one(static_cast<double>(numbers.front()));
    const auto blocks = numbers.size() / lanes;
    add_blocks(numbers.data(), blocks);
    numbers = numbers.subspan(blocks * lanes);
    for (const auto number : numbers) add_one(static_cast<double>(number));
  }

  double least() const { return *std::min_element(least_.begin(), least_.end()); }
  double greatest() const { return *std::max_element(greatest_.begin(), greatest_.end()); }
  const std::array<double, lanes>& sums() const { return sums_; }

 private:
  using Lanes = std::array<double, lanes>;

  // With copies, and an operation at a time, so that compilers keep all lanes in vectors.
  template <class Real>
  void add_blocks(const Real* numbers, std::size_t blocks) {
    auto least = least_;
    auto greatest = greatest_;
    auto sums = sums_;
    for (const Real* const end = numbers + blocks * lanes; numbers != end; numbers += lanes) {
      Lanes block;
      for (std::size_t lane = 0; lane < lanes; ++lane) block[lane] = static_cast<double>(numbers[lane]);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        least[lane] = block[lane] < least[lane] ? block[lane] : least[lane];
      for (std::size_t lane = 0; lane < lanes; ++lane)
        greatest[lane] = block[lane] > greatest[lane] ? block[lane] : greatest[lane];
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += block[lane];
    }
    least_ = least;
    greatest_ = greatest;
    sums_ = sums;
  }

  void add_one(double number) {
    least_[lane_] = number < least_[lane_] ? number : least_[lane_];
    greatest_[lane_] = number > greatest_[lane_] ? number : greatest_[lane_];
    sums_[lane_] += number;
    lane_ = (lane_ + 1) % lanes;
  }

  Lanes least_;
  Lanes greatest_;
  Lanes sums_{};
  std::size_t lane_ = 0;  // of the next number
};

}  // namespace clopt
