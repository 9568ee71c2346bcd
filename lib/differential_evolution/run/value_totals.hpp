/// \file
/// Many numbers together, as statistics report them.
#pragma once

#include <shared/differential_evolution/differential_evolution.h>
#include <support/numbers/interleaved_sums.hpp>

#include <algorithm>

namespace clopt::differential_evolution {

/// Numbers as the kernel total_values() adds them up.
class ValueTotals : public InterleavedSums<EVOLUTION_TOTAL_SUMS> {
 public:
  shared::evolution_totals all() const {
    shared::evolution_totals all{least(), greatest(), {}};
    std::copy(sums().begin(), sums().end(), all.sums);
    return all;
  }
};

}  // namespace clopt::differential_evolution
