#include "sweep.hpp"
#include <openmp/team.hpp>
#include "strip.hpp"

#include <support/numbers/vectorize.hpp>

#include <shared/subset_sum/bits.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace clopt::openmp::subset_sum {
namespace {

using clopt::subset_sum::SweepStep;
using Word = std::uint64_t;

constexpr std::int64_t bits_a_word = 64;
// Words of a vector of the widest kind; strips begin and end at such boundaries.
constexpr std::int64_t lanes = 8;
// Words that an item takes before the next item does: they and those that they are read from stay in the first-level
// cache.
constexpr std::int64_t strip_words = 512;
// Words whose new capacities are looked for together: eight of the widest vectors, which registers can hold.
constexpr std::int64_t small_strip_words = 64;
// Weights of a team, all together, in words: half a usual second-level cache.
constexpr std::int64_t team_words = std::int64_t{1} << 17;
constexpr std::size_t most_items_in_team = 64;

constexpr std::int64_t round_up(std::int64_t words, std::int64_t unit) { return (words + unit - 1) / unit * unit; }

void name_items(const Word* before, const Word* after, std::int64_t count, std::uint64_t capacity,
                std::uint32_t* first_item, std::uint32_t item) {
  for (std::int64_t x = 0; x < count; ++x, capacity += bits_a_word)
    for (Word fresh = after[x] & ~before[x]; fresh != 0; fresh &= fresh - 1)
      first_item[capacity + static_cast<unsigned>(std::countr_zero(fresh))] = item;
}

// The words with an item taken, into `after`; \returns the or of the new capacities. `high` has a word beneath it.
CLOPT_VECTORIZE(Word, take_item, (const Word* reached, const Word* high, std::uint32_t shift, Word* after),
                (reached, high, shift, after)) {
  Word fresh = 0;
  for (std::int64_t x = 0; x < small_strip_words; ++x) {
    const Word complementary = shared::complementary_bits<Word>(high[x], high[x - 1], shift);
    fresh |= complementary & ~reached[x];
    after[x] = reached[x] | complementary;
  }
  return fresh;
}

/// What items work on.
struct Vectors {
  Word* reached;
  std::uint32_t* first_item;  // null: new capacities are not named
  TakeStrip take_strip;
};

/// One item on its way down the vector.
class Item {
 public:
  Item(const SweepStep& step, std::uint32_t number)
      : number_(number),
        whole_words_(static_cast<std::int64_t>(step.weight / bits_a_word)),
        shift_(static_cast<std::uint32_t>(step.weight % bits_a_word)),
        first_(static_cast<std::int64_t>(step.first / bits_a_word)),
        last_(static_cast<std::int64_t>(step.last / bits_a_word)) {}

  /// Words that the item before must be ahead for this one to read what it has just left.
  std::int64_t lag() const { return round_up(whole_words_ + 1, lanes); }
  std::int64_t first_word() const { return first_; }
  std::int64_t last_word() const { return last_; }

  /// Takes the words of a strip that are in the item's range, downwards, so that a word is read before it is written.
  void take(std::int64_t begin, const Vectors& vectors) const {
    const auto end = std::min(begin + strip_words, last_ + 1);
    begin = std::max(begin, first_);
    if (begin >= end) return;
    if (!vectors.first_item && whole_words_ >= small_strip_words)
      take_vectors(begin, end, vectors);
    else
      take_small_strips(begin, end, vectors);
  }

 private:
  void take_vectors(std::int64_t begin, std::int64_t end, const Vectors& vectors) const {
    const auto first = round_up(std::max(begin, whole_words_ + lanes), lanes);
    auto x = end / lanes * lanes;
    if (first >= x) return take_words(begin, end, vectors);
    take_words(x, end, vectors);
    while (x > first) {
      const auto count = std::min(x - first, whole_words_ / lanes * lanes);
      x -= count;
      vectors.take_strip(vectors.reached + x, vectors.reached + x - whole_words_, shift_, count);
    }
    take_words(begin, x, vectors);
  }

  void take_small_strips(std::int64_t begin, std::int64_t end, const Vectors& vectors) const {
    for (auto x = end; x > begin;) {
      const auto count = std::min(small_strip_words, x - begin);
      x -= count;
      if (count == small_strip_words && x > whole_words_)
        take_small_strip(x, vectors);
      else
        take_words(x, x + count, vectors);
    }
  }

  void take_small_strip(std::int64_t x, const Vectors& vectors) const {
    alignas(64) std::array<Word, small_strip_words> after;
    auto* const reached = vectors.reached + x;
    if (take_item(reached, reached - whole_words_, shift_, after.data()) == 0) return;
    if (vectors.first_item)
      name_items(reached, after.data(), small_strip_words, static_cast<std::uint64_t>(x * bits_a_word),
                 vectors.first_item, number_);
    std::memcpy(reached, after.data(), sizeof after);
  }

