#include "resource_limits.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

namespace clopt {

std::string limits_of_process() {
  std::string text = "limits";
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    // How large a picture of a crash may be is nothing to a driver.
    if (resource != RLIMIT_CORE && ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0)
      text += fmt::format(" {}:{}", resource, limit.rlim_cur);
  }
  return text + "\n";
}

}  // namespace clopt
