/// \file
/// The local search of tours as a stage of a generation.
#pragma once

#include <cstdint>

#include "buffers.hpp"
#include "kernel_builder.hpp"

namespace clopt::genetic {

/// Makes individuals local optima, in a run that improves them; else nothing. Element and Real as in operations.hpp.
template <class Element, class Real>
class Improvement {
 public:
  Improvement(const Builder& builder, Work<Element, Real>& work);
  /// The individuals that a generation bred.
  void launch(std::uint64_t generation) const { launch(generation, false); }
  /// All of a generation, which was drawn.
  void launch_all(std::uint64_t generation) const { launch(generation, true); }

 private:
  void launch(std::uint64_t generation, bool all) const;

  Work<Element, Real>& work_;
  Kernel<operations::Improve<Real>> kernel_;
  Buffer<std::uint32_t> scratch_;
  Buffer<std::uint32_t> unfinished_;
  std::uint32_t most_ = 0;  ///< cities that a launch visits
  bool in_one_launch_ = true;
};

}  // namespace clopt::genetic
