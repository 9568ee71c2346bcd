/// \file
/// The value of a list that is closest to a wanted one: the smallest solver that there can be.
#pragma once

#include <clopt/export.hpp>

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clopt::closest_value {

struct Problem {
  std::vector<std::uint64_t> values;  ///< at least one
  std::uint64_t wanted = 0;
};

struct Options {
  std::uint64_t seed = 1;  ///< nothing is drawn
};

struct Result : RunResult {
  std::uint64_t index = 0;     ///< of the first value with the least distance
  std::uint64_t distance = 0;  ///< its distance from the wanted one
};

/// Finds it on the first of the devices. O(values). \throws InvalidInput without a value, and without a device.
CLOPT_API Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                       const RunControl& control = {});
CLOPT_API Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});

/// Measures how quick the device is. \returns a JSON object, or none where the run was ended early.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

}  // namespace clopt::closest_value
