#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <support/folder.hpp>

using namespace clopt;
using Words = std::vector<std::string>;

namespace {

const std::string mark = "\xef\xbb\xbf";

Words words_in(const std::string& text, const TextSyntax& syntax = {.comment = '#'}) {
  std::istringstream stream(text);
  TextReader reader(stream, "text", syntax);
  Words words;
  for (auto word = reader.word(); !word.empty(); word = reader.word()) words.emplace_back(word);
  return words;
}

/// The lines with their numbers.
Words lines_in(const std::string& text) {
  std::istringstream stream(text);
  TextReader reader(stream, "text");
  Words lines;
  while (reader.next_line()) {
    const std::string line(reader.rest_of_line());
    lines.push_back(std::to_string(reader.line()) + ":" + line);
  }
  return lines;
}

std::string with_ends(std::string text, const std::string& end) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += end.size()) text.replace(at, 1, end);
  return text;
}

template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_reader)

BOOST_AUTO_TEST_CASE(words_and_lines_do_not_depend_on_ends_of_lines) {
  const std::string text = "a b\n\n c # d e\n#f\n\tg\v h\f\n";
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const auto& begin : {std::string(), mark}) {
      BOOST_TEST_CONTEXT(end.size() << ' ' << begin.size()) {
        BOOST_TEST(words_in(begin + with_ends(text, end)) == (Words{"a", "b", "c", "g", "h"}),
                   boost::test_tools::per_element());
        BOOST_TEST(lines_in(begin + with_ends(text, end)) == (Words{"1:a b", "2:", "3:c # d e", "4:#f", "5:g\v h"}),
                   boost::test_tools::per_element());
      }
    }
  // Mixed ends, and a text that does not end with one.
  BOOST_TEST(lines_in("a\r\r\nb\n\rc") == (Words{"1:a", "2:", "3:b", "4:", "5:c"}), boost::test_tools::per_element());
  BOOST_TEST(lines_in("").empty());
  BOOST_TEST(lines_in(mark).empty());
  BOOST_TEST(words_in(" \t\r\n").empty());
  // A mark that is not at the beginning is a word's.
  BOOST_TEST(words_in("1 " + mark + "2").size() == 2U);
  BOOST_TEST(words_in("1 " + mark + "2").back() == mark + "2");
}

BOOST_AUTO_TEST_CASE(blocks_do_not_show) {
  // Ends of lines of each kind, words and comments of random lengths, around the 2^18 bytes that are read at once.
  for (unsigned seed = 1; seed <= 6; ++seed) {
    BOOST_TEST_MESSAGE("texts of seed " << seed);
    std::mt19937 random(seed);
    std::string text((std::size_t{1} << 18) - 40, ' ');
    Words expected;
    std::size_t line = 1;
    std::size_t last_line = 1;
    for (int i = 0; i < 60; ++i) {
      expected.emplace_back(1 + random() % 9, static_cast<char>('a' + random() % 26));
      text += expected.back();
      last_line = line;
      const auto kind = random() % 5;
      if (kind == 0) text += "# z z";
      text += kind < 2 ? "\r\n" : kind == 2 ? "\r" : kind == 3 ? "\n" : " ";
      if (kind < 4) ++line;
    }
    // A CR before an LF is one end with it.
    std::istringstream stream(text);
    TextReader reader(stream, "text", {.comment = '#'});
    Words words;
    std::size_t found_line = 0;
    for (auto word = reader.word(); !word.empty(); word = reader.word()) {
      words.emplace_back(word);
      found_line = reader.line();
    }
    BOOST_TEST(words == expected, boost::test_tools::per_element());
    BOOST_TEST(found_line == last_line);
  }
  for (const std::size_t size : {(1U << 18) - 1, 1U << 18, (1U << 18) + 1, 1U << 20}) {
    const std::string word(size, 'x');
    BOOST_TEST((words_in(word + " y") == Words{word, "y"}));
    BOOST_TEST((words_in("#" + word + "\ny") == Words{"y"}));
    std::istringstream stream(mark + word + "\r");
    BOOST_TEST((TextReader(stream, "text").rest() == word + "\r"));
  }
}

BOOST_AUTO_TEST_CASE(comments_of_a_letter_begin_a_line) {
  std::vector<std::string> comments;
  const TextSyntax syntax{
      .comment = 'c', .on_comment = [&](std::string_view text) { comments.emplace_back(text); }, .has_commas = true};
  BOOST_TEST(words_in("c one\na,b; c d\n  comment\n1 #2\n", syntax) == (Words{"a", "b", "c", "d", "1", "#2"}),
             boost::test_tools::per_element());
  BOOST_TEST(comments == (Words{" one", "omment"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers_are_whole_words) {
  for (const auto& [word, number] : std::vector<std::pair<std::string, double>>{
           {"5", 5}, {"+5", 5}, {"-5", -5}, {"+.5", .5}, {"5.", 5}, {"1.0e+02", 100}, {"-0", 0}}) {
    BOOST_TEST_CONTEXT(word) BOOST_TEST(TextReader::number_of<double>(word).value() == number);
  }
  for (const char* word : {"",    "+",   "-",    "++5", "+-5", "-+5", "5,",    "1,5",           "0x10",      "1e999",
                           "nan", "inf", "+inf", "5a",  "5 ",  " 5",  "1.2.3", "\357\273\2775", "\302\2405", "1'000"})
    BOOST_TEST_CONTEXT(word) BOOST_TEST(!TextReader::number_of<double>(word));
  BOOST_TEST(TextReader::number_of<std::uint32_t>("+7").value() == 7U);
  for (const char* word : {"-1", "4294967296", "1.0", "1e2"})
    BOOST_TEST_CONTEXT(word) BOOST_TEST(!TextReader::number_of<std::uint32_t>(word));
}

BOOST_AUTO_TEST_CASE(messages_have_the_line_and_what_is_expected) {
  const auto message = [](const std::string& text, auto call) {
    std::istringstream stream(text);
    TextReader reader(stream, "file\x1b", {.comment = '#'});
    return refusal_of([&] { call(reader); });
  };
  const auto number = [](TextReader& reader) { reader.number<int>("a spin", 1, 9); };
  BOOST_TEST(message("\n\r\nx", number) == "file\\x1b:3: 'x' stands where a spin should, a number from 1 to 9");
  BOOST_TEST(message("# no\n", number) == "file\\x1b:1: the file ends where a spin should stand");
  BOOST_TEST(message("10", number).find("'10' stands") != std::string::npos);
  BOOST_TEST(message("1 2\n3", [&](TextReader& reader) {
               number(reader);
               reader.require_end_of_line();
             }) == "file\\x1b:1: '2' stands behind the end of the line's data");
  BOOST_TEST(message("1\n3", [&](TextReader& reader) {
               number(reader);
               reader.require_end_of_line();
               reader.require_end();
             }) == "file\\x1b:2: '3' stands after the end of the data");
  // UTF-16, either end first.
  for (const auto& text : {std::string("\xff\xfe\x31\0", 4), std::string("\xfe\xff\0\x31", 4)})
    BOOST_TEST(message(text, number).ends_with("the text is in UTF-16: save it as UTF-8"));
  const test::Folder folder;
  BOOST_TEST(refusal_of([&] { TextReader reader(folder.path()); }).ends_with("cannot be read: it is a folder"));
  BOOST_TEST(refusal_of([&] { TextReader reader(folder.path() / "none"); }).find("none cannot be read: No such file") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
