/// \file
/// The operation of kernels_cl/objective.
#pragma once

#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::objective {

/// values[i] = the objective of individual i. Elements, rows, tables; values; how many; the steps from an individual to
/// the next and from its row to the next one's; the step from an element to the next; genes, columns. Gene is uint32
/// (words of bits, permutations), int32 (integers) or Real; Real is float or double.
template <class Gene, class Real>
inline constexpr auto evaluate =
    operation<In<Gene>, In<Real>, In<Real>, InOut<Real>, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t,
              std::uint32_t, std::uint32_t>("objective/evaluate", generic<Real>("real"), generic<Gene>("gene_type"));

}  // namespace clopt::objective
