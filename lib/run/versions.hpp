/// \file
/// Versions of clopt whose checkpoints and slices this one reads.
#pragma once

#include <clopt/version.hpp>

#include <string_view>

namespace clopt {

/// The first two of a version's three numbers: "0.2" of "0.2.1".
constexpr std::string_view release_of(std::string_view version) { return version.substr(0, version.rfind('.')); }

/// Whether a version's files have the same format, and its runs the same bits: those with the same first two numbers
/// (docs/versions.md), and the older ones listed here.
inline bool reads_files_of(std::string_view version_of_file) {
  return release_of(version_of_file) == release_of(version()) || version_of_file == "0.1.0";
}

}  // namespace clopt
