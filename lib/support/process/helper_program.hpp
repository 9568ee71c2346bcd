/// \file
/// Where the library's backends, and the programs that it runs, lie.
#pragma once

#include <clopt/version.hpp>

#include <filesystem>
#include <string_view>

namespace clopt {

#define CLOPT_MODULES_OF_2(major, minor) "clopt-" #major "." #minor
#define CLOPT_MODULES_OF(major, minor) CLOPT_MODULES_OF_2(major, minor)
/// The folder beside a shared library that holds its backends and programs. It has the number of the library's SONAME,
/// so that several versions can be installed.
inline constexpr std::string_view modules_folder = CLOPT_MODULES_OF(CLOPT_VERSION_MAJOR, CLOPT_VERSION_MINOR);
#undef CLOPT_MODULES_OF
#undef CLOPT_MODULES_OF_2

/// The folder of the file that holds this code, a library, a backend or a program; empty where it is not known.
std::filesystem::path folder_of_this_code();

/// A program that the library runs: beside it in `modules_folder`, beside this code, or in the folders that were added.
/// Empty where it is in none of them.
std::filesystem::path helper_program(std::string_view name);

/// Adds a folder for helper_program() to search, after those added before. A static library adds the one where it was
/// installed. Backends that are modules have lists of their own.
void add_helper_folder(const std::filesystem::path& folder);

}  // namespace clopt
