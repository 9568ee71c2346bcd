#include "system_file.hpp"

#include <clopt/detail/characters.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace clopt {

std::vector<std::string> words_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file);
  // It leaves out what cannot be read, as of a process that has ended since: iterators would throw.
  std::ostringstream content;
  content << stream.rdbuf();
  const auto text = content.str();
  std::vector<std::string> words;
  for (auto end = text.begin();;) {
    const auto begin = std::find_if_not(end, text.end(), is_space);
    if (begin == text.end()) return words;
    end = std::find_if(begin, text.end(), is_space);
    words.emplace_back(begin, end);
  }
}

}  // namespace clopt
