/// \file
/// The value of a list that is closest to a wanted one: the smallest solver that there can be.
#pragma once

#include <clopt/export.hpp>

#include <clopt/checkpoint.hpp>
#include <clopt/devices.hpp>
#include <clopt/fields.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clopt::closest_value {

struct Problem {
  std::vector<std::uint64_t> values;  ///< at least one
};

struct Options {
  std::uint64_t wanted = 0;
  std::uint64_t seed = 1;                          ///< nothing is drawn
  std::optional<WorkRange> range{};                ///< of the values, those that are compared; none: all
  std::optional<std::uint64_t> generations{};      ///< limit, of 8 values each
  std::shared_ptr<CheckpointWriter> checkpoint{};  ///< written at the end; null: none
  std::shared_ptr<const Checkpoint> resume{};      ///< null: from the beginning
};

/// The fields of options, each described once.
CLOPT_API FieldTable fields(Options& options);

struct Result : RunResult {
  std::uint64_t index = 0;                     ///< of the first value with the least distance
  std::uint64_t distance = ~std::uint64_t{0};  ///< its distance from the wanted one
  std::uint64_t compared = 0;                  ///< values so far
};

/// Refuses what solve() refuses. \throws InvalidInput
CLOPT_API void check(const Problem& problem, const Options& options);

/// Finds it on the first of the devices; the ranks of a job share the values. O(values). \throws InvalidInput without a
/// value, and without a device.
CLOPT_API Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                       const RunControl& control = {});
CLOPT_API Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});
/// The same on devices that are given, or on the one that the work chooses.
CLOPT_API Result solve(const Problem& problem, const Options& options, const Devices& devices,
                       const RunControl& control = {});

/// All that the result depends on.
CLOPT_API RunIdentity identity(const Problem& problem, const Options& options);
/// A result of a range as numbers, to be sent or written, and such a result again.
CLOPT_API Record pack(const Result& result);
CLOPT_API Result unpack(const Record& record);
/// The result of all ranges, in their order. \param parts at least one.
CLOPT_API Result merge(const std::vector<Result>& parts);

/// Measures how quick the device is. \returns a JSON object, or none where the run was ended early.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

}  // namespace clopt::closest_value
