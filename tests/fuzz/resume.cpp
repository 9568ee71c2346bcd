#include "resume.hpp"

#include <clopt/devices.hpp>
#include <clopt/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include "target.hpp"

namespace clopt::fuzz {
namespace {

/// One change: eight bytes, and for some a value behind them.
struct Change {
  enum class Kind { element, add, resize, swap, copy, type, remove, rename };
  static constexpr unsigned kinds = 8;

  Kind kind;
  std::size_t array;
  std::size_t element;
  std::size_t other;
};

std::size_t take_pair(std::string_view& input) {
  const std::size_t low = take_byte(input);
  return low + 256 * take_byte(input);
}

void apply(const Change& change, std::vector<CheckpointParts::Array>& arrays, std::string_view& input) {
  auto& array = arrays[change.array];
  const auto size = std::max<std::size_t>(bytes_of(array.type), 1);
  const auto count = array.bytes.size() / size;
  const auto at = count > 0 ? change.element % count * size : 0;
  const auto other = count > 0 ? change.other % count * size : 0;
  switch (change.kind) {
    case Change::Kind::element: {
      const auto value = input.substr(0, size);
      input.remove_prefix(value.size());
      if (count > 0) std::memcpy(array.bytes.data() + at, value.data(), value.size());
      break;
    }
    case Change::Kind::add:
      // To the lowest byte, as a small number of either sign.
      if (count > 0) array.bytes[at] = static_cast<char>(array.bytes[at] + static_cast<char>(change.other));
      break;
    case Change::Kind::resize: array.bytes.resize(change.element % 4096 * size); break;
    case Change::Kind::swap:
      if (count > 0) std::swap_ranges(&array.bytes[at], &array.bytes[at] + size, &array.bytes[other]);
      break;
    case Change::Kind::copy:
      if (count > 0) std::memmove(&array.bytes[at], &array.bytes[other], size);
      break;
    case Change::Kind::type: array.type = static_cast<std::uint32_t>(change.other % 8); break;
    case Change::Kind::remove: arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(change.array)); break;
    case Change::Kind::rename: array.name = arrays[change.other % arrays.size()].name; break;
  }
}

void apply_all(std::string_view input, std::vector<CheckpointParts::Array>& arrays) {
  while (!input.empty() && !arrays.empty()) {
    Change change{};
    change.kind = static_cast<Change::Kind>(take_byte(input) % Change::kinds);
    change.array = take_byte(input) % arrays.size();
    change.element = take_pair(input);
    change.other = take_pair(input);
    apply(change, arrays, input);
  }
}

}  // namespace

Device& one_thread() {
  // Never released, since the backend's statics may be gone before.
  static const auto& opened = *new std::shared_ptr<Device>([] {
    DeviceOptions options;
    options.threads = 1;
    options.self_test = false;
    return open_device("openmp:0", options);
  }());
  return *opened;
}

Resumed::Resumed(std::vector<ResumeCase> cases) : cases_(std::move(cases)) {
  for (const auto& each : cases_) {
    const test::Folder folder;
    const auto file = folder.path() / "run";
    each.begin(std::make_shared<CheckpointWriter>(file));
    auto parts = take_apart(test::read_file(file));
    require(parts.has_value(), "a checkpoint that is written has the form of one");
    checkpoints_.push_back(*std::move(parts));
  }
}

void Resumed::run(std::string_view input) {
  const auto number = take_byte(input) % cases_.size();
  auto parts = checkpoints_[number];
  apply_all(input, parts.arrays);
  const auto& file = file_.holding(put_together(parts));
  try {
    cases_[number].proceed(std::make_shared<const Checkpoint>(Checkpoint::read(file, "")));
  } catch (const DeviceError& error) {
    // The host evaluates the best once more at the end, and cannot distinguish a false checkpoint from a false device.
    throw InvalidInput(error.what());
  }
}

}  // namespace clopt::fuzz
