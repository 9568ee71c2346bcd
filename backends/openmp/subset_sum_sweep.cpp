#include "subset_sum_sweep.hpp"

#include <support/vectorize.hpp>

#include <omp.h>
#include <shared/subset_sum_bits.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <thread>
#include <vector>

namespace clopt::openmp::subset_sum {
namespace {

using clopt::subset_sum::SweepStep;
using Word = std::uint64_t;

constexpr std::int64_t bits = 64;
// Words whose new capacities are looked for together: eight of the widest vectors, which registers can hold.
constexpr std::int64_t strip_words = 64;
constexpr std::int64_t strips_in_block = 8;
constexpr std::int64_t block_words = strip_words * strips_in_block;
// Weights of a team, all together, in words: half a usual second-level cache.
constexpr std::uint64_t team_words = std::uint64_t{1} << 17;
constexpr std::size_t most_items_in_team = 32;

void name_items(const Word* before, const Word* after, std::int64_t count, std::uint64_t capacity,
                std::uint32_t* first_item, std::uint32_t item) {
  for (std::int64_t x = 0; x < count; ++x, capacity += bits)
    for (Word fresh = after[x] & ~before[x]; fresh != 0; fresh &= fresh - 1)
      first_item[capacity + static_cast<unsigned>(std::countr_zero(fresh))] = item;
}

// The words with an item taken, into `after`; \returns the or of the new capacities. `high` has a word beneath it.
CLOPT_VECTORIZE Word take_item(const Word* reached, const Word* high, std::uint32_t shift, Word* after) {
  Word fresh = 0;
  for (std::int64_t x = 0; x < strip_words; ++x) {
    const Word complementary = shared::complementary_bits<Word>(high[x], high[x - 1], shift);
    fresh |= complementary & ~reached[x];
    after[x] = reached[x] | complementary;
  }
  return fresh;
}

/// One item on its way down the vector.
class Item {
 public:
  Item(const SweepStep& step, std::uint32_t number)
      : number_(number),
        whole_words_(static_cast<std::int64_t>(step.weight / bits)),
        shift_(static_cast<std::uint32_t>(step.weight % bits)),
        first_(static_cast<std::int64_t>(step.first / bits)),
        last_(static_cast<std::int64_t>(step.last / bits)) {}

  /// Blocks that the item before must be ahead: those that this one reads.
  std::int64_t lag() const { return (whole_words_ + 1) / block_words + 2; }
  std::int64_t last_block() const { return last_ / block_words; }
  std::int64_t first_block() const { return first_ / block_words; }

  void take_block(std::int64_t block, Word* reached, std::uint32_t* first_item) const {
    const auto begin = std::max(first_, block * block_words);
    const auto end = std::min(last_, block * block_words + block_words - 1) + 1;
    // Downwards, so that a word is read before it is written where the two lie in one strip's reach.
    for (auto x = end; x > begin;) {
      const auto count = std::min(strip_words, x - begin);
      x -= count;
      if (count == strip_words && x > whole_words_)
        take_strip(x, reached, first_item);
      else
        take_words(x, count, reached, first_item);
    }
  }

 private:
  void take_strip(std::int64_t x, Word* reached, std::uint32_t* first_item) const {
    alignas(64) std::array<Word, strip_words> after;
    const auto fresh = take_item(reached + x, reached + x - whole_words_, shift_, after.data());
    if (fresh == 0) return;
    name_items(reached + x, after.data(), strip_words, static_cast<std::uint64_t>(x * bits), first_item, number_);
    std::memcpy(reached + x, after.data(), sizeof after);
  }

  // Fewer words than a strip, or words that lack complementary ones.
  void take_words(std::int64_t begin, std::int64_t count, Word* reached, std::uint32_t* first_item) const {
    for (auto x = begin + count; x-- > begin;) {
      const Word high = x >= whole_words_ ? reached[x - whole_words_] : 0;
      const Word low = x > whole_words_ ? reached[x - whole_words_ - 1] : 0;
      const Word after = reached[x] | shared::complementary_bits<Word>(high, low, shift_);
      name_items(reached + x, &after, 1, static_cast<std::uint64_t>(x * bits), first_item, number_);
      reached[x] = after;
    }
  }

  std::uint32_t number_;
  std::int64_t whole_words_;
  std::uint32_t shift_;
  std::int64_t first_;
  std::int64_t last_;
};

/// Items that follow each other closely, and how far the last of them has come.
struct Team {
  std::vector<Item> items;
  std::vector<std::int64_t> lags;       // blocks that each item is behind the first
  std::int64_t top = 0;                 // the highest block that any item has
  std::int64_t bottom = 0;              // the lowest
  std::atomic<std::int64_t> done_from;  // every item has taken the blocks from here up

  std::int64_t lag_behind_previous() const { return items.front().lag(); }
};

std::vector<Team> make_teams(std::span<const SweepStep> steps, std::uint32_t item) {
  std::vector<std::size_t> sizes;
  std::uint64_t words = 0;
  for (const auto& step : steps) {
    words += step.weight / bits + 2 * block_words;
    if (sizes.empty() || words > team_words || sizes.back() == most_items_in_team) {
      sizes.push_back(0);
      words = step.weight / bits + 2 * block_words;
    }
    ++sizes.back();
  }
  std::vector<Team> teams(sizes.size());
  std::size_t next = 0;
  for (std::size_t t = 0; t < teams.size(); ++t) {
    auto& team = teams[t];
    for (std::size_t i = 0; i < sizes[t]; ++i, ++next) {
      const auto& added = team.items.emplace_back(steps[next], item + static_cast<std::uint32_t>(next));
      team.lags.push_back(i == 0 ? 0 : team.lags.back() + added.lag());
      team.top = i == 0 ? added.last_block() : std::max(team.top, added.last_block());
      team.bottom = i == 0 ? added.first_block() : std::min(team.bottom, added.first_block());
    }
    team.done_from = team.top + 1;
  }
  return teams;
}

// Waits until the team before has taken the blocks from `block` up.
void await(const Team& before, std::int64_t block) {
  for (unsigned spins = 0; before.done_from.load(std::memory_order_acquire) > block; ++spins)
    if (spins % 64 == 63) std::this_thread::yield();
}

void run_team(Team& team, const Team* before, Word* reached, std::uint32_t* first_item) {
  const auto finish = team.top - team.bottom + team.lags.back();
  for (std::int64_t time = 0; time <= finish; ++time) {
    const auto lead = team.top - time;
    if (before) await(*before, std::max(lead - team.lag_behind_previous(), before->bottom));
    for (std::size_t i = 0; i < team.items.size(); ++i) {
      const auto block = lead + team.lags[i];
      const auto& item = team.items[i];
      if (block <= item.last_block() && block >= item.first_block()) item.take_block(block, reached, first_item);
    }
    team.done_from.store(lead + team.lags.back(), std::memory_order_release);
  }
}

}  // namespace

void sweep_in_place(std::span<std::uint64_t> reached, std::span<std::uint32_t> first_item,
                    std::span<const SweepStep> steps, std::uint32_t item) {
  auto teams = make_teams(steps, item);
  std::atomic<std::size_t> next{0};
  // Threads take the teams in order, so that a team's predecessor is always done or at work.
#pragma omp parallel if (teams.size() > 1)
  for (auto t = next.fetch_add(1); t < teams.size(); t = next.fetch_add(1))
    run_team(teams[t], t == 0 ? nullptr : &teams[t - 1], reached.data(), first_item.data());
}

}  // namespace clopt::openmp::subset_sum
