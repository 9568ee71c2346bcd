/// \file
/// The start gate: what must be the same on all ranks.
#pragma once

#include <string>
#include <vector>

namespace clopt::cluster {

/// What this rank is, a line for each field: host, version of clopt, kernels' texts, interfaces, CLP.
std::string description_of_this_rank();

/// The host in a description.
std::string host_in(const std::string& description);

/// What differs first between rank 0 and another rank, a sentence that names ranks, hosts and field; empty where
/// nothing does. \param descriptions of all ranks, which may be of other versions of clopt.
std::string difference(const std::vector<std::string>& descriptions);

}  // namespace clopt::cluster
