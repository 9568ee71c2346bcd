#include "shared_state.hpp"

SharedState& shared_state() {
  static SharedState all{};
  return all;
}
