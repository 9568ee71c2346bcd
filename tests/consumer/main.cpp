// Solves one subset-sum instance by the sweep on the device named: consumer DEVICE. Prints value and checksum.
#include <clopt/clopt.hpp>

#include <cstdio>
#include <exception>
#include <string>

int main(int count, char** words) try {
  clopt::DeviceOptions options;
  options.force = true;  // a third party's device need not know every solver
  const auto device = clopt::open_device(count > 1 ? words[1] : "", options);
  const auto instance = clopt::subset_sum::make_instance("p:50", 7);
  clopt::subset_sum::Options how;
  how.method = "k3-32";
  how.reduce = false;  // else nothing is left for the device
  const auto result = clopt::subset_sum::solve(instance, how, *device);
  const auto wrong = clopt::subset_sum::check(instance, result);
  std::printf("%s %llu %016llx\n", std::string(clopt::version()).c_str(), static_cast<unsigned long long>(result.value),
              static_cast<unsigned long long>(result.checksum));
  return wrong.empty() && result.launches > 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
