#pragma once

#include <clopt/closest_value.hpp>
#include <run/record_fields.hpp>

namespace clopt::closest_value {

template <class Archive>
void fields(Archive& archive, Result& result) {
  archive("run", static_cast<RunResult&>(result))("index", result.index)("distance", result.distance);
  archive("compared", result.compared);
}

/// Of index and distance.
void set_checksum(Result& result);

/// A range of the values, by this rank alone.
Result solve_range(const Problem& problem, const Options& options, const WorkRange& range, Device& device,
                   const RunControl& control);
/// The same by all ranks of a job; none outside a job.
std::optional<Result> solve_by_ranks(const Problem& problem, const Options& options, const WorkRange& range,
                                     std::span<const std::shared_ptr<Device>> devices, const RunControl& control);

}  // namespace clopt::closest_value
