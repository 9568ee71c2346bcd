/// \file
/// The oracle's random numbers, and its objective.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oracle {

using Words = std::array<std::uint32_t, 4>;

/// Philox4x32-10 (Salmon et al. 2011), from the paper's text.
inline Words philox(Words counter, std::uint64_t key) {
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

/// The sum of neighbours, pair by pair, as the library promises it.
template <class Real>
Real tree_sum(std::vector<Real> terms) {
  while (terms.size() > 1) {
    std::vector<Real> pairs;
    for (std::size_t i = 0; i < terms.size(); i += 2)
      pairs.push_back(i + 1 < terms.size() ? terms[i] + terms[i + 1] : terms[i]);
    terms = pairs;
  }
  return terms.front();
}

template <class Real>
Real sphere(const std::vector<Real>& x) {
  std::vector<Real> squares;
  squares.reserve(x.size());
  for (const Real each : x) squares.push_back(each * each);
  return tree_sum(squares);
}

}  // namespace oracle
