#include "start_check.hpp"

#include <clopt/backend.hpp>
#include <clopt/detail/kernel_source.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>
#include <utility>

namespace clopt::cluster {
namespace {

// Of the messages between ranks. The gate's own messages never change: it must be able to detect different versions.
constexpr int message_version = 3;

#ifdef CLOPT_HAS_CLP
constexpr const char* linear_programmes = "yes";
#else
constexpr const char* linear_programmes = "no";
#endif

std::string host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "unknown";
}

std::vector<std::pair<std::string, std::string>> fields_of(const std::string& description) {
  std::vector<std::pair<std::string, std::string>> fields;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);)
    fields.emplace_back(line.substr(0, line.find('=')), line.substr(std::min(line.find('=') + 1, line.size())));
  return fields;
}

}  // namespace

std::string description_of_this_rank() {
  return fmt::format(
      "host={}\nversion of clopt={}\nhash of the kernels' texts={}\nversion of the interfaces={}.{}\n"
      "linear programmes (CLP)={}\norder of bytes={}\n",
      host(), version(), kernel_fingerprint(), backend_interface_version, message_version, linear_programmes,
      std::endian::native == std::endian::little ? "little" : "big");
}

std::string host_in(const std::string& description) {
  const auto fields = fields_of(description);
  return fields.empty() ? "" : fields.front().second;
}

std::string difference(const std::vector<std::string>& descriptions) {
  const auto first = fields_of(descriptions.front());
  for (std::size_t rank = 1; rank < descriptions.size(); ++rank) {
    const auto other = fields_of(descriptions[rank]);
    for (std::size_t k = 1; k < std::max(first.size(), other.size()); ++k) {
      const auto& [name, value] = k < first.size() ? first[k] : other[k];
      const auto own = k < first.size() ? value : std::string("none");
      const auto found = k < other.size() && other[k].first == name ? other[k].second : std::string("none");
      if (own == found) continue;
      return fmt::format(
          "the ranks differ: rank {} on {} has the {} {}, and rank 0 on {} has {}; install the same clopt everywhere, "
          "and give all ranks the same environment",
          rank, printable(host_in(descriptions[rank])), name, printable(found),
          printable(host_in(descriptions.front())), printable(own));
    }
  }
  return {};
}

}  // namespace clopt::cluster
