#include "forecast.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>

namespace clopt::ecga {
namespace {

// Clashes that are told; more mean that the blocks are far from right. On a processor a try takes as long as a few of
// the passes that it is to spare, so that only what is nearly right is mended.
constexpr std::uint32_t most_clashes = 4096;
constexpr std::uint32_t loci_for_a_clash_of_a_processor = 8;
constexpr std::uint32_t most_tries_of_a_processor = 4;
constexpr std::uint32_t most_tries_elsewhere = 16;
constexpr std::uint32_t usual_failures = 5;
constexpr std::uint32_t longest_rest = 8;

}  // namespace

Forecast::Forecast(Device& device, Queue& queue, const Shape& shape, DeviceCounter& counter,
                   const Logarithms& logarithms)
    : device_(device),
      queue_(queue),
      shape_(shape),
      counter_(counter),
      which_{0,
             0,
             0,
             0,
             shape.individuals,
             shape.row_words,
             shape.most_rows,
             shape.most_loci,
             most_clashes,
             shape.most_row_loci,
             logarithms.table[shape.individuals],
             logarithms.unit} {
  if (shape.most_row_loci < 2 || shape.most_loci < 2) return;
  const bool by_processor = device.info().kind == DeviceKind::cpu;
  most_tries_ = by_processor ? most_tries_of_a_processor : most_tries_elsewhere;
  most_clashes_ = by_processor ? std::min(shape.length / loci_for_a_clash_of_a_processor, most_clashes) : most_clashes;
  const auto begin = std::chrono::steady_clock::now();
  grow_trees_ = device.kernel(grow_trees);
  check_trees_ = device.kernel(check_trees);
  build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::size_t rows = shape.most_rows - shape.length;
  blocks_ = device.buffer<Block>("blocks", shape.length);
  lists_ = device.buffer<std::uint32_t>("lists of blocks", shape.length + rows);
  trees_ = device.buffer<Tree>("trees", shape.length);
  clashes_ = device.buffer<Edge>("clashes", most_clashes + 1);
  host_clashes_.resize(most_clashes + 1);
  ones_.resize(shape.length);
}

void Forecast::expect(std::span<const std::vector<std::uint32_t>> groups) {
  groups_.clear();
  if (!can_check() || groups.size() == shape_.length) return;
  for (const auto& group : groups)
    if (group.size() > shape_.most_row_loci) return;
  groups_.assign(groups.begin(), groups.end());
  place_blocks();
}

// Blocks grow from the pairs of loci that gain the most.
void Forecast::expect(std::vector<Edge> edges) {
  if (!can_check()) return;
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  std::vector<std::uint32_t> block(shape_.length);
  std::iota(block.begin(), block.end(), 0U);
  std::vector<std::vector<std::uint32_t>> groups(shape_.length);
  for (std::uint32_t i = 0; i < shape_.length; ++i) groups[i] = {i};
  for (const auto& edge : edges) {
    auto into = block[edge.first];
    auto from = block[edge.second];
    if (into == from || groups[into].size() + groups[from].size() > shape_.most_row_loci) continue;
    if (groups[into].size() < groups[from].size()) std::swap(into, from);
    for (const auto locus : groups[from]) {
      block[locus] = into;
      groups[into].push_back(locus);
    }
    groups[from].clear();
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  for (auto& group : groups) std::sort(group.begin(), group.end());
  groups_ = std::move(groups);
  place_blocks();
}

bool Forecast::can_check() const {
  return grow_trees_ && grow_trees_.max_group_size() >= forecast_group &&
         check_trees_.max_group_size() >= forecast_group;
}

bool Forecast::is_due() {
  if (!can_check()) return false;
  if (rest_ == 0) return true;
  --rest_;
  return false;
}

// All rows of a block follow each other, those of single loci among them, so that products of blocks are rectangles.
// What is written stays as it is until verify() has read the answer.
void Forecast::place_blocks() {
  host_blocks_.clear();
  host_lists_.clear();
  host_products_.clear();
  auto row = shape_.length;
  for (const auto& group : groups_) {
    const auto size = static_cast<std::uint32_t>(group.size());
    const auto loci = static_cast<std::uint32_t>(host_lists_.size());
    host_blocks_.push_back({loci, size, row});
    host_lists_.insert(host_lists_.end(), group.begin(), group.end());
    for (std::uint32_t subset = 1; subset < 1U << size; ++subset) host_products_.push_back({loci, subset});
    row += (1U << size) - 1;
  }
  for (auto each = shape_.length; each < row; ++each) host_lists_.push_back(each);
  queue_.write_later(blocks_, host_blocks_);
  queue_.write_later(lists_, host_lists_);
  which_.fresh_count = static_cast<std::uint32_t>(groups_.size());
}

void Forecast::launch() {
  const auto count = static_cast<std::uint64_t>(groups_.size());
  counter_.count_blocks(blocks_, which_.fresh_count, {lists_, host_lists_, host_products_}, shape_.length);
  queue_.launch(grow_trees_, Range::of_groups(count, forecast_group), counter_.counts(), blocks_, lists_,
                counter_.logarithms(), counter_.ones(), trees_, clashes_, which_);
  queue_.launch(check_trees_, Range{{count * forecast_group, count, 1}, {forecast_group, 1, 1}}, counter_.counts(),
                blocks_, trees_, counter_.logarithms(), clashes_, which_);
  host_trees_.resize(groups_.size());
  queue_.read_later(trees_, std::span(host_trees_));
  queue_.read_later(counter_.ones(), std::span(ones_));
  queue_.read(clashes_, std::span(host_clashes_).first(1));
}

std::optional<Found> Forecast::verify(const std::function<bool()>& expired) {
  for (std::uint32_t tries = 1; tries <= most_tries_; ++tries) {
    if (expired()) return std::nullopt;
    launch();
    if (host_clashes_.front().first == 0) {
      failures_ = 0;
      auto found = take_trees();
      found.passes = tries;
      return found;
    }
    if (tries == most_tries_ || !join_clashing()) break;
    place_blocks();
  }
  groups_.clear();
  // The first models differ from one generation to the next.
  ++failures_;
  rest_ = failures_ < usual_failures ? 0 : std::min(failures_ - usual_failures + 1, longest_rest);
  return std::nullopt;
}

// Puts loci together that clash, those that gain the most first. False where none fit into a block.
bool Forecast::join_clashing() {
  const auto count = host_clashes_.front().first;
  if (count > most_clashes_) return false;
  queue_.read(clashes_, std::span(host_clashes_).first(count + 1));
  const auto clashes = std::span(host_clashes_).subspan(1, count);
  std::sort(clashes.begin(), clashes.end(), [](const Edge& a, const Edge& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  std::vector<char> is_changed(groups_.size(), 0);
  bool changed = false;
  for (const auto& clash : clashes) {
    constexpr std::uint32_t blocks = (1U << ECGA_CLASH_SHIFT) - 1;
    const auto one = clash.first & blocks;
    const auto other = clash.second & blocks;
    if (is_changed[one] != 0 || is_changed[other] != 0) continue;
    if (!join(one, clash.first >> ECGA_CLASH_SHIFT, other, clash.second >> ECGA_CLASH_SHIFT)) continue;
    is_changed[one] = is_changed[other] = 1;
    changed = true;
  }
  std::erase_if(groups_, [](const auto& group) { return group.empty(); });
  return changed;
}

// Whole blocks if they fit together; else the part that clashes changes its block, or both parts make a new one.
bool Forecast::join(std::uint32_t one, std::uint32_t one_part, std::uint32_t other, std::uint32_t other_part) {
  const auto take = [&](std::uint32_t block, std::uint32_t part, std::vector<std::uint32_t>& into) {
    std::vector<std::uint32_t> rest;
    for (std::size_t s = 0; s < groups_[block].size(); ++s)
      ((part >> s & 1U) != 0 ? into : rest).push_back(groups_[block][s]);
    groups_[block] = std::move(rest);
  };
  const auto whole = [&](std::uint32_t block) { return (1U << groups_[block].size()) - 1; };
  const std::uint32_t choices[][2] = {
      {whole(one), whole(other)}, {whole(one), other_part}, {one_part, whole(other)}, {one_part, other_part}};
  for (const auto& [first, second] : choices) {
    if (static_cast<std::uint32_t>(std::popcount(first) + std::popcount(second)) > shape_.most_row_loci) continue;
    std::vector<std::uint32_t> joined;
    take(one, first, joined);
    take(other, second, joined);
    std::sort(joined.begin(), joined.end());
    groups_.push_back(std::move(joined));
    return true;
  }
  return false;
}

Found Forecast::take_trees() const {
  Found found;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const auto& tree = host_trees_[index];
    const auto& loci = groups_[index];
    found.gain += tree.gain;
    found.merges += tree.count - static_cast<std::uint32_t>(loci.size());
    for (std::uint32_t node = 0; node < tree.count; ++node) {
      if (tree.dead[node] != 0) continue;
      auto& group = found.groups.emplace_back();
      for (std::size_t s = 0; s < loci.size(); ++s)
        if ((tree.subset[node] >> s & 1U) != 0) group.push_back(loci[s]);
    }
  }
  return found;
}

}  // namespace clopt::ecga
