/// \file
/// The bytes of a checkpoint, by code of its own: taken apart leniently, and put together with sizes and hash made
/// right whatever the parts are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clopt::fuzz {

struct CheckpointParts {
  struct Array {
    std::string name;
    std::uint32_t type = 0;
    std::string bytes;
  };
  std::string solver;
  std::string version;
  std::vector<std::pair<std::string, std::string>> identity;
  std::string parameters;
  std::vector<Array> arrays;
};

/// The parts of a checkpoint, as far as its sizes make sense; its hash may be any. None: they do not.
std::optional<CheckpointParts> take_apart(std::string_view checkpoint);

/// The checkpoint of some parts.
std::string put_together(const CheckpointParts& parts);

/// Makes the size and the hash right that a checkpoint's bytes have, where there are enough for both.
void make_right(std::string& checkpoint);

/// Bytes that an element of a type has; 0 for an unknown one.
std::size_t bytes_of(std::uint32_t type);

}  // namespace clopt::fuzz
