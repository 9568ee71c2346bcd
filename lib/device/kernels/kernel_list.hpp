/// \file
/// The kernels and texts of kernels_cl, as the build embeds them.
#pragma once

#include <span>
#include <string_view>

namespace clopt {

/// A kernel found in a file of kernels_cl.
struct KernelEntry {
  std::string_view name;  ///< "solver/operation"
  std::string_view file;  ///< in kernels_cl
};

/// A file of kernels_cl.
struct KernelText {
  std::string_view file;
  std::string_view text;
};

std::span<const KernelText> embedded_kernel_texts();

}  // namespace clopt
