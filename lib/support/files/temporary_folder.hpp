/// \file
/// Folders for files that others read while a process works.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace clopt {

/// A new folder, for its owner alone, in the folder for temporary files (TMPDIR, else /tmp); it goes with the object.
/// One that a killed process has left goes when the next one of its kind is made: a folder is locked while its process
/// lives.
class TemporaryFolder {
 public:
  /// \param kind a word, with which its name begins. O(files in the folder for temporary files).
  explicit TemporaryFolder(std::string_view kind);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  /// Empty where there is no place for one.
  const std::filesystem::path& path() const { return path_; }
  /// Where it lies, or would.
  static std::filesystem::path parent();

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace clopt
