/// \file
/// Versions of clopt whose checkpoints and slices this one reads.
#pragma once

#include <clopt/version.hpp>

#include <string_view>

namespace clopt {

/// Whether a version's files have the same format, and its runs the same bits.
inline bool reads_files_of(std::string_view version_of_file) {
  return version_of_file == version() || version_of_file == "0.1.0";
}

}  // namespace clopt
