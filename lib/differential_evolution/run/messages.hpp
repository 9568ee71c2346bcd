/// \file
/// The messages between the ranks of a run.
#pragma once

#include <cluster/bytes.hpp>

#include <cstdint>
#include <memory>
#include <optional>

#include "run.hpp"

namespace clopt::differential_evolution {

/// A run as a rank gets it from the first one.
struct Job {
  Part part;
  bool is_part = false;       ///< whether it has a range of the problems of a whole run
  bool keeps_images = false;  ///< whether the first rank writes checkpoints

  /// The plan, which refers to the job.
  Plan plan(const RunControl& control) const {
    return is_part ? make_plan(part, control) : make_plan(part.problem, part.options, control);
  }
};

/// \param keeps_images as in Job. O(size of the data).
cluster::Bytes encode_job(const Plan& plan, bool keeps_images);
/// Plans refer to it. \throws InvalidInput where it is not the run that was sent, naming the first entry of its
/// identity that differs.
std::unique_ptr<const Job> decode_job(cluster::Reader& message);

cluster::Bytes encode(const Outcome& outcome);
Outcome decode_outcome(cluster::Reader& message);

/// How far problems are, and all that the rest depends on.
struct Stand {
  std::uint32_t generation = 0;
  std::optional<EvolutionState> image;  ///< none: not sent
};
cluster::Bytes encode(const Stand& stand);
Stand decode_stand(cluster::Reader& message);

/// Bytes of a problem in a message, at most.
std::size_t message_bytes_of_problem(const Plan& plan);

}  // namespace clopt::differential_evolution
