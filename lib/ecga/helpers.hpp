/// \file
/// Further devices that count their parts of the population.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slice_counter.hpp"

namespace clopt::ecga {

/// One of several devices failed; the others can share its part.
class HelperFailure : public DeviceError {
 public:
  HelperFailure(std::size_t helper, const std::string& message) : DeviceError(message), helper_(helper) {}
  std::size_t helper() const { return helper_; }

 private:
  std::size_t helper_;
};

/// The devices that help the one that has the population. All functions but share() and drop() throw HelperFailure.
class Helpers {
 public:
  /// \param device, queue of the one that is helped.
  Helpers(Device& device, Queue& queue, const Shape& shape, Counting counting);

  bool empty() const { return slices_.empty(); }
  /// Words of each row that are left to the device that is helped.
  std::uint32_t own_words() const { return own_words_; }
  /// Shares the rows among these devices and the one that is helped. A device without memory for its part is left out.
  void share(std::span<const std::shared_ptr<Device>> devices);
  /// Shares anew without one of them.
  void drop(std::size_t helper);

  /// Gives each its part of the loci's rows.
  void load(const Buffer<std::uint32_t>& rows);
  /// Begins to count; see SliceCounter.
  void count(std::span<const std::uint32_t> lists, std::span<const Product> products, const Tiles& tiles,
             std::uint32_t first_row, std::uint32_t end_row);
  /// Adds what was counted to a table of counts.
  void add_to(const Buffer<std::uint32_t>& counts, const Tiles& tiles, std::uint32_t first_row, std::uint32_t end_row);

 private:
  template <class Work>
  void for_each(const Work& work);

  Device& device_;
  Queue& queue_;
  Shape shape_;
  Counting counting_;
  std::uint32_t own_words_;
  std::vector<std::shared_ptr<Device>> devices_;
  std::vector<std::unique_ptr<SliceCounter>> slices_;
  Kernel<InOut<std::uint32_t>, In<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t> add_counts_;
  Buffer<std::uint32_t> others_counts_;
  std::vector<std::uint32_t> host_rows_;
};

}  // namespace clopt::ecga
