#include <clopt/clopt.hpp>

#include <iostream>

int main() try {
  const clopt::subset_sum::Instance instance{{4157, 3301, 2957, 2741, 2399, 1999, 1583, 1217}, 7113};
  const auto device = clopt::open_device();
  const auto result = clopt::subset_sum::solve(instance, {}, *device);
  std::cout << result.value << (result.optimal ? " is the optimum:" : " is the best so far:");
  for (const auto index : result.indices) std::cout << ' ' << instance.weights[index];
  std::cout << '\n';
} catch (const clopt::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