  // Fewer words than a strip, or words that lack complementary ones.
  void take_words(std::int64_t begin, std::int64_t end, const Vectors& vectors) const {
    auto* const reached = vectors.reached;
    for (auto x = end; x-- > begin;) {
      const Word high = x >= whole_words_ ? reached[x - whole_words_] : 0;
      const Word low = x > whole_words_ ? reached[x - whole_words_ - 1] : 0;
      const Word after = reached[x] | shared::complementary_bits<Word>(high, low, shift_);
      if (vectors.first_item)
        name_items(reached + x, &after, 1, static_cast<std::uint64_t>(x * bits_a_word), vectors.first_item, number_);
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
  std::vector<std::int64_t> ahead;      // words that the first item is below each item
  std::int64_t top = 0;                 // the first item's highest strip for which any item has work
  std::int64_t bottom = 0;              // and its lowest
  std::atomic<std::int64_t> done_from;  // every item has taken the words from here up
};

constexpr auto all_done = std::numeric_limits<std::int64_t>::min();

void add(Team& team, const Item& item) {
  const auto ahead = team.items.empty() ? 0 : team.ahead.back() + item.lag();
  const auto top = item.last_word() - ahead;
  const auto bottom = item.first_word() - ahead;
  team.top = team.items.empty() ? top : std::max(team.top, top);
  team.bottom = team.items.empty() ? bottom : std::min(team.bottom, bottom);
  team.items.push_back(item);
  team.ahead.push_back(ahead);
}

// Where teams of items with a range begin; the last one ends the list.
std::vector<std::size_t> team_bounds(const std::vector<Item>& items) {
  std::vector<std::size_t> bounds;
  std::int64_t words = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    words += items[i].lag() + strip_words;
    if (bounds.empty() || words > team_words || i - bounds.back() == most_items_in_team) {
      bounds.push_back(i);
      words = items[i].lag() + strip_words;
    }
  }
  bounds.push_back(items.size());
  return bounds;
}

std::vector<Team> make_teams(std::span<const SweepStep> steps, std::uint32_t number) {
  std::vector<Item> items;
  for (const auto& step : steps) {
    if (step.first <= step.last) items.emplace_back(step, number);
    ++number;
  }
  const auto bounds = team_bounds(items);
  std::vector<Team> teams(bounds.size() - 1);
  for (std::size_t t = 0; t < teams.size(); ++t) {
    for (auto i = bounds[t]; i < bounds[t + 1]; ++i) add(teams[t], items[i]);
    teams[t].done_from = std::numeric_limits<std::int64_t>::max();
  }
  return teams;
}

// Waits until the team before has taken the words from `word` up.
void await(const Team& before, std::int64_t word) {
  for (unsigned spins = 0; before.done_from.load(std::memory_order_acquire) > word; ++spins)
    if (spins % 64 == 63) std::this_thread::yield();
}

// Asks for the words that the first item will read the strip after next, as they come from memory.
void prefetch_below(std::int64_t begin, const Item& first, const Word* reached) {
  begin -= first.lag() + 2 * strip_words;
  for (auto x = begin; begin >= 0 && x < begin + strip_words; x += lanes) __builtin_prefetch(reached + x, 0, 2);
}

void run_team(Team& team, const Team* before, const Vectors& vectors) {
  // Strips begin at multiples of their words, as far as the first item is concerned.
  const auto shift = round_up(std::max<std::int64_t>(0, -team.bottom), strip_words);
  const auto bottom = (team.bottom + shift) / strip_words * strip_words - shift;
  for (auto begin = (team.top + shift) / strip_words * strip_words - shift; begin >= bottom; begin -= strip_words) {
    if (before) await(*before, begin - team.items.front().lag() - lanes);
    prefetch_below(begin, team.items.front(), vectors.reached);
    for (std::size_t i = 0; i < team.items.size(); ++i) team.items[i].take(begin + team.ahead[i], vectors);
    team.done_from.store(begin + team.ahead.back(), std::memory_order_release);
  }
  if (before) await(*before, all_done);
  team.done_from.store(all_done, std::memory_order_release);
}

}  // namespace

void sweep_in_place(std::span<std::uint64_t> reached, std::span<std::uint32_t> first_item,
                    std::span<const SweepStep> steps, std::uint32_t item) {
  const Vectors vectors{reached.data(), first_item.empty() ? nullptr : first_item.data(), best_take_strip()};
  auto teams = make_teams(steps, item);
  std::atomic<std::size_t> next{0};
  // Threads take the teams in order, so that a team's predecessor is always done or at work.
  for_each_link(teams.size(), [&](std::size_t) {
    const auto t = next.fetch_add(1);
    run_team(teams[t], t == 0 ? nullptr : &teams[t - 1], vectors);
  });
}

}  // namespace clopt::openmp::subset_sum
