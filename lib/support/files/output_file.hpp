/// \file
/// Descriptors of files, and files that take the place of others at once.
#pragma once

#include <filesystem>
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

/// A file that is written beside another and takes its place when it is complete. Until then it has no name, where the
/// file system allows that, so that nothing is left of it when the process is killed; else a new one, which no other
/// file has, and which is not a link. It has the owner and the rights of the file that it replaces; a new one those
/// that the process's mask leaves.
class Replacement {
 public:
  /// \param target a name that is not a link's. Opens the file, or sets failure().
  explicit Replacement(std::filesystem::path target);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// To write to.
  int descriptor() const { return opened_.get(); }
  /// Why there is no such file; empty where there is one.
  const std::string& failure() const { return failure_; }
  /// Puts it in the target's place. \param survives_power_failure whether to wait for the disk.
  /// \returns an empty text, or the system's reason why not.
  std::string commit(bool survives_power_failure);

 private:
  bool make_named();
  bool take_rights();
  bool give_name();

  std::filesystem::path target_;
  std::filesystem::path name_;  // empty while it has none
  Descriptor opened_;
  std::string failure_;
};

/// Writes all of a text. \returns an empty text, or the system's reason why not.
std::string write_all(int descriptor, std::string_view bytes);

/// The same to a stream of FilePlace, also while what drivers print is hidden.
std::string write_to_stream(int stream, std::string_view bytes);

}  // namespace clopt
