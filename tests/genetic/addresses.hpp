/// \file
/// The random numbers that a run draws, by their addresses, and what is made of them whatever the genes are. Nothing
/// here shares code with the library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <support/philox.hpp>

namespace oracle {

using Block = std::array<std::uint32_t, 4>;
__extension__ typedef unsigned __int128 Uint128;

inline Block philox(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return clopt::test::philox({x, y, z, purpose}, seed);
}

enum Purpose : std::uint32_t {
  start = 0x47410000,
  selection,
  wheel,
  points,
  crossover,
  mutation,
  change,
  order,
  shuffle
};

/// What a run is.
struct Setting {
  std::uint64_t seed = 1;
  std::uint32_t population = 8;
  std::uint32_t islands = 1;
  std::uint32_t genes = 10;
  std::uint32_t elites = 0;
  std::uint32_t migrate_every = 0;
  std::uint32_t migrants = 1;
  std::string selection = "roulette";
  std::uint32_t tournament = 2;
  double rank_pressure = 2;
  std::string crossover_kind = "two-point";
  double crossover = 0.8;
  double mutation = 0.01;
  bool whole = true;
};

/// A number below n without bias: words of the block at z that would favour some are passed over.
inline std::uint32_t below(const Setting& s, std::uint32_t purpose, std::uint32_t g, std::uint32_t y, std::uint32_t z,
                           std::uint32_t n) {
  for (;; z += 1U << 24)
    for (const auto word : philox(s.seed, purpose, g, y, z)) {
      const auto product = std::uint64_t{word} * n;
      if (product % (std::uint64_t{1} << 32) >= (std::uint64_t{1} << 32) % n)
        return static_cast<std::uint32_t>(product >> 32);
    }
}

inline std::uint64_t place_on_wheel(const Setting& s, std::uint32_t g, std::uint32_t y, std::uint32_t z,
                                    std::uint64_t size) {
  for (;; z += 4) {
    const auto block = philox(s.seed, wheel, g, y, z);
    for (std::size_t half = 0; half < 2; ++half) {
      const auto word = std::uint64_t{block[2 * half + 1]} << 32 | block[2 * half];
      const auto product = Uint128{word} * size;
      if (static_cast<std::uint64_t>(product) >= (Uint128{1} << 64) % size)
        return static_cast<std::uint64_t>(product >> 64);
    }
  }
}

/// Whether a gene's decision with a probability is 1: its uniform fraction, digit by digit, is below.
inline bool decides(const Setting& s, std::uint32_t purpose, std::uint32_t g, std::uint32_t y, std::uint32_t unit,
                    std::uint32_t lane, double probability) {
  const auto units = static_cast<std::uint64_t>(std::rint(std::ldexp(probability, 32)));
  if (units >> 32 != 0) return true;
  std::uint64_t fraction = 0;
  for (std::uint32_t digit = 0; digit < 32; ++digit) {
    const auto block = philox(s.seed, purpose, g, y, (unit << 4) + digit / 2);
    const auto word = std::uint64_t{block[digit % 2 * 2 + 1]} << 32 | block[digit % 2 * 2];
    fraction = fraction << 1 | (word >> lane & 1);
  }
  return fraction < units;
}

/// Genes from .first to .second.
inline std::pair<std::uint32_t, std::uint32_t> between(const Setting& s, std::uint32_t g, std::uint32_t pair) {
  if (s.crossover_kind == "uniform" || s.crossover_kind == "simulated-binary") return {0, s.genes - 1};
  const auto block = philox(s.seed, points, g, pair, 0);
  std::uint32_t drawn[2];
  for (std::uint32_t k = 0; k < 2; ++k) {
    const auto product = std::uint64_t{block[k]} * s.genes;
    drawn[k] = product % (std::uint64_t{1} << 32) >= (std::uint64_t{1} << 32) % s.genes
                   ? static_cast<std::uint32_t>(product >> 32)
                   : below(s, points, g, pair, k + 1, s.genes);
  }
  if (s.crossover_kind == "one-point") return {drawn[0], s.genes - 1};
  return std::minmax(drawn[0], drawn[1]);
}

/// Which genes of a child are mutated.
inline std::vector<bool> mutated(const Setting& s, std::uint32_t g, std::uint32_t pair, std::uint32_t child) {
  std::vector<bool> result(s.genes);
  const auto units = (s.genes + 63) / 64;
  if (s.mutation == 0) return result;
  if (s.mutation >= 1.0 / 16) {
    for (std::uint32_t gene = 0; gene < s.genes; ++gene)
      result[gene] = decides(s, mutation, g, pair, child * units + gene / 64, gene % 64, s.mutation);
    return result;
  }
  // The longest stretch of 64, 128, ..., 1024 genes in which half a mutation or less is expected.
  std::uint32_t stretch = 64;
  while (stretch < 1024 && 2 * stretch * s.mutation <= 0.5) stretch *= 2;
  // Powers of the probability to keep a gene, in 2^-64.
  std::vector<std::uint64_t> keep{static_cast<std::uint64_t>(std::ldexp(1 - s.mutation, 64))};
  for (int k = 1; k < 11; ++k) keep.push_back(static_cast<std::uint64_t>(Uint128{keep.back()} * keep.back() >> 64));
  for (std::uint32_t begin = 0; begin < s.genes; begin += stretch) {
    std::uint64_t gene = begin;
    for (std::uint32_t k = 0;; ++k) {
      const auto block = philox(s.seed, mutation, g, pair, (begin / stretch) << 11 | k);
      const auto word = std::uint64_t{block[2 * child + 1]} << 32 | block[2 * child];
      std::uint64_t chance = ~std::uint64_t{0};
      for (int bit = 10; bit >= 0; --bit) {
        const auto less = static_cast<std::uint64_t>(Uint128{chance} * keep[static_cast<std::size_t>(bit)] >> 64);
        if (word >= less) continue;
        chance = less;
        gene += std::uint64_t{1} << bit;
      }
      if (gene >= std::min(begin + stretch, s.genes)) break;
      result[gene++] = true;
    }
  }
  return result;
}

}  // namespace oracle
