#include "slot_packer.hpp"

#include <shared/elementary/double.h>
#include <shared/exchange/search.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace clopt::exchange {
namespace {

/// Beginnings of paths, and ends of paths, that a move examines at most.
constexpr std::size_t most_ends = 40;
/// The temperature at the beginning of a slot, from which it falls to 0, in units of prices.
constexpr double first_temperature = 0.15 * LinkPrices::most;

std::uint32_t mixed(std::uint32_t word) {
  word = (word ^ word >> 16) * 0x85eb'ca6bU;
  return word ^ word >> 13;
}

}  // namespace

TransferPool::TransferPool(const Problem& problem, const Network& network)
    : nodes_(network.nodes()), parts_(std::size_t{nodes_} * nodes_, no_part), free_(parts_.size()) {
  for (const auto& transfer : problem.transfers) {
    parts_[place_of(transfer)] = 0;
    ++free_[place_of(transfer)];
  }
}

void TransferPool::share_out(std::uint32_t parts, std::uint64_t seed, std::uint32_t round) {
  const auto words = shared::random_at(seed, EXCHANGE_PURPOSE_SHARE, round, 0, 0);
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (parts_[i] != no_part) {
      const auto word = mixed(words.a + static_cast<std::uint32_t>(i) * 0x9e37'79b9U);
      parts_[i] = static_cast<std::uint8_t>(shared::uniform_below(mixed(word ^ words.b), parts));
    }
}

void TransferPool::remove(const Transfer& transfer) {
  if (free_[place_of(transfer)] == 0) parts_[place_of(transfer)] = no_part;
}

SlotPacker::SlotPacker(const Network& network)
    : network_(network), holder_(network.links().size()), free_(holder_.size()), place_(holder_.size()) {}

std::vector<SlotPacker::Path> SlotPacker::fill(const LinkPrices& prices, TransferPool& pool, std::uint32_t part,
                                               const Address& address, std::uint32_t moves) {
  prices_ = &prices;
  pool_ = &pool;
  paths_.clear();
  spare_.clear();
  std::fill(holder_.begin(), holder_.end(), none);
  free_.resize(holder_.size());
  std::iota(free_.begin(), free_.end(), 0U);
  place_ = free_;
  for (std::uint32_t number = 0; number < moves && !free_.empty(); ++number) move(address, part, number, moves);
  std::erase_if(paths_, [](const Path& path) { return path.links.empty(); });
  return std::exchange(paths_, {});
}

void SlotPacker::move(const Address& address, std::uint32_t part, std::uint32_t number, std::uint32_t moves) {
  const auto random = shared::random_at(address.seed, EXCHANGE_PURPOSE_PACK, address.attempt, address.slot, number);
  const auto link = draw_link(random.a, random.b);
  find_begins(link);
  find_ends(link);
  Candidate best{};
  if (!find_best(part, random.c, best)) return;
  if (best.gain < 0) {
    const double temperature = first_temperature * (1 - static_cast<double>(number) / moves);
    if (random.d * 0x1p-32 >= shared::clopt_exp_double(best.gain / temperature)) return;
  }
  put(link, best);
}

// The one of two free links with the higher price.
std::uint32_t SlotPacker::draw_link(std::uint32_t a, std::uint32_t b) const {
  const auto links = static_cast<std::uint32_t>(free_.size());
  const auto one = free_[shared::uniform_below(a, links)];
  const auto other = free_[shared::uniform_below(b, links)];
  return prices_->of_link(one) >= prices_->of_link(other) ? one : other;
}

// A further end goes over a free link, or over one of the only path that is ejected on this side.
void SlotPacker::add_end(std::vector<End>& ends, std::uint32_t inner, std::uint32_t node, std::uint32_t link) {
  const auto holder = holder_[link];
  const auto& from = ends[inner];
  if (holder != none && from.ejected != none && from.ejected != holder) return;
  ends.push_back({node, inner, link, from.length + 1, holder != none ? holder : from.ejected});
}

// Of parallel channels, the first free one is tried, or else the first.
bool SlotPacker::is_taken_of_parallel(std::uint32_t link) const {
  const auto& links = network_.links();
  const auto has_equal_before = [&](std::uint32_t number) { return number > 0 && links[number - 1] == links[number]; };
  bool is_first = true;
  for (auto before = link; has_equal_before(before); --before) {
    is_first = false;
    if (holder_[before - 1] == none) return false;
  }
  if (is_first && holder_[link] != none)
    for (auto next = link + 1; next < links.size() && links[next] == links[link]; ++next)
      if (holder_[next] == none) return false;
  return is_first || holder_[link] == none;
}

void SlotPacker::find_begins(std::uint32_t link) {
  const auto& [from, to] = network_.links()[link];
  begins_.assign(1, {from, none, 0, 0, none});
  for (std::uint32_t i = 0; i < begins_.size() && begins_.size() < most_ends; ++i)
    for (const auto in : network_.in_links(begins_[i].node)) {
      const auto node = network_.links()[in].from;
      if (network_.distance(node, to) == begins_[i].length + 2 && is_taken_of_parallel(in))
        add_end(begins_, i, node, in);
    }
}

void SlotPacker::find_ends(std::uint32_t link) {
  const auto& [from, to] = network_.links()[link];
  ends_.assign(1, {to, none, 0, 0, none});
  for (std::uint32_t i = 0; i < ends_.size() && ends_.size() < most_ends; ++i) {
    const auto last = ends_[i].node;
    for (auto out = network_.first_out(last); out < network_.first_out(last + 1); ++out) {
      const auto node = network_.links()[out].to;
      if (network_.distance(from, node) == ends_[i].length + 2 && is_taken_of_parallel(out))
        add_end(ends_, i, node, out);
    }
  }
}

std::int32_t SlotPacker::price_of(std::uint32_t path) const {
  return path == none ? 0 : prices_->of_transfer(paths_[path].transfer.from, paths_[path].transfer.to);
}

// The transfer that gains most, and of those that gain as much any one.
bool SlotPacker::find_best(std::uint32_t part, std::uint32_t random, Candidate& best) {
  bool found = false;
  std::uint32_t best_rank = 0;
  // What they lose is the same for each beginning.
  losses_.clear();
  for (const auto& end : ends_) losses_.push_back(price_of(end.ejected));
  for (std::uint32_t i = 0; i < begins_.size(); ++i) {
    const auto& begin = begins_[i];
    const auto loss = price_of(begin.ejected);
    const auto* const parts = pool_->parts_from(begin.node);
    const auto* const free = pool_->free_from(begin.node);
    const auto* const distances = network_.distances().data() + std::size_t{begin.node} * network_.nodes();
    const auto* const prices = prices_->of_transfers(begin.node);
    for (std::uint32_t j = 0; j < ends_.size(); ++j) {
      const auto& end = ends_[j];
      if (parts[end.node] != part || free[end.node] == 0 || distances[end.node] != begin.length + 1 + end.length)
        continue;
      const auto gain = prices[end.node] - loss - (end.ejected != begin.ejected ? losses_[j] : 0);
      if (found && gain < best.gain) continue;
      const auto rank = mixed(random + i * 64 + j);
      if (found && gain == best.gain && rank < best_rank) continue;
      found = true;
      best_rank = rank;
      best = {gain, i, j};
    }
  }
  return found;
}

void SlotPacker::eject(std::uint32_t path) {
  for (const auto link : paths_[path].links) {
    holder_[link] = none;
    place_[link] = static_cast<std::uint32_t>(free_.size());
    free_.push_back(link);
  }
  pool_->give_back(paths_[path].transfer);
  paths_[path].links.clear();
  spare_.push_back(path);
}

void SlotPacker::put(std::uint32_t link, const Candidate& candidate) {
  const auto begin = begins_[candidate.begin];
  const auto end = ends_[candidate.end];
  if (begin.ejected != none) eject(begin.ejected);
  if (end.ejected != none && end.ejected != begin.ejected) eject(end.ejected);
  std::uint32_t number = static_cast<std::uint32_t>(paths_.size());
  if (spare_.empty()) {
    paths_.emplace_back();
  } else {
    number = spare_.back();
    spare_.pop_back();
  }
  auto& path = paths_[number];
  path.transfer = {begin.node, end.node};
  path.links.clear();
  for (auto i = candidate.begin; begins_[i].inner != none; i = begins_[i].inner) path.links.push_back(begins_[i].link);
  path.links.push_back(link);
  const auto middle = static_cast<std::ptrdiff_t>(path.links.size());
  for (auto i = candidate.end; ends_[i].inner != none; i = ends_[i].inner) path.links.push_back(ends_[i].link);
  std::reverse(path.links.begin() + middle, path.links.end());
  pool_->take(path.transfer);
  for (const auto each : path.links) {
    holder_[each] = number;
    free_[place_[each]] = free_.back();
    place_[free_.back()] = place_[each];
    free_.pop_back();
  }
}

}  // namespace clopt::exchange
