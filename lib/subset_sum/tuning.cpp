#include "tuning.hpp"

namespace clopt::subset_sum {
Speeds speeds_of(const Device& device) { return built_in_speeds(device); }
}  // namespace clopt::subset_sum
