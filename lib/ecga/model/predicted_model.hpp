/// \file
/// A model that is predicted and only verified: most generations' models are made of the groups of the one before.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "device_counter.hpp"
#include "search.hpp"

namespace clopt::ecga {

/// Verifies on a device, without any pass over candidates on the host, that greedy search merges only within given
/// blocks of loci, and what it makes of each.
///
/// All rows of all blocks are counted against each other at once. Within a block a single work-item replays greedy from
/// these counts. A merge across blocks could only come first if it gained at least as much as the merges that end the
/// lives of its parts; that is checked for all pairs of groups that are ever made. Where none could, greedy over
/// everything makes exactly the blocks' merges, in whatever order: the model is the same bit for bit. Where one could,
/// blocks that belong together are joined and verified again, or there is no verdict.
class PredictedModel {
 public:
  /// \param counter whose devices it uses; what they counted before is lost.
  PredictedModel(Device& device, const Dimensions& dimensions, DeviceCounter& counter, const Logarithms& logarithms);

  /// Attempts what all can do, alike. To be called before anything else.
  void work_with(Peers& peers);
  /// Whether to attempt a forecast: the latest attempts did not fail too often. To be called once a generation.
  bool is_due();
  bool has_blocks() const { return !groups_.empty(); }
  /// Takes for blocks what the best pairs of loci grow together to.
  void expect(std::vector<Edge> edges);
  /// Takes a model's groups for blocks.
  void expect(std::span<const std::vector<std::uint32_t>> groups);
  /// Says what to call once in each verify(), or in the begin() before it, when the first device has all its work of a
  /// try: to give it more.
  void set_keep_busy(std::function<void()> keep_busy) { keep_busy_ = std::move(keep_busy); }
  /// Begins the first try of the next verify(), unless it is long or others have a part in it: to be called once the
  /// next population is selected, so that the device works while the host handles the generation.
  void begin();
  /// The model of the selected population, or none if it cannot be verified from the blocks.
  /// \param expired asked before each try; true ends it without a model.
  std::optional<Found> verify(const std::function<bool()>& expired);
  /// The blocks' loci, which the model is made of; ascending.
  const std::vector<std::vector<std::uint32_t>>& blocks() const { return groups_; }
  /// The ones of all loci, after verify() and until the next begin().
  std::span<const std::uint32_t> ones() const { return ones_; }

 private:
  bool can_check() const { return is_able_ && counter_.devices().first().trees->is_able(); }
  void place_blocks();
  double row_pairs() const;
  Bands cut() const;
  void prepare_task(Bands bands);
  void count_blocks();
  bool join_clashing();
  bool join(std::uint32_t one, std::uint32_t one_part, std::uint32_t other, std::uint32_t other_part);
  bool is_sound(const Tree& tree, std::uint32_t size) const;
  bool are_sound(std::size_t count, std::span<const Edge> clashes) const;
  Found take_trees() const;

  Dimensions dimensions_;
  DeviceCounter& counter_;
  Pairs which_;
  bool is_able_ = true;
  std::uint32_t most_tries_ = 1;
  std::uint32_t most_clashes_ = 0;

  std::vector<std::vector<std::uint32_t>> groups_;  // the blocks' loci, ascending; empty if there is no forecast
  BlockLists blocks_;
  HostArray<Tree> room_for_trees_;
  HostArray<Tree> trees_;
  std::vector<Edge> clashes_;
  std::size_t clash_count_ = 0;
  HostArray<std::uint32_t> ones_;
  Bands bands_;                     // of the try
  CountingDevices::BandTask task_;  // of it
  std::function<void()> keep_busy_;
  bool is_kept_busy_ = false;  // in this verify()
  Event trees_read_;
  Event ones_read_;
  std::uint32_t failures_ = 0;  // in succession
  std::uint32_t rest_ = 0;      // generations to let pass
};

}  // namespace clopt::ecga
