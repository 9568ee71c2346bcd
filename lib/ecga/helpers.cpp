#include "helpers.hpp"

#include <algorithm>

namespace clopt::ecga {
namespace {

// Parts of rows are whole vectors of 512 bits.
constexpr std::uint32_t words_of_vector = 16;

}  // namespace

Helpers::Helpers(Device& device, Queue& queue, const Shape& shape, Counting counting)
    : device_(device), queue_(queue), shape_(shape), counting_(counting), own_words_(shape.row_words) {}

template <class Work>
void Helpers::for_each(const Work& work) {
  for (std::size_t helper = 0; helper < slices_.size(); ++helper) try {
      work(*slices_[helper]);
    } catch (const DeviceError& failure) {
      throw HelperFailure(helper, failure.what());
    }
}

void Helpers::share(std::span<const std::shared_ptr<Device>> devices) {
  devices_.assign(devices.begin(), devices.end());
  if (!add_counts_ && !devices.empty()) add_counts_ = device_.kernel(add_counts);
  const auto vectors = shape_.row_words / words_of_vector;
  for (bool is_complete = false; !is_complete;) {
    slices_.clear();
    const auto count = static_cast<std::uint32_t>(devices_.size()) + 1;
    const auto end_of = [&](std::uint32_t part) { return vectors * part / count * words_of_vector; };
    own_words_ = end_of(1) == 0 ? shape_.row_words : end_of(1);
    is_complete = true;
    for (std::uint32_t part = 1; part < count && own_words_ < shape_.row_words; ++part) try {
        slices_.push_back(std::make_unique<SliceCounter>(*devices_[part - 1], shape_, counting_, end_of(part),
                                                         end_of(part + 1) - end_of(part)));
      } catch (const DeviceError&) {
        devices_.erase(devices_.begin() + static_cast<std::ptrdiff_t>(part) - 1);
        is_complete = false;
        break;
      }
  }
}

void Helpers::drop(std::size_t helper) {
  auto devices = devices_;
  devices.erase(devices.begin() + static_cast<std::ptrdiff_t>(helper));
  share(devices);
}

void Helpers::load(const Buffer<std::uint32_t>& rows) {
  if (empty()) return;
  host_rows_.resize(std::size_t{shape_.length} * shape_.row_words);
  queue_.read(rows, std::span(host_rows_));
  for_each([&](SliceCounter& slice) { slice.load(host_rows_); });
}

void Helpers::count(std::span<const std::uint32_t> lists, std::span<const Product> products, const Tiles& tiles,
                    std::uint32_t first_row, std::uint32_t end_row) {
  for_each([&](SliceCounter& slice) { slice.count(lists, products, tiles, first_row, end_row); });
}

void Helpers::add_to(const Buffer<std::uint32_t>& counts, const Tiles& tiles, std::uint32_t first_row,
                     std::uint32_t end_row) {
  for (std::size_t helper = 0; helper < slices_.size(); ++helper) {
    const std::vector<std::uint32_t>* others = nullptr;
    try {
      others = &slices_[helper]->counts();
    } catch (const DeviceError& failure) {
      throw HelperFailure(helper, failure.what());
    }
    if (others_counts_.size() < others->size())
      others_counts_ = device_.buffer<std::uint32_t>("counts of others", others->size());
    queue_.write(others_counts_, *others);
    queue_.launch(add_counts_, Range{{end_row, end_row - first_row, 1}, {0, 1, 1}}, counts, others_counts_, first_row,
                  end_row, tiles.stride);
  }
}

}  // namespace clopt::ecga
