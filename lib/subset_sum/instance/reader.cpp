#include <fmt/format.h>

#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <istream>
#include <limits>

namespace clopt::subset_sum {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr std::size_t shown_characters = 40;
constexpr std::uint64_t largest_weight = std::numeric_limits<std::int64_t>::max();

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_word(char c) { return is_space(c) || c == '#'; }

/// Takes a text block by block. A word may lie across blocks, so the number read so far and its text, as far as a
/// message shows it, outlive the block.
class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  void take(std::string_view block) {
    const char* at = block.data();
    const char* const end = at + block.size();
    const char* word = at;
    while (at != end) {
      if (in_comment_) {
        while (at != end && *at != '\n') ++at;
        if (at == end) return;
        in_comment_ = false;
      }
      if (!in_word_) {
        while (at != end && is_space(*at)) line_ += *at++ == '\n';
        if (at == end) return;
        if (*at == '#') {
          in_comment_ = true;
          continue;
        }
        in_word_ = true;
        number_ = 0;
        word = at;
      }
      std::uint64_t number = number_;
      for (; at != end && is_digit(*at); ++at) {
        const auto digit = static_cast<std::uint64_t>(*at - '0');
        if (number > (largest_weight - digit) / 10) {
          bad_ = true;
          break;
        }
        number = number * 10 + digit;
      }
      number_ = number;
      if (at != end && !ends_word(*at)) {
        bad_ = true;
        while (at != end && !ends_word(*at)) ++at;
      }
      if (at == end) {
        if (earlier_.size() <= shown_characters) earlier_.append(word, end);
        if (bad_ && earlier_.size() > shown_characters) refuse(earlier_);
        return;
      }
      if (bad_ || number_ == 0) refuse(earlier_.append(word, at));
      accept();
    }
  }

  std::vector<std::uint64_t> finish() {
    if (in_word_) {
      if (bad_ || number_ == 0) refuse(earlier_);
      accept();
    }
    if (weights_.empty()) {
      throw InvalidInput(
          fmt::format("{}: no weight found; give at least one positive integer, with white space between them", name_));
    }
    return std::move(weights_);
  }

 private:
  void accept() {
    weights_.push_back(number_);
    in_word_ = false;
    earlier_.clear();
  }

  [[noreturn]] void refuse(std::string_view text) const {
    throw InvalidInput(
        fmt::format("{}:{}: '{}' is {}; weights are integers from 1 to {}, with white space between them", name_, line_,
                    printable(text, shown_characters, true), fault(text), largest_weight));
  }

  static std::string_view fault(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = negative ? text.substr(1) : text;
    const bool number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number) return "no positive integer";
    if (negative) return "negative";
    return digits.find_first_not_of('0') == std::string_view::npos ? "zero" : "too large";
  }

  std::string_view name_;
  std::vector<std::uint64_t> weights_;
  std::string earlier_;  ///< the beginning of a word that began in an earlier block
  std::uint64_t number_ = 0;
  std::size_t line_ = 1;
  bool in_comment_ = false;
  bool in_word_ = false;
  bool bad_ = false;  ///< the word is no weight, but is read to its end for the message
};

}  // namespace

std::vector<std::uint64_t> read_weights(std::istream& text, std::string_view name) {
  if (!text) throw InvalidInput(fmt::format("{}: cannot be opened; is the name right, and is it readable?", name));
  Reader reader(name);
  std::vector<char> block(block_bytes);
  while (text) {
    text.read(block.data(), static_cast<std::streamsize>(block.size()));
    reader.take({block.data(), static_cast<std::size_t>(text.gcount())});
  }
  if (text.bad()) throw InvalidInput(fmt::format("{}: reading failed; is it a file, not a folder?", name));
  return reader.finish();
}

}  // namespace clopt::subset_sum
