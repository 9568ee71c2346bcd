/// \file
/// Runs the compiler of texts.
#pragma once

#include <clopt/error.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace clopt::openmp {

/// The compiler refuses the text.
class TextError : public BuildError {
 public:
  using BuildError::BuildError;
};

/// All of a file; empty where it cannot be read.
std::string read_file(const std::filesystem::path& file);
/// \throws InvalidInput where it cannot be written.
void write_file(const std::filesystem::path& file, const std::string& content);

/// Compiles a source to a shared object, under a guard that limits its time and memory. \param folder for other files.
/// \throws TextError where the text is to blame, InvalidInput where the compiler is, BuildError for another reason.
void compile(const std::vector<std::string>& compiler, const std::vector<std::string>& options,
             const std::string& source, const std::filesystem::path& folder, const std::filesystem::path& object);

}  // namespace clopt::openmp
