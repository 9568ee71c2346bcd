/// \file
/// libFuzzer's side: it makes the inputs. The environment's CLOPT_FUZZ_TARGET names the target, so that processes that
/// libFuzzer starts have it too.
#include "target.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* input, std::size_t size, std::size_t most);

namespace {

using namespace clopt;

// libFuzzer's own limit is of the clock's time, which others may take.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const fuzz::Target& target() {
  static const auto& chosen = []() -> const fuzz::Target& {
    const char* name = std::getenv("CLOPT_FUZZ_TARGET");
    try {
      return fuzz::Target::of(name ? name : "");
    } catch (const InvalidInput& error) {
      fmt::print(stderr, "CLOPT_FUZZ_TARGET: {}\n", error.what());
      std::exit(2);
    }
  }();
  return chosen;
}

}  // namespace

namespace clopt::fuzz {

std::size_t mutate_bytes(std::uint8_t* input, std::size_t size, std::size_t most) {
  return LLVMFuzzerMutate(input, size, most);
}

}  // namespace clopt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  // What a target prepares once is not the input's.
  static const bool is_prepared = (target().run({}), true);
  fuzz::require(is_prepared, "a target reads an empty input");
  const double begin = processor_seconds();
  target().run({reinterpret_cast<const char*>(input), size});
  fuzz::require(processor_seconds() - begin < target().most_seconds, "an input takes no more than its time");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* input, std::size_t size, std::size_t most, unsigned seed) {
  return target().mutate ? target().mutate(input, size, most, seed) : LLVMFuzzerMutate(input, size, most);
}
