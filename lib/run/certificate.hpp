/// \file
/// What all certificates have in common.
#pragma once

#include <clopt/certificate.hpp>

#include <string_view>

#include <nlohmann/json.hpp>

namespace clopt {

/// The members that a certificate begins with. \param problem the solver's name in the program.
inline nlohmann::ordered_json certificate_head(std::string_view problem) {
  return {{"format", "clopt certificate"}, {"version", 1}, {"problem", problem}};
}

inline Certificate certificate_of(const nlohmann::ordered_json& whole) { return {whole.dump() + "\n", {}}; }

}  // namespace clopt
