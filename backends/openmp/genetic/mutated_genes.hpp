/// \file
/// Mutation of a batch of pairs: which genes.
#pragma once

#include "random.hpp"

#include <shared/genetic/mutation.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace clopt::openmp::genetic {

using std::uint32_t;
using std::uint64_t;

static_assert(batch_pairs <= 64, "a word has a bit for each pair of a batch");

/// Sequences of gaps that are followed side by side: in most segments the first gap goes beyond the end.
class GapSequences {
 public:
  GapSequences(const Settings& run, uint32_t generation) : run_(run), generation_(generation) {}

  /// \param y the pair's address.
  void add(uint32_t y, uint32_t child, uint64_t word) {
    y_[count_] = y;
    child_[count_] = child;
    word_[count_] = word;
    gene_[count_] = 0;
    ++count_;
  }

  /// Calls visit(pair, child, unit, mask) for all mutated genes of a segment, in each child from the first to the last.
  template <class Visit>
  void follow(uint32_t segment, Visit visit) {
    const auto begin = segment << run_.segment;
    const auto end = std::min(GENETIC_UNIT << run_.segment, run_.genes - begin * GENETIC_UNIT);
    for (uint32_t z = segment << 11; count_ != 0;) {
      uint32_t left = 0;
      for (uint32_t i = 0; i < count_; ++i) {
        const auto gene = gene_[i] + shared::genetic_gap(run_, word_[i]);
        if (gene >= end) continue;
        visit(y_[i] - run_.first_pair, child_[i], begin + gene / GENETIC_UNIT, uint64_t{1} << gene % GENETIC_UNIT);
        y_[left] = y_[i];
        child_[left] = child_[i];
        gene_[left] = gene + 1;
        ++left;
      }
      draw_next(left, ++z);
    }
  }

 private:
  // Keeps the sequences whose next gap does not go beyond the segment.
  void draw_next(uint32_t left, uint32_t z) {
    count_ = 0;
    if (left == 0) return;
    random_blocks(run_.seed, GENETIC_MUTATION, generation_, y_, z, left, ab_, cd_);
    for (uint32_t i = 0; i < left; ++i) {
      const auto word = child_[i] == 0 ? ab_[i] : cd_[i];
      if (word < run_.keep_segment) continue;
      y_[count_] = y_[i];
      child_[count_] = child_[i];
      gene_[count_] = gene_[i];
      word_[count_] = word;
      ++count_;
    }
  }

  static constexpr uint32_t most = 2 * batch_pairs;
  const Settings& run_;
  uint32_t generation_;
  uint32_t count_ = 0;
  uint32_t y_[most] = {};
  uint32_t child_[most];
  uint32_t gene_[most];
  uint64_t word_[most];
  uint64_t ab_[most];
  uint64_t cd_[most];
};

/// Calls visit(pair, child, unit, mask) for the units of a batch's children in which genes are mutated.
template <class Visit>
void for_each_mutated(const Settings& run, uint32_t generation, Batch batch, Visit visit) {
  if (run.mutation_way == GENETIC_NEVER) return;
  if (run.mutation_way == GENETIC_DENSE) {
    for (auto pair = batch.begin; pair < batch.end; ++pair)
      for (uint32_t unit = 0; unit < run.units; ++unit) {
        const auto masks = shared::genetic_mutated(run, generation, pair, unit);
        if (masks.first != 0) visit(pair, 0U, unit, masks.first);
        if (masks.second != 0) visit(pair, 1U, unit, masks.second);
      }
    return;
  }
  const auto segments = ((run.units - 1) >> run.segment) + 1;
  uint32_t y[batch_pairs];
  uint64_t ab[batch_pairs];
  uint64_t cd[batch_pairs];
  GapSequences sequences(run, generation);
  for (uint32_t i = 0; i < batch_pairs; ++i) y[i] = shared::genetic_pair_address(run, batch.begin + i);
  for (uint32_t segment = 0; segment < segments; ++segment) {
    random_blocks(run.seed, GENETIC_MUTATION, generation, y, segment << 11, batch.size(), ab, cd);
    // In which pairs a gene of the first child is mutated, and of the second one.
    uint64_t first = 0;
    uint64_t second = 0;
    for (uint32_t i = 0; i < batch.size(); ++i) {
      first |= uint64_t{ab[i] >= run.keep_segment} << i;
      second |= uint64_t{cd[i] >= run.keep_segment} << i;
    }
    for (; first != 0; first &= first - 1) {
      const auto i = std::countr_zero(first);
      sequences.add(y[i], 0, ab[i]);
    }
    for (; second != 0; second &= second - 1) {
      const auto i = std::countr_zero(second);
      sequences.add(y[i], 1, cd[i]);
    }
    sequences.follow(segment, visit);
  }
}

}  // namespace clopt::openmp::genetic
