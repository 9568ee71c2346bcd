#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <fstream>
#include <sstream>

using clopt::InvalidInput;
using clopt::subset_sum::read_weights;
using Weights = std::vector<std::uint64_t>;
using namespace std::string_literals;

namespace {

struct Good {
  std::string text;
  Weights weights;
};

struct Bad {
  std::string text;
  std::vector<std::string> named;  ///< what the message must hold
};

/// A source that gives a good beginning and then fails.
class BreakingBuffer : public std::streambuf {
 public:
  BreakingBuffer() { setg(text_, text_, text_ + 4); }

 private:
  int_type underflow() override { throw std::runtime_error("the disk is gone"); }
  char text_[4] = {'1', ' ', '2', ' '};
};

Weights read(const std::string& text) {
  std::istringstream stream(text);
  return read_weights(stream, "weights.txt");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return {};
}

const std::vector<Good> good_texts{
    {"1", {1}},
    {"7\n", {7}},
    {"\xef\xbb\xbf"
     "7\n",
     {7}},
    {"\xef\xbb\xbf# nothing\n7", {7}},
    {"1 2 3\n", {1, 2, 3}},
    {"  \t 5 \n\n  6\v7\f8 ", {5, 6, 7, 8}},
    {"1\r\n2\r\n3\r\n", {1, 2, 3}},
    {"1\r2", {1, 2}},
    {"# nothing\n4 # five\n6#7\n#8", {4, 6}},
    {"#\n\n#\n1\n#", {1}},
    {"007", {7}},
    {"00000000000000000000000000000000000000000000000000000000000000001", {1}},
    {"9223372036854775807", {9223372036854775807U}},
    {"3 3 3", {3, 3, 3}},
    {"1, 2;3 ; 4,\n5", {1, 2, 3, 4, 5}},
};

const std::vector<Bad> bad_texts{
    {"", {"no number"}},
    {"\n \t\n", {"no number"}},
    {" , ;", {"no number"}},
    {"# only a comment", {"no number"}},
    {"1\n2\n-3\n", {":3:", "'-3'", "negative"}},
    {"0", {":1:", "'0'", "zero"}},
    {"1 000 2", {":1:", "'000'", "zero"}},
    {"1\n\n0", {":3:", "zero"}},
    {"12\nabc\n", {":2:", "'abc'"}},
    {"12abc", {":1:", "'12abc'"}},
    {"9223372036854775808", {"'9223372036854775808'", "too large", "2^63-1"}},
    {"18446744073709551615", {"too large"}},
    {"18446744073709551616", {"too large"}},
    {"18446744073709551617", {"too large"}},
    {"1 99999999999999999999999999999999999999999999999999999", {"too large", "..."}},
    {"+5", {"'+5'", "not a number"}},
    {"1.5", {"'1.5'", "not an integer"}},
    {"1.0", {"'1.0'", "not an integer"}},
    {"1e6", {"'1e6'", "written out"}},
    {"5-", {"'5-'"}},
    {"0x10", {"'0x10'"}},
    {"-", {"'-'"}},
    {"# a\r\n# b\r\n3 x\r\n", {":3:", "'x'"}},
    {"1\0002"s, {"\\x00"}},
    {"\0"s, {"\\x00"}},
    {"1\n\xef\xbb\xbf"
     "1",
     {":2:", "\\xef"}},
    {"1\n\x1b[31m", {":2:", "\\x1b"}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_reader)

BOOST_AUTO_TEST_CASE(reads) {
  for (const Good& good : good_texts) {
    BOOST_TEST_CONTEXT(good.text) {
      const Weights weights = read(good.text);
      BOOST_TEST(weights == good.weights, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(refuses) {
  for (const Bad& bad : bad_texts) {
    BOOST_TEST_CONTEXT(bad.text) {
      const std::string message = refusal(bad.text);
      BOOST_TEST(message.starts_with("weights.txt"), message);
      for (const std::string& part : bad.named) BOOST_TEST(message.find(part) != std::string::npos, message);
      BOOST_TEST(message.find('\n') == std::string::npos, message);
    }
  }
}

BOOST_AUTO_TEST_CASE(words_across_blocks_are_whole) {
  // Words of every phase against any power of two as block size, with comments and long words that span blocks.
  for (std::size_t lead = 0; lead < 12; ++lead) {
    Weights expected;
    std::string text(lead, ' ');
    for (std::uint64_t i = 1; text.size() < (1U << 19) + 100; ++i) {
      expected.push_back(i * 1234567);
      text += std::to_string(expected.back());
      text += i % 1000 == 0 ? "# 17 comment\n" : "\n";
    }
    BOOST_TEST(read(text) == expected);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    const std::string message = refusal(text + "12x");
    BOOST_TEST(message.find(fmt::format(":{}: '12x'", lines + 1)) != std::string::npos, message);
  }
  for (const std::size_t zeros : {(1U << 18) - 1, 1U << 18, (1U << 18) + 1, 1U << 20}) {
    BOOST_TEST(read(std::string(zeros, '0') + "42").front() == 42U);
    BOOST_TEST(refusal(std::string(zeros, '0')).find("zero") != std::string::npos);
    BOOST_TEST(read(fmt::format("#{:9>{}}\n42", "", zeros)).front() == 42U);
  }
  for (std::size_t cut = 1; cut < 5; ++cut) {
    const std::string message = refusal(std::string((1U << 18) - cut, ' ') + "12-45 9");
    BOOST_TEST(message.find("'12-45'") != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(streams_that_fail_are_refused) {
  std::ifstream folder("/");
  BOOST_CHECK_THROW(read_weights(folder, "/"), InvalidInput);
  std::ifstream missing("/no/such/file");
  BOOST_CHECK_THROW(read_weights(missing, "/no/such/file"), InvalidInput);
  BreakingBuffer breaking;
  std::istream broken(&breaking);
  BOOST_CHECK_EXCEPTION(read_weights(broken, "broken"), InvalidInput, [](const InvalidInput& error) {
    return std::string_view(error.what()).find("reading failed") != std::string_view::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
