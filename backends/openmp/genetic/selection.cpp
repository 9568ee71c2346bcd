/// \file
/// Selection of a batch of pairs.
#include <support/numbers/vectorize.hpp>
#include "random.hpp"

#include <algorithm>

namespace clopt::openmp::genetic {
namespace {

using std::uint32_t;
using std::uint64_t;

/// Blocks that most pairs find their parents in, with two tries each.
constexpr uint32_t try_blocks = 3;

/// The parents that a batch's pairs have found so far, as genetic_accepted() has it.
struct FoundParents {
  uint32_t first[batch_pairs];
  uint32_t second[batch_pairs];
};

/// What a try is measured with.
template <class Real>
struct Wheel {
  const Real* costs;
  Real least;
  Real greatest;
  uint32_t whole;
  uint32_t population;
  uint32_t bias;
  uint32_t top;
  uint32_t top_bias;
};

/// One try of each pair. words: the individual's, and its chance's, in turns. Without branches, so that it becomes
/// vectors.
template <class Real>
[[gnu::always_inline]] inline void try_all(const uint32_t* words, const Wheel<Real>& wheel, uint32_t whole,
                                           FoundParents& found) {
  uint32_t index[batch_pairs];
  Real cost[batch_pairs];
  const auto population = wheel.population;
  const auto top = wheel.top;
  for (uint32_t i = 0; i < batch_pairs; ++i)
    index[i] = static_cast<uint32_t>(uint64_t{words[2 * i]} * population >> 32);
  for (uint32_t i = 0; i < batch_pairs; ++i) cost[i] = wheel.costs[index[i]];
  for (uint32_t i = 0; i < batch_pairs; ++i) {
    const auto weight = shared::genetic_weight<Real>(cost[i], wheel.least, wheel.greatest, whole);
    const auto chance = words[2 * i + 1];
    const auto place = static_cast<uint32_t>(uint64_t{chance} * top >> 32);
    const bool accepted =
        (words[2 * i] * population >= wheel.bias) & (chance * top >= wheel.top_bias) & (place < weight);
    const auto first = found.first[i];
    const auto second = found.second[i];
    found.first[i] = (accepted & (first == GENETIC_NONE)) ? index[i] : first;
    found.second[i] =
        (accepted & (first != GENETIC_NONE) & (second == GENETIC_NONE) & (index[i] != first)) ? index[i] : second;
  }
}

CLOPT_VECTORIZE(void, try_batch, (const uint64_t* words, const Wheel<float>& wheel, FoundParents& found),
                (words, wheel, found)) {
  const auto* halves = reinterpret_cast<const uint32_t*>(words);
  if (wheel.whole != 0 && wheel.least < wheel.greatest)
    try_all(halves, wheel, 1U, found);
  else
    try_all(halves, wheel, wheel.whole, found);
}
CLOPT_VECTORIZE(void, try_batch, (const uint64_t* words, const Wheel<double>& wheel, FoundParents& found),
                (words, wheel, found)) {
  try_all(reinterpret_cast<const uint32_t*>(words), wheel, wheel.whole, found);
}

/// genetic_roulette() for a batch.
template <class Real>
void roulette_batch(const shared::genetic_wheel<Real>& wheel, const Settings& run, uint32_t generation, Batch batch,
                    uint32_t* parents) {
  const PairBlocks<try_blocks> blocks(run, GENETIC_SELECTION, generation, batch);
  const auto top = shared::genetic_top_weight<Real>(wheel.least, wheel.greatest, run.whole);
  const Wheel<Real> same{wheel.costs,    wheel.least, wheel.greatest,  run.whole, run.population,
                         run.index_bias, top,         (0U - top) % top};
  FoundParents found;
  std::fill_n(found.first, batch_pairs, GENETIC_NONE);
  std::fill_n(found.second, batch_pairs, GENETIC_NONE);
  for (uint32_t t = 0; t < 2 * try_blocks; ++t)
    try_batch((t % 2 == 0 ? blocks.ab : blocks.cd) + t / 2 * batch_pairs, same, found);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    shared::genetic_parents both{found.first[i], found.second[i]};
    if (both.second == GENETIC_NONE)
      both = shared::genetic_roulette<Real>(wheel, run, generation, batch.begin + i, both, try_blocks);
    parents[2 * i] = both.first;
    parents[2 * i + 1] = both.second;
  }
}

}  // namespace

template <class Real>
void select_batch(const shared::genetic_wheel<Real>& wheel, const Settings& run, uint32_t generation, Batch batch,
                  uint32_t* parents) {
  if (run.selection == GENETIC_ROULETTE) return roulette_batch(wheel, run, generation, batch, parents);
  for (auto pair = batch.begin; pair < batch.end; ++pair) {
    const auto found = shared::genetic_parents_of<Real>(wheel, run, generation, pair);
    *parents++ = found.first;
    *parents++ = found.second;
  }
}

template void select_batch(const shared::genetic_wheel<float>&, const Settings&, uint32_t, Batch, uint32_t*);
template void select_batch(const shared::genetic_wheel<double>&, const Settings&, uint32_t, Batch, uint32_t*);

}  // namespace clopt::openmp::genetic
