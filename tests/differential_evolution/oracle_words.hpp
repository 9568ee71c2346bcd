/// \file
/// The oracle's random numbers, and its objective.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <support/philox.hpp>

namespace oracle {

using Words = std::array<std::uint32_t, 4>;
using clopt::test::philox;

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
