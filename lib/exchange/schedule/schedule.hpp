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

/// The first place of a transfer, of those that are equal, that a schedule has not filled; it fills them in their
/// order.
std::size_t free_place(std::span<const Transfer> transfers, const Transfer& transfer, const Schedule& schedule);

/// A checksum of steps and placements: equal wherever the schedule is.
std::uint64_t checksum_of(const Schedule& schedule);

}  // namespace clopt::exchange
