#include <clopt/clopt.hpp>

#include <iostream>

int main() {
  try {
    const clopt::subset_sum::Instance instance{{31, 41, 59, 26, 53, 58, 97, 93, 23, 84}, 300};
    const auto devices = clopt::Devices::automatic();  // the processor, and the first GPU where the work gains
    const auto result = clopt::subset_sum::solve(instance, {}, devices);
    std::cout << "value " << result.value << (result.optimal ? ", proven" : "") << ", items";
    for (const auto index : result.indices) std::cout << ' ' << index;
    std::cout << '\n';
  } catch (const clopt::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
