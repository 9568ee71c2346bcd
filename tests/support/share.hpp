/// \file
/// A process's share of what a test tries, where several processes take a part each.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace clopt::test {

/// Every so-manieth of a list, beginning with one of them: `CLOPT_TEST_SHARE=2/16` is the second of sixteen shares,
/// which have the whole list together. Without the variable, all of it.
class Share {
 public:
  Share() : Share(std::getenv("CLOPT_TEST_SHARE")) {}
  /// \param text as in the variable; null: all. \throws std::invalid_argument where it is no share.
  explicit Share(const char* text) {
    if (!text) return;
    const std::string_view words = text;
    const auto slash = words.find('/');
    if (slash == std::string_view::npos || !reads(words.substr(0, slash), number_) ||
        !reads(words.substr(slash + 1), shares_) || number_ < 1 || number_ > shares_)
      throw std::invalid_argument("CLOPT_TEST_SHARE must be NUMBER/SHARES, such as 2/16");
  }

  /// Whether the next one of the list belongs to the share.
  bool takes_next() { return next_++ % shares_ == number_ - 1; }

 private:
  static bool reads(std::string_view text, std::size_t& number) {
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end;
  }

  std::size_t number_ = 1;
  std::size_t shares_ = 1;
  std::size_t next_ = 0;
};

}  // namespace clopt::test
