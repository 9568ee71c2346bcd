/// \file
/// Files of the system, such as those below /proc.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace clopt {

/// The words of a file, with white space between them; none where it cannot be read. Their numbers are read by
/// number_in(): those of a stream depend on the application's locale.
std::vector<std::string> words_of_file(const std::filesystem::path& file);

}  // namespace clopt
