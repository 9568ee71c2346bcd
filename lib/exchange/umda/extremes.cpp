#include "extremes.hpp"

#include <algorithm>

#include <support/numbers/vectorize.hpp>

namespace clopt::exchange {
namespace {

struct LeastAndGreatest {
  std::uint64_t least, greatest;
};

CLOPT_VECTORIZE(LeastAndGreatest, range_of, (const std::uint64_t* numbers, std::size_t count), (numbers, count)) {
  LeastAndGreatest range{numbers[0], numbers[0]};
  for (std::size_t i = 1; i < count; ++i) {
    range.least = numbers[i] < range.least ? numbers[i] : range.least;
    range.greatest = numbers[i] > range.greatest ? numbers[i] : range.greatest;
  }
  return range;
}

// Individuals whose range is found before one of them is looked for.
constexpr std::size_t block = 256;

}  // namespace

Extremes extremes_of(std::span<const std::uint64_t> fitness) {
  Extremes all{fitness.front(), fitness.front(), 0, 0};
  for (std::size_t first = 0; first < fitness.size(); first += block) {
    const auto own = fitness.subspan(first, std::min(block, fitness.size() - first));
    const auto range = range_of(own.data(), own.size());
    const auto place_of = [&](std::uint64_t value) {
      return first + static_cast<std::size_t>(std::find(own.begin(), own.end(), value) - own.begin());
    };
    if (range.least < all.least) {
      all.least = range.least;
      all.best = place_of(range.least);
    }
    if (range.greatest > all.greatest) {
      all.greatest = range.greatest;
      all.worst = place_of(range.greatest);
    }
  }
  return all;
}

}  // namespace clopt::exchange
