#include "pair_division.hpp"

#include <algorithm>
#include <numeric>

namespace clopt::ecga {
namespace {

// The weights' sum, about: its product with a table's pairs is to fit 64 bits.
constexpr std::uint64_t whole_weight = std::uint64_t{1} << 16;
constexpr std::uint64_t highest_rate = std::uint64_t{1} << 40;

std::uint64_t rate_of(std::uint64_t twice_pairs, double seconds) {
  const double rate = static_cast<double>(twice_pairs) / std::max(seconds, 1e-6);
  return static_cast<std::uint64_t>(std::clamp(rate, 1.0, static_cast<double>(highest_rate)));
}

}  // namespace

PairDivision::PairDivision(Peers& peers, std::uint64_t devices) : peers_(peers) {
  std::vector<std::uint64_t> rates;
  for (const auto& text : peers.gather(encode(devices))) rates.push_back(decode<std::uint64_t>(text));
  set_weights(rates);
}

// Half of what a rank's weight was before stays, so that one that is held up once keeps its part.
void PairDivision::set_weights(const std::vector<std::uint64_t>& rates) {
  const auto sum = std::accumulate(rates.begin(), rates.end(), std::uint64_t{0});
  const bool are_first = weights_.empty();
  weights_.resize(rates.size());
  for (std::size_t rank = 0; rank < rates.size(); ++rank) {
    const auto weight = rates[rank] * whole_weight / sum;
    weights_[rank] = std::max<std::uint64_t>(are_first ? weight : (weights_[rank] + weight) / 2, 1);
  }
}

std::uint32_t Table::find(std::uint64_t twice_pairs, std::uint32_t least, std::uint32_t most) const {
  while (least < most) {
    const auto middle = least + (most - least) / 2;
    if (twice_pairs_before(middle) >= twice_pairs)
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

// Each rank ends where it and those before it have their share, but leaves enough for those that follow.
Band PairDivision::own(const Table& table, std::uint32_t fewest) const {
  const auto sum = std::accumulate(weights_.begin(), weights_.end(), std::uint64_t{0});
  const auto following = static_cast<std::uint32_t>(weights_.size() - 1);
  Band part{0, 0};
  std::uint64_t weight = 0;
  for (std::uint32_t rank = 0; rank <= peers_.place(); ++rank) {
    weight += weights_[rank];
    const auto share = table.twice_pairs() / sum * weight + table.twice_pairs() % sum * weight / sum;
    part = {part.end, table.find(share, part.end + fewest, table.count - (following - rank) * fewest)};
  }
  return {part.begin, peers_.place() == following ? table.count : part.end};
}

std::size_t PairDivision::join(std::uint64_t twice_pairs, double seconds, std::size_t count, std::vector<Edge>& edges) {
  const auto texts = peers_.gather(encode(rate_of(twice_pairs, seconds), count, edges));
  std::vector<std::uint64_t> rates;
  count = 0;
  for (std::size_t place = 0; place < texts.size(); ++place) {
    ByteReader text(texts[place]);
    rates.push_back(text.take<std::uint64_t>());
    count += text.take<std::size_t>();
    if (place == peers_.place()) continue;
    const auto more = text.take<std::vector<Edge>>();
    edges.insert(edges.end(), more.begin(), more.end());
  }
  set_weights(rates);
  return count;
}

}  // namespace clopt::ecga
