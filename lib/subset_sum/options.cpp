#include "options.hpp"

#include <algorithm>

namespace clopt::subset_sum {

std::string_view name_of(Method method) { return method_names.of(method); }
std::string_view name_of(Barrier barrier) { return barrier_names.of(barrier); }
std::string_view name_of(Recovery recovery) { return recovery_names.of(recovery); }
std::string_view name_of(Proof proof) { return proof_names.of(proof); }

bool runs_on_device(std::string_view method) {
  return std::none_of(methods_of_host.begin(), methods_of_host.end(),
                      [&](Method each) { return name_of(each) == method; });
}

}  // namespace clopt::subset_sum
