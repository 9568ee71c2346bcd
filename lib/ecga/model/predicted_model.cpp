#include "predicted_model.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include <device/transfer/read_in_pieces.hpp>
#include <device/verification/fault_detection.hpp>

namespace clopt::ecga {
namespace {

// Clashes that are listed; more mean that the blocks are far from right. On a processor a try takes as long as a few of
// the passes that it is to spare, so that only what is nearly right is mended.
constexpr std::uint32_t most_clashes = 4096;
constexpr std::uint32_t loci_for_a_clash_of_a_processor = 8;
constexpr std::uint32_t most_tries_of_a_processor = 4;
constexpr std::uint32_t most_tries_elsewhere = 16;
constexpr std::uint32_t usual_failures = 5;
constexpr std::uint32_t longest_rest = 8;
// With fewer blocks, a band is not worth the launches.
constexpr std::uint32_t fewest_blocks = 4;

void sort_by_gain(std::span<Edge> edges) {
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

}  // namespace

PredictedModel::PredictedModel(Device& device, const Dimensions& dimensions, DeviceCounter& counter,
                               const Logarithms& logarithms)
    : dimensions_(dimensions),
      counter_(counter),
      which_{0,
             0,
             0,
             0,
             dimensions.individuals,
             dimensions.row_words,
             dimensions.most_rows,
             dimensions.most_loci,
             most_clashes,
             dimensions.most_row_loci,
             logarithms.table[dimensions.individuals],
             logarithms.unit} {
  if (dimensions.most_row_loci < 2 || dimensions.most_loci < 2) return;
  const bool by_processor = device.info().kind == DeviceKind::cpu;
  most_tries_ = by_processor ? most_tries_of_a_processor : most_tries_elsewhere;
  most_clashes_ =
      by_processor ? std::min(dimensions.length / loci_for_a_clash_of_a_processor, most_clashes) : most_clashes;
  // There are no more trees than loci.
  room_for_trees_ = fast_memory<Tree>(device, "trees on the host", dimensions.length);
  ones_ = fast_memory<std::uint32_t>(device, "ones on the host", dimensions.length);
}

void PredictedModel::work_with(Peers& peers) {
  is_able_ = peers.least(can_check() ? 1 : 0) == 1;
  most_tries_ = static_cast<std::uint32_t>(peers.least(most_tries_));
  most_clashes_ = static_cast<std::uint32_t>(peers.least(most_clashes_));
}

void PredictedModel::expect(std::span<const std::vector<std::uint32_t>> groups) {
  groups_.clear();
  if (!can_check() || groups.size() == dimensions_.length) return;
  for (const auto& group : groups)
    if (group.size() > dimensions_.most_row_loci) return;
  groups_.assign(groups.begin(), groups.end());
  place_blocks();
}

// Blocks grow from the pairs of loci that gain the most.
void PredictedModel::expect(std::vector<Edge> edges) {
  if (!can_check()) return;
  sort_by_gain(edges);
  std::vector<std::uint32_t> block(dimensions_.length);
  std::iota(block.begin(), block.end(), 0U);
  std::vector<std::vector<std::uint32_t>> groups(dimensions_.length);
  for (std::uint32_t i = 0; i < dimensions_.length; ++i) groups[i] = {i};
  for (const auto& edge : edges) {
    auto into = block[edge.first];
    auto from = block[edge.second];
    if (into == from || groups[into].size() + groups[from].size() > dimensions_.most_row_loci) continue;
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

bool PredictedModel::is_due() {
  if (!can_check()) return false;
  if (rest_ == 0) return true;
  --rest_;
  return false;
}

// All rows of a block follow each other, those of single loci among them, so that products of blocks are rectangles.
void PredictedModel::place_blocks() {
  blocks_.blocks.clear();
  blocks_.lists.clear();
  auto row = dimensions_.length;
  blocks_.first_row = row;
  for (const auto& group : groups_) {
    const auto size = static_cast<std::uint32_t>(group.size());
    blocks_.blocks.push_back({static_cast<std::uint32_t>(blocks_.lists.size()), size, row});
    blocks_.lists.insert(blocks_.lists.end(), group.begin(), group.end());
    row += (1U << size) - 1;
  }
  blocks_.end_row = row;
  for (auto each = blocks_.first_row; each < row; ++each) blocks_.lists.push_back(each);
  ++blocks_.version;
}

double PredictedModel::row_pairs() const {
  const double rows = blocks_.end_row - blocks_.first_row;
  return rows * rows / 2;
}

Bands PredictedModel::cut() const {
  const auto count = static_cast<std::uint32_t>(groups_.size());
  // Blocks are of different sizes.
  std::vector<std::uint64_t> starts;
  for (std::uint32_t block = 0; block <= count; ++block) starts.push_back(blocks_.row_of(block) - blocks_.first_row);
  return counter_.devices().cut({count, 0, starts}, fewest_blocks, row_pairs(), true);
}

// A device that counts only some of the blocks still grows all trees, from the ones of all rows.
void PredictedModel::prepare_task(Bands bands) {
  const auto count = static_cast<std::uint32_t>(groups_.size());
  bands_ = std::move(bands);
  const bool is_shared = bands_.are_shared();
  trees_ = room_for_trees_.part(0, count);
  trees_read_ = ones_read_ = {};
  task_ = {};
  task_.most_listed = most_clashes;
  const auto which = [this](Band band, const Buffer<Edge>& clashes) {
    auto pairs = which_;
    pairs.fresh = band.begin;
    pairs.fresh_count = band.end - band.begin;
    pairs.most_edges = std::min(static_cast<std::uint32_t>(clashes.size() - 1), most_clashes);
    return pairs;
  };
  task_.prepare = [=, this](CountingDevices::Counter& counter) {
    auto& trees = *counter.trees;
    trees.take(blocks_);
    trees.make_rows(count);
    if (is_shared)
      counter.pairs->count_diagonal(blocks_.first_row, blocks_.end_row);
    else
      trees.count(blocks_, 0, count);
    trees.grow(which({0, count}, counter.lists[0]), counter.lists[0]);
  };
  task_.count = [=, this](CountingDevices::Counter& counter, Band band) {
    if (is_shared) counter.trees->count(blocks_, band.begin, band.end);
  };
  task_.find = [=](CountingDevices::Counter& counter, Band band, const Buffer<Edge>& clashes) {
    if (is_shared) counter.pairs->clear(clashes);
    counter.trees->check(which(band, clashes), clashes);
  };
  task_.keep_busy = [this] {
    const auto& own = counter_.devices().first();
    if (!trees_read_.state()) {
      trees_read_ = own.read_more(own.trees->trees(), trees_);
      ones_read_ = own.read_more(own.pairs->ones(), ones_);
    }
    if (keep_busy_ && !std::exchange(is_kept_busy_, true)) keep_busy_();
  };
  task_.are_sound = [this](std::size_t clashes, std::span<const Edge> listed) { return are_sound(clashes, listed); };
}

void PredictedModel::begin() {
  if (!can_check() || rest_ != 0 || !has_blocks() || !counter_.devices().may_count_ahead(row_pairs())) return;
  auto bands = cut();
  if (bands.are_shared()) return;
  prepare_task(std::move(bands));
  is_kept_busy_ = false;
  counter_.devices().begin(bands_.own.front(), task_);
}

void PredictedModel::count_blocks() {
  if (!counter_.devices().is_begun(task_)) prepare_task(cut());
  clash_count_ = counter_.devices().share(bands_, task_, false, true, clashes_);
  trees_read_.wait();
  ones_read_.wait();
  counter_.require_counts(ones());
  const auto count = static_cast<std::uint32_t>(groups_.size());
  for (std::uint32_t block = 0; block < count; ++block)
    if (!is_sound(trees_[block], static_cast<std::uint32_t>(groups_[block].size())))
      report_fault(counter_.devices().first().pairs->device(), "makes groups of loci that are not there");
}

// Whether the groups that remain of a tree have each locus of the block once.
bool PredictedModel::is_sound(const Tree& tree, std::uint32_t size) const {
  if (tree.count < size || tree.count >= 2 * size) return false;
  std::uint32_t seen = 0;
  for (std::uint32_t node = 0; node < tree.count; ++node) {
    if (tree.dead[node] != 0) continue;
    if (tree.subset[node] == 0 || (seen & tree.subset[node]) != 0) return false;
    seen |= tree.subset[node];
  }
  return seen == (1U << size) - 1;
}

// Whether clashes are of different blocks, and of loci that they have.
bool PredictedModel::are_sound(std::size_t count, std::span<const Edge> clashes) const {
  constexpr std::uint32_t blocks = (1U << ECGA_CLASH_SHIFT) - 1;
  const auto has = [&](std::uint32_t packed) {
    const auto block = packed & blocks;
    const auto part = packed >> ECGA_CLASH_SHIFT;
    return block < groups_.size() && part != 0 && part >> groups_[block].size() == 0;
  };
  const auto is_sound = [&](const Edge& clash) {
    return has(clash.first) && has(clash.second) && (clash.first & blocks) != (clash.second & blocks);
  };
  const auto nodes = std::uint64_t{ECGA_TREE_NODES} * groups_.size();
  return count <= nodes * nodes && std::all_of(clashes.begin(), clashes.end(), is_sound);
}

std::optional<Found> PredictedModel::verify(const std::function<bool()>& expired) {
  if (!counter_.devices().is_begun(task_)) is_kept_busy_ = false;
  for (std::uint32_t tries = 1; tries <= most_tries_; ++tries) {
    if (expired()) return std::nullopt;
    count_blocks();
    if (clash_count_ == 0) {
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
bool PredictedModel::join_clashing() {
  if (clash_count_ > most_clashes_) return false;
  sort_by_gain(clashes_);
  std::vector<char> is_changed(groups_.size(), 0);
  bool changed = false;
  for (const auto& clash : clashes_) {
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
bool PredictedModel::join(std::uint32_t one, std::uint32_t one_part, std::uint32_t other, std::uint32_t other_part) {
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
    if (static_cast<std::uint32_t>(std::popcount(first) + std::popcount(second)) > dimensions_.most_row_loci) continue;
    std::vector<std::uint32_t> joined;
    take(one, first, joined);
    take(other, second, joined);
    std::sort(joined.begin(), joined.end());
    groups_.push_back(std::move(joined));
    return true;
  }
  return false;
}

Found PredictedModel::take_trees() const {
  Found found;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const auto& tree = trees_[index];
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
