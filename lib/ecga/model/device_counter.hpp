/// \file
/// Counts pairs of groups on devices.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ecga/dimensions.hpp>
#include "counting_devices.hpp"
#include "logarithms.hpp"
#include "search.hpp"

namespace clopt::ecga {

/// With fewer ranks, sharing the passes of a search makes them longer, where groups have rows: a rank that does not
/// know the counts of others counts three rows of four again in each pass.
inline constexpr std::size_t fewest_ranks_of_searches = 6;

/// Pairs of groups of the selected population.
///
/// Every group of at most Dimensions::most_row_loci loci has a row, of a bit for each individual, for each subset of
/// its loci. Rows of a union that were rows of its parts stay; the others are new. The ones of the ands of all pairs of
/// rows are kept in a triangle of counts; a pair's pattern counts follow from these by a Moebius transform. One device
/// counts each product once in a generation. Several share out bands of pairs, and each counts what its bands need.
class DeviceCounter : public PairCounter {
 public:
  /// \param queue that all work on the first device goes through, also that of others on the same buffers.
  DeviceCounter(Device& device, Queue& queue, const Dimensions& dimensions, Counting counting,
                const Logarithms& logarithms);

  /// Lets further devices count too. To be called before begin().
  void share_with(std::span<const std::shared_ptr<Device>> devices, std::optional<double> least_shared) {
    devices_.add(devices, least_shared);
  }
  CountingDevices& devices() { return devices_; }
  const CountingDevices& devices() const { return devices_; }

  /// The selected population's rows on the first device, one for each locus: to be written before begin().
  const Buffer<std::uint32_t>& rows() const { return devices_.first().pairs->rows(); }
  /// How often each individual was selected; all 0 at first, and again after select().
  const Buffer<std::uint32_t>& copies() const { return copies_; }
  /// Individuals of each layer: to be set to 0 before select().
  const Buffer<std::uint32_t>& totals() const { return devices_.first().pairs->totals(); }
  /// Makes the loci's counted rows of the selected individuals: to be called before begin(), or before blocks are
  /// counted.
  void select(const Buffer<std::uint32_t>& population);
  /// \throws DeviceError naming the first device where a number of individuals is none.
  void require_counts(std::span<const std::uint32_t> counts) const;
  /// Counts the ones of each locus; \returns them. What was counted before is forgotten.
  const std::vector<std::uint32_t>& begin();
  /// What begin() returned.
  const std::vector<std::uint32_t>& last_ones() const { return host_ones_; }
  /// N times the entropy of each locus, in units.
  std::vector<std::int64_t> entropies() const;
  /// The loci that may merge: neither constant nor so nearly so that no merge can gain; ascending.
  std::vector<std::uint32_t> active_loci() const;

  void count_loci(std::span<const std::uint32_t> loci, std::vector<Edge>& edges) override;
  /// The same where no unions are counted after it.
  void count_loci_only(std::span<const std::uint32_t> loci, std::vector<Edge>& edges);
  void count_unions(std::span<const Union> unions, std::span<const std::uint32_t> partners,
                    std::vector<Edge>& edges) override;
  std::size_t affordable(std::span<const Union> unions) const override;
  void take(std::uint32_t group) override;

  /// What the first count_loci() took.
  double first_pass_seconds() const { return first_pass_seconds_; }

 private:
  bool has_rows() const { return dimensions_.most_row_loci > 0; }
  bool ranks_share_searches() const;
  void count_loci(std::span<const std::uint32_t> loci, std::vector<Edge>& edges, bool among_ranks);
  std::uint32_t new_rows(std::uint32_t one, std::uint32_t other) const;
  void add_group(const Union& parts);
  void place_groups(std::span<const std::uint32_t> groups);
  void mark_rows(std::span<const std::uint32_t> groups);
  void list_marked_rows(std::uint32_t first_row);
  Pairs pairs(std::uint32_t fresh, std::uint32_t fresh_count, std::size_t partners, std::size_t partner_count) const;
  double row_pairs(double first, double second) const;
  bool are_sound(std::uint64_t most, std::size_t count, std::span<const Edge> edges) const;
  void prepare(CountingDevices::Counter& counter);
  CountingDevices::BandTask task_of_new_rows(const Pairs& which, std::uint32_t first_new);
  CountingDevices::BandTask task_of_bands(const Pairs& which, std::span<const Band> bands);

  Queue& queue_;
  Dimensions dimensions_;
  const Logarithms& logarithms_;
  double first_pass_seconds_ = 0;

  Buffer<std::uint32_t> copies_;
  Buffer<std::uint32_t> chosen_;
  Kernel<operations::CountOnes> count_ones_;
  Kernel<operations::ListLayers> list_layers_;
  Kernel<operations::SelectLayers> select_layers_;

  std::vector<std::uint32_t> host_ones_;
  GroupLists made_;
  std::vector<std::uint32_t> own_rows_;  // of each group: how many rows it brought
  std::vector<char> is_used_;            // rows of a pass
  std::vector<std::uint32_t> position_;  // of loci, so that groups are intervals
  std::uint32_t rows_used_ = 0;
  std::uint32_t rows_taken_ = 0;  // by unions that are not predicted
  std::uint32_t merges_ = 0;
  bool has_large_ = false;
  bool is_shared_ = false;  // no device has all counts of this generation
  CountingDevices devices_;
};

}  // namespace clopt::ecga
