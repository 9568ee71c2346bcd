/// \file
/// Records of the cache. Where the first byte is odd, the input is what follows the hash, which is made right.
#include <clopt/detail/cache.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "input_file.hpp"
#include "target.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace {

using namespace clopt;

/// A cache of one record, whose file is overwritten.
struct OneRecord {
  test::Folder folder;
  Cache cache{folder.path()};
  std::filesystem::path file;

  OneRecord() {
    cache.store("fuzz", "key", "content");
    file = cache.entries().at(0).file;
  }
};

void load_record(std::string_view input) {
  static OneRecord one;
  const bool is_body = fuzz::take_byte(input) % 2 == 1;
  std::string record(input);
  if (is_body) {
    const auto hash = XXH3_128bits(input.data(), input.size());
    record = fmt::format("clopt-cache-1\n{:016x}{:016x}\n", hash.high64, hash.low64).append(input);
  }
  test::write_file(one.file, record);
  const auto content = one.cache.load("fuzz", "key");
  fuzz::require(!content || (is_body && input == "3\nkey" + *content) || record.ends_with("3\nkey" + *content),
                "a record is of its key and has its content");
  fuzz::require(one.cache.entries().size() == 1, "a record is listed, damaged or not");
}

const fuzz::Target cache_record_target{"cache_record", load_record};

}  // namespace
