/// \file
/// Objectives that are sums of parts, each of few loci.
#pragma once

#include <clopt/objective.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace clopt::ecga {

/// How an objective's table has its parts: an ECGA_PARTS_ of kernels_cl/shared/ecga/parts.h; none: its parts are not
/// known.
std::optional<std::uint32_t> parts_kind(const Objective& objective);

/// The parts of each locus, as kernels read them: where the list of each locus begins, and one more, then the places in
/// the objective's table. Of an objective whose parts are known.
std::vector<std::uint32_t> parts_of_loci(const Objective& objective, std::uint32_t length);

}  // namespace clopt::ecga
