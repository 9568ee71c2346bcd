/// \file
/// The source in C++ that a user's text becomes for the system's compiler.
#pragma once

#include <clopt/program.hpp>

#include <string>

namespace clopt::openmp {

/// The functions of the shared object, as compiler.hpp describes them.
namespace exported {
constexpr const char* evaluate = "clopt_objective";
constexpr const char* exact = "clopt_exact_objective";
constexpr const char* residuals = "clopt_residuals";
constexpr const char* fits = "clopt_fits";
constexpr const char* long_rows = "clopt_long_rows";
}  // namespace exported

/// What the compiler says where its options, or a wrapper's, change what is computed.
constexpr const char* other_arithmetic = "clopt's arithmetic is exact";

/// Whether a program is one of fits.
bool is_of_fits(const Program& program);

/// Whether vectors of individuals may go through the whole text. (Of sums, the loops take many individuals anyway.)
bool can_be_vectors(const Program& program);

/// \param vectors whether the text is read for vectors of individuals too.
std::string source_of(const Program& program, bool vectors);

}  // namespace clopt::openmp
