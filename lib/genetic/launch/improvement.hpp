/// \file
/// The local search of tours as a stage of a generation.
#pragma once

#include <cstdint>
#include <optional>

#include <run/pacing.hpp>

#include "buffers.hpp"
#include "kernel_builder.hpp"

namespace clopt::genetic {

/// Makes individuals local optima, in a run that improves them; else nothing. Between its launches, which are short
/// whatever the size of a tour, it calls the work's between_launches(). Element and Real as in operations.hpp.
template <class Element, class Real>
class Improvement {
 public:
  Improvement(const Builder& builder, Work<Element, Real>& work);
  /// The individuals that a generation bred.
  void launch(std::uint64_t generation) { launch(generation, false); }
  /// All of a generation, which was drawn.
  void launch_all(std::uint64_t generation) { launch(generation, true); }

 private:
  void launch(std::uint64_t generation, bool all);
  // Continues with tours of which some are unfinished. Returns how many are then.
  std::uint64_t launch_piece(std::uint64_t generation, bool all, std::uint64_t unfinished, bool begins);

  Work<Element, Real>& work_;
  std::optional<std::uint32_t> anchor_;  ///< of a directed tour, as the kernel has it; none: it is not directed
  Pacing pacing_;                        ///< of rounds of a tour
  Kernel<operations::Improve<Real>> kernel_;
  Kernel<operations::ImproveDirected<Real>> directed_kernel_;
  Buffer<std::uint32_t> scratch_;
  Buffer<std::uint32_t> unfinished_;
};

}  // namespace clopt::genetic
