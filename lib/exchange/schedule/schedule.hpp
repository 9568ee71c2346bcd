/// \file
/// What the search shares about schedules.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include <support/numbers/checksum.hpp>

namespace clopt::exchange {

/// The checksum of numbers.
template <class Number>
std::uint64_t hash_of(const std::vector<Number>& numbers) {
  Checksum checksum;
  checksum.add(std::span<const Number>(numbers));
  return checksum.value();
}

/// A checksum of steps and placements: equal wherever the schedule is.
std::uint64_t checksum_of(const Schedule& schedule);

}  // namespace clopt::exchange
