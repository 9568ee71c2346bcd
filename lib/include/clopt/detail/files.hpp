/// \file
/// Files of a run: how texts may begin, which names lead to one file, whether files can be written, and writing them at
/// once.
#pragma once

#include <clopt/export.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace clopt {

/// What spreadsheets begin a text of UTF-8 with. Readers of numbers skip it.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Which file a name leads to. Names of one file have equal ones, whatever links and folders they go through.
struct FileIdentity {
  std::uint64_t device = 0;  ///< of the file; of its folder where it is not there yet
  std::uint64_t inode = 0;
  std::string name;  ///< in that folder; empty where the file is there

  bool operator==(const FileIdentity&) const = default;
};

/// What a name leads to, without opening it.
struct FilePlace {
  std::filesystem::path path;  ///< behind all links, also behind one to a file that is not there yet
  int stream = -1;             ///< an open descriptor of this process, as of /dev/stdout and /dev/fd/3; -1: none
  FileIdentity identity;
  bool is_there = false;
  bool is_replaced = false;  ///< whether writing replaces it: a regular file, or one that is not there
  bool is_pipe = false;      ///< with a name: each writer that ends ends the reader
};
CLOPT_API FilePlace place_of(const std::filesystem::path& file);

/// Refuses a file that cannot be written, without changing or opening it. To be called before any work.
/// \throws InvalidInput with the file's name and the reason.
CLOPT_API void check_writable(const std::filesystem::path& file);

/// Writes a whole file. A regular one is replaced by rename, so that it is never there in part, and keeps its rights; a
/// link is followed, and a device, a pipe or a stream is written to. Waits for the reader of a pipe. O(size).
/// \returns an empty text, or a sentence with the file's name and the reason why it could not be written.
CLOPT_API std::string write_file(const std::filesystem::path& file, std::string_view content);

}  // namespace clopt
