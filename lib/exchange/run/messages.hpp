/// \file
/// The messages between the ranks of searches.
#pragma once

#include <clopt/exchange.hpp>
#include <cluster/bytes.hpp>

#include <cstdint>

#include <exchange/search.hpp>

namespace clopt::exchange {

/// A task as a rank gets it from the first one.
struct Job {
  Problem problem;
  Options options;
  ParsedOptions choice;
  std::uint32_t steps = 0;
  std::uint64_t generations = 0;
  std::uint64_t seed = 0;
};
cluster::Bytes encode_job(const SearchTask& task);
Job decode_job(cluster::Reader& message);

cluster::Bytes encode_result(const SearchResult& result);
/// \throws InternalError where the schedule is none.
SearchResult decode_result(cluster::Reader& message);

}  // namespace clopt::exchange
