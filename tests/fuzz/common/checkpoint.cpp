/// \file
/// Checkpoints as they are read, whatever their run. Where the first byte is odd, size and hash are made right, and
/// where its next bit is set, the version too, so that inputs outlive versions.
#include "checkpoint_parts.hpp"

#include <clopt/checkpoint.hpp>
#include <clopt/version.hpp>

#include <algorithm>
#include <cstring>
#include <random>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_checkpoint(std::string_view input) {
  static fuzz::InputFile file;
  const auto how = fuzz::take_byte(input);
  std::string bytes(input);
  if (how % 2 == 1) fuzz::make_right(bytes);
  if (how / 2 % 2 == 1)
    if (auto parts = fuzz::take_apart(bytes)) {
      parts->version = version();
      bytes = fuzz::put_together(*parts);
    }
  const auto checkpoint = Checkpoint::read(file.holding(bytes), how / 4 % 2 == 1 ? "genetic" : "");
  const auto parts = fuzz::take_apart(bytes);
  fuzz::require(parts.has_value(), "what is read has the form of a checkpoint");
  fuzz::require(checkpoint.solver() == parts->solver && checkpoint.parameters() == parts->parameters,
                "texts are read as they are");
  for (const auto& array : parts->arrays) {
    fuzz::require(checkpoint.has(array.name), "an array is found by its name");
    // The first of a name counts.
    const auto first = std::find_if(parts->arrays.begin(), parts->arrays.end(),
                                    [&](const auto& each) { return each.name == array.name; });
    if (!checkpoint.record().holds<std::uint32_t>(array.name)) continue;
    const auto numbers = checkpoint.array<std::uint32_t>(array.name);
    fuzz::require(std::string_view(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size()) == first->bytes,
                  "an array is read as it is");
  }
  RunIdentity identity(checkpoint.solver());
  for (const auto& [name, text] : parts->identity) identity.add(name, std::string_view(text));
  checkpoint.require(identity);
  // Refused, unless the checkpoint has this very array.
  checkpoint.number<double>("number");
}

/// Changes one part of a checkpoint as libFuzzer would, and puts it together again.
class PartMutator {
 public:
  PartMutator(unsigned seed, std::size_t most) : random_(seed), most_(most) {}

  void change(fuzz::CheckpointParts& parts) {
    switch (random_() % 6) {
      case 0: return change(random_() % 2 == 0 ? parts.solver : parts.parameters);
      case 1:
        if (!parts.identity.empty()) {
          auto& entry = parts.identity[random_() % parts.identity.size()];
          return change(random_() % 2 == 0 ? entry.first : entry.second);
        }
        parts.identity.emplace_back("entry", "text");
        return;
      case 2:
        if (!parts.arrays.empty() && random_() % 2 == 0)
          parts.arrays.push_back(parts.arrays[random_() % parts.arrays.size()]);
        else
          parts.arrays.push_back({"number", static_cast<std::uint32_t>(random_() % 9), std::string(8, '\0')});
        return;
      case 3:
        if (!parts.arrays.empty())
          parts.arrays.erase(parts.arrays.begin() + static_cast<std::ptrdiff_t>(random_() % parts.arrays.size()));
        return;
      case 4:
        if (!parts.arrays.empty())
          parts.arrays[random_() % parts.arrays.size()].type = static_cast<std::uint32_t>(random_() % 9);
        return;
      default:
        if (!parts.arrays.empty()) {
          auto& array = parts.arrays[random_() % parts.arrays.size()];
          change(random_() % 3 == 0 ? array.name : array.bytes);
        }
    }
  }

 private:
  void change(std::string& text) {
    auto size = text.size();
    text.resize(size + 16);
    size = fuzz::mutate_bytes(reinterpret_cast<std::uint8_t*>(text.data()), size, std::min(text.size(), most_));
    text.resize(size);
  }

  std::mt19937 random_;
  std::size_t most_;
};

std::size_t mutate_checkpoint(std::uint8_t* input, std::size_t size, std::size_t most, unsigned seed) {
  auto parts = size > 1 ? fuzz::take_apart({reinterpret_cast<const char*>(input) + 1, size - 1}) : std::nullopt;
  if (!parts || seed % 3 == 0) return fuzz::mutate_bytes(input, size, most);
  PartMutator(seed, most).change(*parts);
  const auto bytes = fuzz::put_together(*parts);
  if (bytes.size() + 1 > most) return fuzz::mutate_bytes(input, size, most);
  std::copy(bytes.begin(), bytes.end(), input + 1);
  return bytes.size() + 1;
}

const fuzz::Target checkpoint_target{"checkpoint", read_checkpoint, mutate_checkpoint};

}  // namespace
