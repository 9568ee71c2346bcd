/// \file
/// The runs of other ranks, which have the same population and make the same model of it.
#pragma once

#include <run/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clopt::ecga {

/// What a run sends to the other ranks and receives from them. All call the same functions in the same order, and get
/// the same results.
class Peers {
 public:
  Peers() = default;
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  virtual ~Peers() = default;

  /// This one's place among all runs.
  virtual std::size_t place() const = 0;
  /// Runs on this rank's machine, this one among them.
  virtual std::uint64_t neighbours() const = 0;
  /// The least of the values of all.
  virtual std::uint64_t least(std::uint64_t own) = 0;
  /// Whether all are to end, which the first one decides.
  virtual bool must_stop() = 0;
  /// Refuses to continue where a number is not that of all. \throws Error then, in all.
  virtual void require_equal(std::uint64_t own) = 0;
  /// What all say, by their places.
  virtual std::vector<Bytes> gather(Bytes own) = 0;
};

}  // namespace clopt::ecga
