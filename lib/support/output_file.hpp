/// \file
/// Files that a run writes: whether they can be, and how they are.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace clopt {

/// Refuses a file that cannot be written, without changing it: by opening it, or by making and removing it.
/// \throws InvalidInput with the file's name and the reason.
void check_writable(const std::filesystem::path& file);

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = other.release();
    }
    return *this;
  }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release() {
    const int number = number_;
    number_ = -1;
    return number;
  }
  void close();

 private:
  int number_;
};

/// Writes all of a text. \returns an empty text, or the system's reason why not.
std::string write_all(int descriptor, std::string_view bytes);

}  // namespace clopt
