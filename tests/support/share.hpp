/// \file
/// A process's share of what a test tries, where several processes take a part each.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace clopt::test {

/// A part of a list: `CLOPT_TEST_SHARE=2/16` is the second of sixteen shares, which have the whole list together.
/// Without the variable, all of it. What stands together stays together: a list that goes round what it tries has
/// the same again and again among every so-manieth of its items.
class Share {
 public:
  /// \param length of the list. \param text as in the variable; null: all.
  /// \throws std::invalid_argument where it is no share.
  explicit Share(std::size_t length, const char* text = std::getenv("CLOPT_TEST_SHARE")) : end_(length) {
    if (!text) return;
    const std::string_view words = text;
    const auto slash = words.find('/');
    std::size_t number = 0;
    std::size_t shares = 0;
    if (slash == std::string_view::npos || !reads(words.substr(0, slash), number) ||
        !reads(words.substr(slash + 1), shares) || number < 1 || number > shares)
      throw std::invalid_argument("CLOPT_TEST_SHARE must be NUMBER/SHARES, such as 2/16");
    begin_ = length * (number - 1) / shares;
    end_ = length * number / shares;
  }

  /// Whether the next item of the list belongs to the share.
  bool takes_next() {
    const auto index = next_++;
    return index >= begin_ && index < end_;
  }

 private:
  static bool reads(std::string_view text, std::size_t& number) {
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end;
  }

  std::size_t begin_ = 0;
  std::size_t end_;
  std::size_t next_ = 0;
};

}  // namespace clopt::test
