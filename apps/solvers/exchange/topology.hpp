/// \file
/// The topology that `clopt exchange` is asked for, without its broken nodes and links.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <frame/options/options.hpp>

namespace clopt::apps::exchange {

/// What was removed from a topology.
struct Faults {
  std::vector<clopt::exchange::Link> links;
  std::vector<std::uint32_t> nodes;
};

/// What --without-links and --without-nodes say. \throws InvalidInput.
Faults read_faults(const Options& options);

/// A topology as --topology or a schedule's file names it: one of the classes, or a file. \param network its
/// statements, where a schedule's file has them; else empty. \throws InvalidInput.
clopt::exchange::Topology read_topology(const std::string& text, std::uint64_t seed, const Faults& faults,
                                        const std::string& network = {});

/// The problem of a pattern as --pattern names it. \param demands as write_demands() has them, where a checkpoint or
/// a slice has kept them; empty: they are read of the pattern's file. \throws InvalidInput.
clopt::exchange::Problem problem_of(clopt::exchange::Topology topology, const std::string& pattern,
                                    const std::string& demands = {});

}  // namespace clopt::apps::exchange
