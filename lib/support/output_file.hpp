/// \file
/// Descriptors of files.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace clopt {

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

/// Writes all of a text. \returns an empty text, or the system's reason why not.
std::string write_all(int descriptor, std::string_view bytes);

}  // namespace clopt
