/// \file
/// A model that is foreseen and only verified: most generations' models are made of the groups of the one before.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
class Forecast {
 public:
  /// \param counter whose rows, counts and tables it uses; what it counted before is lost.
  Forecast(Device& device, Queue& queue, const Shape& shape, DeviceCounter& counter, const Logarithms& logarithms);

  /// Whether it is worth a try: tries did not fail often of late. To be asked once a generation.
  bool is_due();
  bool has_blocks() const { return !groups_.empty(); }
  /// Takes for blocks what the best pairs of loci grow together to.
  void expect(std::vector<Edge> edges);
  /// Takes a model's groups for blocks.
  void expect(std::span<const std::vector<std::uint32_t>> groups);
  /// The model of the selected population, or none if the blocks do not tell.
  /// \param expired asked before each try; true ends it without a model.
  std::optional<Found> verify(const std::function<bool()>& expired);
  /// The ones of all loci, after verify().
  const std::vector<std::uint32_t>& ones() const { return ones_; }
  double build_seconds() const { return build_seconds_; }

 private:
  bool can_check() const;
  void place_blocks();
  void launch();
  bool join_clashing();
  bool join(std::uint32_t one, std::uint32_t one_part, std::uint32_t other, std::uint32_t other_part);
  Found take_trees() const;

  Device& device_;
  Queue& queue_;
  Shape shape_;
  DeviceCounter& counter_;
  Pairs which_;
  double build_seconds_ = 0;
  std::uint32_t most_tries_ = 1;
  std::uint32_t most_clashes_ = 0;
  Kernel<In<std::uint32_t>, In<Block>, In<std::uint32_t>, In<std::int64_t>, InOut<std::uint32_t>, InOut<Tree>,
         InOut<Edge>, Pairs>
      grow_trees_;
  Kernel<In<std::uint32_t>, In<Block>, In<Tree>, In<std::int64_t>, InOut<Edge>, Pairs> check_trees_;
  Buffer<Block> blocks_;
  Buffer<std::uint32_t> lists_;
  Buffer<Tree> trees_;
  Buffer<Edge> clashes_;

  std::vector<std::vector<std::uint32_t>> groups_;  // the blocks' loci, ascending; empty if there is no forecast
  std::vector<Block> host_blocks_;
  std::vector<std::uint32_t> host_lists_;
  std::vector<Product> host_products_;
  std::vector<Tree> host_trees_;
  std::vector<Edge> host_clashes_;
  std::vector<std::uint32_t> ones_;
  std::uint32_t failures_ = 0;  // in succession
  std::uint32_t rest_ = 0;      // generations to let pass
};

}  // namespace clopt::ecga
