/// \file
/// Standard output, and what every result of a solver has in common there.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::apps {

/// Fields in the order in which they were set.
using Json = nlohmann::ordered_json;

/// Standard output takes no more.
class OutputClosed : public Error {
 public:
  OutputClosed(int number, const std::string& text) : Error(text), number_(number) {}
  int number() const { return number_; }  ///< of the system's error

 private:
  int number_;
};

/// A text without what a terminal would act upon, which drivers and files may have given it; lines and tabs stay.
std::string without_controls(std::string_view text);
/// A message of at most three lines, each of a length that can be read. What compilers say beyond the first complaint
/// is left out.
std::string shortened(std::string_view message);

/// From here on nothing is written: for a process that another one speaks for.
void silence_output();

/// Writes a text to standard output, whole and at once, without_controls(). \throws OutputClosed.
void print(std::string_view text);
/// Writes a result likewise, on a terminal laid_out(). \param answers whether its first line is the answer.
void print_result(std::string_view text, bool answers);
/// Writes a text to standard error, past what hides the drivers' output there, without_controls().
void print_error(std::string_view text);
/// The same for the program's own sequences, which move the cursor: nothing from outside may be in them.
void print_cursor(std::string_view text);

/// Writes one object in one line. Bytes that are not UTF-8, as file names may have, are replaced, and control
/// characters written as JSON writes them.
void print_json(const Json& object);

/// A checksum as results show it.
std::string hexadecimal(std::uint64_t checksum);

/// A device as results show it.
Json device_json(const DeviceInfo& info);

/// A duration for people: "1.2 ms", "3.4 s".
std::string readable_seconds(double seconds);
/// ", 1.2e+06 a second"; empty where the count or the time is too small for a rate.
std::string rate_text(std::uint64_t count, double seconds);

/// Lists on standard error the files that could not be written. \param failures a text each, empty for those that were.
/// \returns Status::wrong_use if there are any, else \p status.
int status_with_files(int status, const std::vector<std::string>& failures, std::string_view subcommand);

/// A size for people: "1.5 GiB".
std::string readable_bytes(std::uint64_t bytes);

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace clopt::apps
