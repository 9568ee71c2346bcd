#include "output.hpp"

#include <clopt/streams.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace clopt::apps {

void print(std::string_view text) {
  if (const int number = write_stream(STDOUT_FILENO, text); number != 0)
    throw OutputClosed(number,
                       fmt::format("the result cannot be written to standard output: {}", std::strerror(number)));
}

void print_error(std::string_view text) {
  // Whoever reads no errors is told none.
  static_cast<void>(write_stream(STDERR_FILENO, text));
}

void print_json(const Json& object) { print(object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'); }

std::string hexadecimal(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

Json device_json(const DeviceInfo& info) { return {{"id", info.id}, {"name", info.name}}; }

std::string readable_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

}  // namespace clopt::apps
