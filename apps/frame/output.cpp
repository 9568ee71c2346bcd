#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace clopt::apps {

void print(std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int number = errno;
      throw OutputClosed(number,
                         fmt::format("the result cannot be written to standard output: {}", std::strerror(number)));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
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
