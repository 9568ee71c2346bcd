#include "matrix_units.hpp"

#include <clopt/detail/cache.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/device_key.hpp>
#include <ecga/operations.hpp>

#include <bit>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace clopt::ecga {
namespace {

constexpr std::string_view kind = "ecga-matrix-units";
constexpr std::uint32_t rows = 45;  // more than a tile
constexpr std::uint32_t row_words = 48;

// Two layers, of which the first counts twice.
constexpr std::uint32_t first_layer_words = 16;

bool counts_right(Device& device) {
  const auto kernel = device.kernel<operations::CountPairsMatrix>(matrix_program());
  if (kernel.max_group_size() < matrix_group) return false;
  std::vector<std::uint32_t> words(rows * row_words);
  std::uint32_t state = 1;
  for (auto& word : words) {
    state = state * 1664525 + 1013904223;
    word = shared::ecga_mix(state);
  }
  std::vector<std::uint32_t> lists(rows);
  std::iota(lists.begin(), lists.end(), 0U);
  const auto on_device = device.buffer<std::uint32_t>("rows", words.size());
  const auto list = device.buffer<std::uint32_t>("lists", rows);
  const auto counts = device.buffer<std::uint32_t>("counts", rows * rows);
  const auto queue = device.queue();
  queue->write(on_device, words);
  queue->write(list, lists);
  queue->fill(counts, 0U);
  const auto totals = device.buffer<std::uint32_t>("layers", 2);
  const std::uint32_t individuals[] = {32 * (row_words - first_layer_words), 32 * first_layer_words};
  queue->write(totals, individuals);
  const Tiles tiles{0, rows, 0, rows, row_words, 2, 1, rows};
  queue->launch(kernel, tiles_range(tiles, matrix_group),
                {.rows = on_device, .lists = list, .totals = totals, .counts = counts, .tiles = tiles});
  std::vector<std::uint32_t> found(rows * rows);
  queue->read(counts, std::span(found));
  for (std::uint32_t p = 0; p < rows; ++p)
    for (std::uint32_t q = 0; q <= p; ++q) {
      std::uint32_t ones = 0;
      for (std::uint32_t x = 0; x < row_words; ++x)
        ones += static_cast<std::uint32_t>(std::popcount(words[p * row_words + x] & words[q * row_words + x])) *
                (x < first_layer_words ? 2 : 1);
      if (found[p * rows + q] != ones) return false;
    }
  return true;
}

}  // namespace

// Inline PTX is only given to a compiler that took some for sub-groups.
bool may_have_matrix_units(Device& device) {
  return device.info().kind == DeviceKind::gpu && device.subgroup().provider == SubgroupProvider::ptx &&
         Cache::instance().load(kind, device_key(device.info())) != "no";
}

bool has_matrix_units(Device& device) {
  if (!may_have_matrix_units(device)) return false;
  const auto key = device_key(device.info());
  if (const auto known = Cache::instance().load(kind, key)) return *known == "yes";
  bool answer = false;
  try {
    answer = counts_right(device);
  } catch (const DeviceError&) {
    // It does not build, or not run: there are none.
  }
  Cache::instance().store(kind, key, answer ? "yes" : "no");
  return answer;
}

}  // namespace clopt::ecga
