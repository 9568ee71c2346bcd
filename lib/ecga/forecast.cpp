#include "forecast.hpp"

#include <algorithm>
#include <chrono>

namespace clopt::ecga {
namespace {

// Clashes that are looked at; more mean that the blocks are far from right.
constexpr std::uint32_t most_clashes = 4096;
constexpr std::uint32_t most_tries = 6;
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
  const auto begin = std::chrono::steady_clock::now();
  grow_trees_ = device.kernel(grow_trees);
  check_trees_ = device.kernel(check_trees);
  build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::size_t rows = shape.most_rows - shape.length;
  blocks_ = device.buffer<Block>("blocks", shape.length);
  lists_ = device.buffer<std::uint32_t>("lists of blocks", shape.length + rows);
  products_ = device.buffer<Product>("products of blocks", rows);
  trees_ = device.buffer<Tree>("trees", shape.length);
  clashes_ = device.buffer<Edge>("clashes", most_clashes + 1);
  host_clashes_.resize(most_clashes + 1);
  ones_.resize(shape.length);
}

void Forecast::expect(std::span<const std::vector<std::uint32_t>> groups) {
  groups_.clear();
  if (!grow_trees_ || grow_trees_.max_group_size() < forecast_group ||
      check_trees_.max_group_size() < forecast_group || groups.size() == shape_.length)
    return;
  for (const auto& group : groups)
    if (group.size() > shape_.most_row_loci) return;
  groups_.assign(groups.begin(), groups.end());
  place_blocks();
}

bool Forecast::is_ready() {
  if (groups_.empty()) return false;
  if (rest_ == 0) return true;
  --rest_;
  return false;
}

// All rows of a block follow each other, those of single loci among them, so that products of blocks are rectangles.
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
  queue_.write(products_, host_products_);
  which_.fresh_count = static_cast<std::uint32_t>(groups_.size());
}

void Forecast::launch() {
  counter_.count_products({lists_, host_lists_, products_, host_products_}, shape_.length);
  const auto count = static_cast<std::uint64_t>(groups_.size());
  queue_.launch(grow_trees_, Range::of_groups(count, forecast_group), counter_.counts(), blocks_, lists_,
                counter_.logarithms(), counter_.ones(), trees_, clashes_, which_);
  queue_.launch(check_trees_, Range{{count * forecast_group, count, 1}, {forecast_group, 1, 1}}, counter_.counts(),
                blocks_, trees_, counter_.logarithms(), clashes_, which_);
  host_trees_.resize(groups_.size());
  queue_.read_later(trees_, std::span(host_trees_));
  queue_.read_later(counter_.ones(), std::span(ones_));
 queue_.read(clashes_, std::span(host_clashes_).first(1));
}

std::optional<Found> Forecast::verify() {
  for (std::uint32_t tries = 1; tries <= most_tries; ++tries) {
    launch();
    if (host_clashes_.front().first == 0) {
      failures_ = 0;
      auto found = take_trees();
      found.passes = tries;
      return found;
    }
    if (!join_clashing()) break;
    place_blocks();
  }
  groups_.clear();
  // The first models differ from one generation to the next.
  ++failures_;
  rest_ = failures_ < usual_failures ? 0 : std::min(failures_ - usual_failures + 1, longest_rest);
  return std::nullopt;
}

// Joins blocks that clash, those that gain the most first. False where some cannot be joined.
bool Forecast::join_clashing() {
  const auto count = host_clashes_.front().first;
  if (count > most_clashes) return false;
  queue_.read(clashes_, std::span(host_clashes_).first(count + 1));
  const auto clashes = std::span(host_clashes_).subspan(1, count);
  std::sort(clashes.begin(), clashes.end(), [](const Edge& a, const Edge& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  std::vector<char> is_joined(groups_.size(), 0);
  for (const auto& clash : clashes) {
    if (is_joined[clash.first] != 0 || is_joined[clash.second] != 0) continue;
    auto& into = groups_[clash.first];
    auto& from = groups_[clash.second];
    if (into.size() + from.size() > shape_.most_row_loci) return false;
    into.insert(into.end(), from.begin(), from.end());
    std::sort(into.begin(), into.end());
    from.clear();
    is_joined[clash.first] = is_joined[clash.second] = 1;
  }
  std::erase_if(groups_, [](const auto& group) { return group.empty(); });
  return true;
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
