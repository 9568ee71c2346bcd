#include "environment_check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <frame/output/output.hpp>
#include "options.hpp"

namespace clopt::apps {
namespace {

constexpr std::string_view prefix = "CLOPT_";
constexpr std::size_t most_slips = 2;
constexpr std::size_t short_name = 6;  // a name of fewer letters has one
constexpr std::size_t most_name = 64;

// Behind the prefix; docs/environment.md describes them.
const std::vector<std::string> known{
    "ACCELERATOR", "BACKEND_PATH", "BUILDERS", "CACHE_DIR", "CACHE_STRICT", "CLUSTER", "DEVICE",    "INSTRUCTION_SET",
    "ISOLATION",   "KERNEL_PATH",  "LEFT_OUT", "LOG",       "OFFERS",       "PROFILE", "SUBGROUPS", "SUB_DEVICES"};

}  // namespace

void check_environment() {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with(prefix)) continue;
    const auto name = text.substr(0, std::min(text.find('='), most_name)).substr(prefix.size());
    const auto& meant = *std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
      return distance(name, a) < distance(name, b);
    });
    // More than a slip may be another program's.
    const auto most = meant.size() < short_name ? 1 : most_slips;
    if (const auto slips = distance(name, meant); slips == 0 || slips > most) continue;
    print_error(fmt::format("clopt: warning: nothing reads the environment's {}{}; the nearest is {}{}\n", prefix,
                            printable(name), prefix, meant));
  }
}

}  // namespace clopt::apps
