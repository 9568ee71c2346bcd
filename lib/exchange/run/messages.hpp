/// \file
/// The messages between the ranks of searches.
#pragma once

#include <clopt/exchange.hpp>
#include <group/team.hpp>
#include <run/bytes.hpp>

#include <cstdint>
#include <vector>

#include <exchange/search.hpp>

namespace clopt::exchange {

/// A task as a rank gets it from the first one.
struct RunMessage {
  Problem problem;
  Options options;
  ParsedOptions parsed;
  std::uint32_t steps = 0;
  std::uint64_t generations = 0;
  std::uint64_t seed = 0;
  std::vector<group::TeamMember> members{};  ///< that share umda's islands
};
Bytes encode_run(const SearchTask& task, std::vector<group::TeamMember> members = {});
RunMessage decode_run(ByteReader message);

Bytes encode_result(const SearchResult& result);
/// \throws InternalError where the schedule is none: ranks send what they have checked.
SearchResult decode_result(ByteReader message);

}  // namespace clopt::exchange
