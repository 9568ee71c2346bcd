/// \file
/// Files of slices. Where the first byte is odd, the hash is made right, and where its next bit is set, the version
/// too.
#include <clopt/differential_evolution.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>
#include <clopt/genetic.hpp>
#include <clopt/shard.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <string>

#include "input_file.hpp"
#include "target.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace {

using namespace clopt;

template <class Function>
void refuses_or_takes(const Function& function) {
  try {
    function();
  } catch (const InvalidInput&) {
  }
}

void read_one(std::string_view input) {
  static fuzz::InputFile file;
  const auto first = fuzz::take_byte(input);
  std::string text(input);
  if (const auto place = text.find("VERSION"); (first & 2U) != 0 && place != text.npos)
    text.replace(place, 7, version());
  if ((first & 1U) != 0) {
    const auto hash = XXH3_128bits(text.data(), text.size());
    text += fmt::format(",\"hash\":\"{:016x}{:016x}\"}}\n", hash.high64, hash.low64);
  }
  refuses_or_takes([&] {
    const auto slice = read_slice(file.holding(text));
    const auto range = slice.range();
    fuzz::require(range.first + range.count <= slice.items, "a slice is within the items");
    refuses_or_takes([&] { differential_evolution::unpack(slice.result, range.count, 2); });
    refuses_or_takes([&] { genetic::merge({genetic::unpack(slice.result, range.count, 10)}, true); });
    refuses_or_takes([&] { ecga::unpack_runs(slice.result, std::min<std::uint64_t>(range.count, 100), 10); });
    SliceSet set;
    set.add(slice, "one");
    fuzz::require(write_slice(file.path(), slice).empty(), "a slice that was read can be written");
    refuses_or_takes([&] { set.add(read_slice(file.path()), "the same"); });
  });
}

const fuzz::Target slice_target{"slice", read_one};

}  // namespace
