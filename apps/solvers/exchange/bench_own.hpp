/// \file
/// What the benchmarks of the exchange have in common, and their tables that no paper has.
#pragma once

#include <clopt/exchange.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <commands/solver.hpp>

namespace clopt::apps::exchange {

/// The complete exchange on a network of some description.
clopt::exchange::Problem exchange_on(const std::string& topology);

/// Individuals a second of the whole optimiser, from about some seconds; none where the run was ended.
std::optional<double> individuals_a_second(const std::string& topology, clopt::exchange::Options options,
                                           std::span<const std::shared_ptr<Device>> devices, RunControl control,
                                           double seconds);

/// Fitness and moves alone, larger networks, and networks with a broken link.
std::vector<BenchmarkTable> own_tables();

}  // namespace clopt::apps::exchange
