/// \file
/// Files of a run: how texts may begin, whether files can be written, and writing them at once.
#pragma once

#include <clopt/export.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace clopt {

/// What spreadsheets begin a text of UTF-8 with. Readers of numbers skip it.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Refuses a file that cannot be written, without changing it: by opening it, or by making and removing it. To be
/// called before any work. \throws InvalidInput with the file's name and the reason.
CLOPT_API void check_writable(const std::filesystem::path& file);

/// Writes a whole file. A regular one is replaced by rename, so that it is never there in part; a link is followed, and
/// a device is written to. O(size). \returns an empty text, or a sentence with the file's name and the reason why it
/// could not be written.
CLOPT_API std::string write_file(const std::filesystem::path& file, std::string_view content);

}  // namespace clopt
