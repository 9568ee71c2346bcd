/// \file
/// What a fuzzer feeds: a target for everything that reads what others wrote.
#pragma once

#include <clopt/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace clopt::fuzz {

/// Reads one input. It may throw InvalidInput; what else it throws, and what it asserts by require(), is a finding.
using Read = void (*)(std::string_view input);

/// Changes an input in place, to at most `most` bytes, and returns its new size; the same seed makes the same change.
using Mutate = std::size_t (*)(std::uint8_t* input, std::size_t size, std::size_t most, unsigned seed);

/// A target makes itself known by one of these, static in its file.
struct Target {
  Target(std::string_view name, Read read, Mutate mutate = nullptr, double most_seconds = 1);

  std::string_view name;
  Read read;
  Mutate mutate;        ///< null: libFuzzer's own
  double most_seconds;  ///< of the processor's time that an input may take, with all sanitizers

  /// \throws InvalidInput for an unknown name, with all names.
  static const Target& of(std::string_view name);
  /// Reads an input; ends the process where something else than InvalidInput is thrown. \returns why the input is
  /// refused; empty where it is not.
  std::string run(std::string_view input) const noexcept;
};

/// Ends the process with a message where a property of what was read does not hold.
void require(bool holds, std::string_view property);

/// libFuzzer's own change of an input, for a target's `mutate`.
std::size_t mutate_bytes(std::uint8_t* input, std::size_t size, std::size_t most);

}  // namespace clopt::fuzz
