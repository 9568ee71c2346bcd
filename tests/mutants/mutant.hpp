/// \file
/// Chooses the mutant that the environment names. tools/mutants includes it before all else in its copy of the sources;
/// the product never has it.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace clopt_mutants {

struct Choice {
  int active = 0;  ///< CLOPT_MUTANT; 0: the program is as it was
  /// A byte for each mutant, 1 where it was reached: the file CLOPT_MUTANTS_REACHED, which all processes of a test
  /// share.
  volatile unsigned char* reached = nullptr;
};

inline Choice choose() {
  Choice choice;
  if (const char* number = std::getenv("CLOPT_MUTANT")) choice.active = std::atoi(number);
  if (const char* file = std::getenv("CLOPT_MUTANTS_REACHED")) {
    const int descriptor = ::open(file, O_RDWR | O_CLOEXEC);
    void* bytes =
        descriptor < 0 ? MAP_FAILED : ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor >= 0) ::close(descriptor);
    if (bytes != MAP_FAILED) choice.reached = static_cast<unsigned char*>(bytes);
  }
  return choice;
}

// One for each file, which it initialises before its own variables.
[[maybe_unused]] static const Choice choice = choose();

/// For functions that are not constexpr: where a constant is required it does not compile, and the mutant is left out.
[[maybe_unused]] static inline bool runs(int number) {
  if (choice.reached) choice.reached[number] = 1;
  return number == choice.active;
}

/// For constexpr functions, which stay as they were at compile time.
[[maybe_unused]] static constexpr bool computes(int number) { return !std::is_constant_evaluated() && runs(number); }

}  // namespace clopt_mutants
