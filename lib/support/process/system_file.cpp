#include "system_file.hpp"

#include <clopt/detail/characters.hpp>

#include <algorithm>
#include <fstream>

namespace clopt {

std::vector<std::string> words_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string text;
  // Iterators would throw where a file opens and cannot be read, as of a process that has ended since.
  for (char part[4096]; stream.read(part, sizeof part), stream.gcount() > 0;)
    text.append(part, static_cast<std::size_t>(stream.gcount()));
  std::vector<std::string> words;
  for (auto end = text.begin();;) {
    const auto begin = std::find_if_not(end, text.end(), is_space);
    if (begin == text.end()) return words;
    end = std::find_if(begin, text.end(), is_space);
    words.emplace_back(begin, end);
  }
}

}  // namespace clopt
