/// \file
/// The reader below all formats of text: the first byte chooses the separators and the comment's sign.
#include <clopt/detail/text_reader.hpp>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "input_file.hpp"
#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

using Words = std::vector<std::pair<std::size_t, std::string>>;

void read_text(std::string_view input) {
  const auto form = fuzz::take_byte(input);
  const TextSyntax syntax{form % 4 < 2 ? '#' : 'c', {}, form % 2 != 0};
  const auto of = [&](std::string_view text, const auto& take) {
    std::istringstream stream{std::string(text)};
    TextReader reader(stream, "input", syntax);
    Words words;
    take(reader, words);
    return words;
  };
  const auto by_words = [&](std::string_view text) {
    return of(text, [](TextReader& reader, Words& words) {
      while (!reader.peek().empty()) {
        const std::string next(reader.peek());
        const std::string word(reader.word());
        fuzz::require(word == next, "a word that is seen is the next one");
        words.emplace_back(reader.line(), word);
      }
      reader.require_end();
    });
  };
  const auto by_lines = [&](std::string_view text) {
    return of(text, [](TextReader& reader, Words& words) {
      while (reader.next_line())
        for (auto word = reader.word_of_line(); !word.empty(); word = reader.word_of_line())
          words.emplace_back(reader.line(), std::string(word));
    });
  };
  const auto words = fuzz::read_with_any_ends(input, by_words);
  fuzz::require(by_lines(input) == words, "lines have the words of the text");
  const auto whole = [&](std::string_view text) {
    return of(text, [](TextReader& reader, Words& all) { all.emplace_back(0, reader.rest()); });
  };
  if (!input.starts_with("\xef\xbb\xbf"))
    fuzz::require(whole(input).front().second == input, "all that is left is all");
}

const fuzz::Target text_target{"text", read_text};

}  // namespace
