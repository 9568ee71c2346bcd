/// \file
/// Proofs of answers that a checker verifies without the library.
#pragma once

#include <string>

namespace clopt {

/// The proof of an answer, or why it has no proof: one must be quicker to verify than to find.
struct Certificate {
  std::string text;     ///< JSON, a line, as docs/certificates.md describes it; empty: there is none
  std::string missing;  ///< why there is none; empty where there is one
};

}  // namespace clopt
