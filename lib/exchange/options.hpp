/// \file
/// What Options name, as enumerations: names are looked up once, on entry.
#pragma once

#include <clopt/exchange.hpp>

#include <support/names.hpp>

#include <cstdint>
#include <string_view>

namespace clopt::exchange {

enum class Optimizer : std::uint8_t { automatic, umda, anneal, tabu, pack, construct };
std::string_view name_of(Optimizer optimizer);

/// Where umda's population is.
enum class Offload : std::uint8_t { host, device };

/// How conflicts of umda's individuals are counted.
enum class Method : std::uint8_t { links, pairs };
std::string_view name_of(Method method);
/// \throws InvalidInput for an unknown name.
Method method_of(std::string_view name);

inline constexpr Names<Optimizer, 6> optimizer_names{{{{Optimizer::automatic, "auto"},
                                                       {Optimizer::umda, "umda"},
                                                       {Optimizer::anneal, "anneal"},
                                                       {Optimizer::tabu, "tabu"},
                                                       {Optimizer::pack, "pack"},
                                                       {Optimizer::construct, "construct"}}}};
inline constexpr Names<Offload, 2> offload_names{{{{Offload::host, "host"}, {Offload::device, "device"}}}};
inline constexpr Names<Method, 2> method_names{{{{Method::links, "links"}, {Method::pairs, "pairs"}}}};

struct ParsedOptions {
  Optimizer optimizer = Optimizer::automatic;
  Offload offload = Offload::host;
  Method method = Method::links;
};

/// Refuses options of a run that cannot be divided into ranges of searches, and a range that there is not.
/// \throws InvalidInput.
void check_divisible(const Options& options, Optimizer optimizer);

/// Whether umda breeds as all did before its fields of breeding were there.
bool breeds_as_before(const Options& options);

/// What options name. \throws InvalidInput for an unknown name.
ParsedOptions named_by(const Options& options);
/// The same of options that are checked. \throws InvalidInput for an unknown name, a number out of range, and options
/// that contradict each other.
ParsedOptions parse_options(const Options& options);

}  // namespace clopt::exchange
