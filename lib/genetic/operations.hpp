/// \file
/// What the genetic algorithm asks of a device: operations::Breed and the like, made of the kernels in
/// kernels_cl/genetic.
///
/// Element is what genes are kept in: uint32 (words of 32 bits, or a permutation), int32 (integers) or Real; Real,
/// float or double, is the type of costs. Nothing happens in a generation after the one that marks[GENETIC_STOP] names.
#pragma once

#include <shared/genetic/drawn_ahead.h>
#include <shared/genetic/genetic.h>
#include <shared/genetic/parents.h>
#include <generated/operations/genetic.hpp>

#include <cstdint>

namespace clopt::genetic {

/// What a run is; the same structure as in kernels_cl/shared/genetic/genetic.h.
using Settings = shared::genetic_settings;

}  // namespace clopt::genetic

/// Calls a macro with each type of genes and of costs.
#define CLOPT_GENETIC_TYPES(make) \
  make(std::uint32_t, float);     \
  make(std::uint32_t, double);    \
  make(std::int32_t, float);      \
  make(std::int32_t, double);     \
  make(float, float);             \
  make(double, double)
