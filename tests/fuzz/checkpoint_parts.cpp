#include "checkpoint_parts.hpp"

#include <array>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clopt::fuzz {
namespace {

constexpr std::string_view magic = "clopt-checkpoint";
constexpr std::size_t size_at = 24;  // behind the magic, the order of bytes and the format
constexpr std::size_t body_at = 32;
constexpr std::size_t hash_bytes = 16;

template <class Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_text(std::string& bytes, std::string_view text) {
  put(bytes, std::uint64_t{text.size()});
  bytes.append(text);
}

/// Takes numbers and texts from bytes, until one of them has none left.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  bool is_good() const { return is_good_; }

  std::string text(std::uint64_t size) {
    is_good_ = is_good_ && size <= bytes_.size();
    if (!is_good_) return {};
    std::string taken(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return taken;
  }
  template <class Number>
  Number number() {
    Number taken{};
    const auto bytes = text(sizeof taken);
    if (is_good_) std::memcpy(&taken, bytes.data(), sizeof taken);
    return taken;
  }
  std::string sized_text() { return text(number<std::uint64_t>()); }

 private:
  std::string_view bytes_;
  bool is_good_ = true;
};

}  // namespace

std::size_t bytes_of(std::uint32_t type) {
  constexpr std::array<std::size_t, 8> sizes{1, 1, 4, 4, 8, 8, 4, 8};
  return type < sizes.size() ? sizes[type] : 0;
}

std::optional<CheckpointParts> take_apart(std::string_view checkpoint) {
  if (checkpoint.size() < body_at + hash_bytes) return std::nullopt;
  Bytes bytes(checkpoint.substr(body_at, checkpoint.size() - body_at - hash_bytes));
  CheckpointParts parts;
  parts.solver = bytes.sized_text();
  parts.version = bytes.sized_text();
  for (auto left = bytes.number<std::uint64_t>(); left > 0 && bytes.is_good(); --left) {
    auto name = bytes.sized_text();
    parts.identity.emplace_back(std::move(name), bytes.sized_text());
  }
  parts.parameters = bytes.sized_text();
  std::vector<std::uint64_t> sizes;
  for (auto left = bytes.number<std::uint64_t>(); left > 0 && bytes.is_good(); --left) {
    auto name = bytes.sized_text();
    const auto type = bytes.number<std::uint32_t>();
    parts.arrays.push_back({std::move(name), type, {}});
    sizes.push_back(bytes.number<std::uint64_t>());
  }
  for (std::size_t i = 0; i < sizes.size() && bytes.is_good(); ++i) parts.arrays[i].bytes = bytes.text(sizes[i]);
  return bytes.is_good() ? std::optional(std::move(parts)) : std::nullopt;
}

std::string put_together(const CheckpointParts& parts) {
  std::string bytes(magic);
  put(bytes, std::uint32_t{0x01020304});
  put(bytes, std::uint32_t{2});
  put(bytes, std::uint64_t{0});
  put_text(bytes, parts.solver);
  put_text(bytes, parts.version);
  put(bytes, std::uint64_t{parts.identity.size()});
  for (const auto& [name, text] : parts.identity) {
    put_text(bytes, name);
    put_text(bytes, text);
  }
  put_text(bytes, parts.parameters);
  put(bytes, std::uint64_t{parts.arrays.size()});
  for (const auto& array : parts.arrays) {
    put_text(bytes, array.name);
    put(bytes, array.type);
    put(bytes, std::uint64_t{array.bytes.size()});
  }
  for (const auto& array : parts.arrays) bytes.append(array.bytes);
  bytes.append(hash_bytes, '\0');
  make_right(bytes);
  return bytes;
}

void make_right(std::string& checkpoint) {
  if (checkpoint.size() < body_at + hash_bytes) return;
  const std::uint64_t size = checkpoint.size();
  std::memcpy(checkpoint.data() + size_at, &size, sizeof size);
  const auto end = checkpoint.size() - hash_bytes;
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits(checkpoint.data(), end));
  std::memcpy(checkpoint.data() + end, hash.digest, hash_bytes);
}

}  // namespace clopt::fuzz
