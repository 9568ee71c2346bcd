/// \file
/// Inputs as files, for what reads files by their names.
#pragma once

#include <support/folder.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace clopt::fuzz {

/// A file of a target's own, in the folder of temporary files; tools/fuzz has it in memory.
class InputFile {
 public:
  /// The file with a content.
  const std::filesystem::path& holding(std::string_view content) {
    std::ofstream stream(file_, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + file_.string());
    return file_;
  }
  const std::filesystem::path& path() const { return file_; }

 private:
  test::Folder folder_;
  std::filesystem::path file_ = folder_.path() / "input";
};

/// The first byte of an input, taken from it; 0 where it is empty. For what a target varies beside the text.
inline unsigned take_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<unsigned char>(input.front());
  input.remove_prefix(1);
  return byte;
}

}  // namespace clopt::fuzz
