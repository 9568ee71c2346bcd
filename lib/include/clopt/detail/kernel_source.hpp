/// \file
/// The kernels' sources, for backends that compile them.
#pragma once

#include <clopt/export.hpp>

#include <clopt/program.hpp>

#include <string>
#include <string_view>

namespace clopt {

/// The file of kernels_cl that holds an operation's kernel. \throws BuildError for an operation that has none.
CLOPT_API std::string_view kernel_file(std::string_view operation);

/// A kernel file's text with every include of a file of kernels_cl, or of the program's texts, put in its place, and
/// `#line` directives that keep the compiler's messages true. Files in the folder of the environment's
/// CLOPT_KERNEL_PATH come before the embedded ones.
/// \throws BuildError for a file that is not there.
CLOPT_API std::string kernel_source(std::string_view file, const Program& program = {});

/// Like kernel_source(), for a text in place of a file.
CLOPT_API std::string expand_includes(std::string_view text, std::string_view name, const Program& program = {});

/// A text that differs where any kernel file differs, replaced ones included: findings with other kernels do not
/// apply.
CLOPT_API std::string kernel_fingerprint();

/// A compiler's log, shortened, with the line of ours that each message ("file:line:") speaks of beneath it.
/// \param source as it was given to the compiler, with its `#line` directives.
CLOPT_API std::string explain_log(std::string_view log, std::string_view source);

}  // namespace clopt
