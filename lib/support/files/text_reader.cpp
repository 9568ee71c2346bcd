#include <clopt/detail/characters.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <istream>
#include <system_error>

namespace clopt {
namespace {

constexpr std::size_t bytes_of_block = std::size_t{1} << 18;
/// Of a line or a word. What is longer is not a text.
constexpr std::size_t largest_buffer = std::size_t{1} << 30;
constexpr std::string_view white = " \t\v\f";

}  // namespace

TextReader::TextReader(const std::filesystem::path& file, const TextSyntax& syntax)
    : name_(printable(file.string(), std::string::npos)), file_(file, std::ios::binary), stream_(&file_) {
  const int error = errno;
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(file, ignored);
  if (!file_ || is_folder)
    throw InvalidInput(
        fmt::format("{} cannot be read: {}", name_, is_folder ? "it is a folder" : system_message(error)));
  begin(syntax);
}

TextReader::TextReader(std::istream& text, std::string_view name, const TextSyntax& syntax)
    : name_(printable(name, std::string::npos)), stream_(&text) {
  if (!text) throw InvalidInput(fmt::format("{}: cannot be opened; is the name right, and is it readable?", name_));
  begin(syntax);
}

void TextReader::begin(const TextSyntax& syntax) {
  comment_ = syntax.comment;
  on_comment_ = syntax.on_comment;
  for (const char c : white) kinds_[static_cast<unsigned char>(c)] = Kind::separator;
  if (syntax.has_commas) kinds_[','] = kinds_[';'] = Kind::comma;
  for (const char c : {'\n', '\r'}) kinds_[static_cast<unsigned char>(c)] = Kind::line_end;
  if (comment_ == '#') kinds_['#'] = Kind::comment;
  refill();
  std::string_view first(buffer_.data(), end_);
  if (first.starts_with(byte_order_mark)) {
    kept_ = at_ = byte_order_mark.size();
    first.remove_prefix(at_);
  }
  const bool has_mark = first.starts_with("\xff\xfe") || first.starts_with("\xfe\xff");
  const auto is_null = [&](std::size_t i) { return first[i] == '\0'; };
  is_wide_ = has_mark ||
             (first.size() > 3 && is_null(0) != is_null(1) && is_null(0) == is_null(2) && is_null(1) == is_null(3));
}

// Reads on behind what is kept. \returns whether there was more.
bool TextReader::refill() {
  if (kept_ > 0) {
    std::copy(buffer_.data() + kept_, buffer_.data() + end_, buffer_.data());
    at_ -= kept_;
    end_ -= kept_;
    kept_ = 0;
  }
  if (end_ > largest_buffer) refuse("a word or a line has more than 2^30 bytes; is it a text?");
  if (buffer_.size() < end_ + bytes_of_block) buffer_.resize(std::max(end_ + bytes_of_block, 2 * end_));
  if (!*stream_) return false;
  stream_->read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  if (stream_->bad()) throw InvalidInput(fmt::format("{}: reading failed; is it a file, not a folder?", name_));
  const auto read = static_cast<std::size_t>(stream_->gcount());
  end_ += read;
  return read > 0;
}

// To the next word, which may begin in a later line. \returns whether there is one.
bool TextReader::skip_to_word(bool in_line) {
  has_begun_ = true;
  follows_spaces_ = !begins_line_;
  for (;;) {
    kept_ = at_;
    if (!has_more()) return false;
    const auto kind = kind_of(buffer_[at_]);
    if (kind != Kind::other && buffer_[at_] != ' ') follows_spaces_ = false;
    if (kind == Kind::separator) {
      ++at_;
    } else if (kind == Kind::comma) {
      take_comma();
    } else if (kind == Kind::line_end) {
      if (in_line) return false;
      take_line_end();
    } else if (kind == Kind::comment || (begins_line_ && comment_ != '\0' && buffer_[at_] == comment_)) {
      take_comment();
    } else {
      begins_line_ = false;
      follows_word_ = true;
      return true;
    }
  }
}

std::string_view TextReader::take_word() {
  kept_ = at_;
  do {
    const char* const bytes = buffer_.data();
    while (at_ != end_ && kind_of(bytes[at_]) == Kind::other) ++at_;
  } while (at_ == end_ && refill());
  if (at_ != end_ && buffer_[at_] == ',' && kind_of(',') == Kind::comma && is_digit(buffer_[at_ - 1]))
    refuse_comma_within_number();
  return {buffer_.data() + kept_, at_ - kept_};
}

void TextReader::take_comma() {
  if (!follows_word_) refuse(fmt::format("no number stands before '{}'", buffer_[at_]));
  follows_word_ = false;
  ++at_;
}

void TextReader::refuse_comma_within_number() {
  // As much as a message shows.
  constexpr std::size_t longest = 40;
  while (end_ - at_ <= longest && refill()) {
  }
  if (end_ - at_ < 2 || !is_digit(buffer_[at_ + 1])) return;
  const std::string_view ahead(buffer_.data() + kept_, end_ - kept_);
  refuse(
      fmt::format("'{}' has a comma between two digits: give `decimal` , or `thousands` , or `separator` , to say "
                  "what it is",
                  shown(ahead.substr(0, ahead.find_first_of(" \t\v\f\r\n;#")))));
}

std::string_view TextReader::word() { return skip_to_word(false) ? take_word() : std::string_view(); }
std::string_view TextReader::word_of_line() { return skip_to_word(true) ? take_word() : std::string_view(); }

std::string_view TextReader::peek() {
  const auto next = word();
  at_ -= next.size();
  return next;
}

std::string_view TextReader::take_to_line_end() {
  kept_ = at_;
  do {
    while (at_ != end_ && kind_of(buffer_[at_]) != Kind::line_end) ++at_;
  } while (at_ == end_ && refill());
  if (at_ > kept_) begins_line_ = false;
  return {buffer_.data() + kept_, at_ - kept_};
}

void TextReader::take_comment() {
  const auto comment = take_to_line_end();
  if (on_comment_) on_comment_(comment.substr(1));
}

void TextReader::take_line_end() {
  const bool is_return = buffer_[at_++] == '\r';
  kept_ = at_;
  if (is_return && has_more() && buffer_[at_] == '\n') ++at_;
  ++line_;
  begins_line_ = true;
}

bool TextReader::next_line() {
  if (has_begun_) {
    take_to_line_end();
    if (at_ == end_) return false;
    take_line_end();
  }
  has_begun_ = true;
  kept_ = at_;
  return has_more();
}

std::string_view TextReader::rest_of_line() {
  has_begun_ = true;
  auto text = take_to_line_end();
  const auto first = text.find_first_not_of(white);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

std::string TextReader::rest() {
  kept_ = at_;
  while (refill()) at_ = end_;
  at_ = end_;
  if (is_wide_) refuse(1, "it cannot be read");
  return buffer_.substr(kept_, end_ - kept_);
}

std::string_view TextReader::require_word(std::string_view what) {
  const auto found = word();
  if (found.empty()) refuse(fmt::format("the file ends where {} should stand", what));
  return found;
}

void TextReader::refuse_number(std::string_view text, std::string_view what, const std::string& least,
                               const std::string& most) const {
  refuse(fmt::format("'{}' stands where {} should, a number from {} to {}{}", shown(text), what, least, most,
                     comma_hint(text)));
}

double TextReader::number(std::string_view what, double least, double most) {
  const auto text = require_word(what);
  const auto value = number_of<double>(text);
  if (!value || *value < least || *value > most)
    refuse_number(text, what, fmt::format("{}", least), fmt::format("{}", most));
  return *value;
}

double TextReader::number(std::string_view what) {
  const auto text = require_word(what);
  const auto value = number_of<double>(text);
  if (!value) refuse(fmt::format("'{}' stands where {} should{}", shown(text), what, comma_hint(text)));
  return *value;
}

void TextReader::require_end_of_line() {
  if (const auto more = word_of_line(); !more.empty())
    refuse(fmt::format("'{}' stands behind the end of the line's data", shown(more)));
}

void TextReader::require_end() {
  if (const auto more = word(); !more.empty())
    refuse(fmt::format("'{}' stands after the end of the data", shown(more)));
}

void TextReader::refuse(std::size_t line, std::string_view what) const {
  throw InvalidInput(
      fmt::format("{}:{}: {}{}", name_, line, what, is_wide_ ? "; the text is in UTF-16: save it as UTF-8" : ""));
}

std::string_view TextReader::comma_hint(std::string_view word) {
  if (word.find_first_of(",;") == word.npos) return {};
  return "; write decimals with a point, and white space between numbers";
}

std::string TextReader::shown(std::string_view word) { return printable(word, 40, true); }

}  // namespace clopt
