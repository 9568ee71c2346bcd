#include <clopt/clopt.hpp>

#include <iostream>

int main() {
  try {
    const clopt::subset_sum::Instance instance{{31, 41, 59, 26, 53, 58, 97, 93, 23, 84}, 300};
    const auto device = clopt::open_device();  // the first GPU, else the processor
    const auto result = clopt::subset_sum::solve(instance, {}, *device);
    std::cout << "value " << result.value << (result.optimal ? ", proven" : "") << ", items";
    for (const auto index : result.indices) std::cout << ' ' << index;
    std::cout << '\n';
  } catch (const clopt::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
