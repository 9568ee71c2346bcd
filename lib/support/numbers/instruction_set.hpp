/// \file
/// The instruction set of the processor that vector code is chosen for.
#pragma once

#include <string_view>

namespace clopt {

/// Sets of instructions, each with those of the sets before it.
enum class InstructionSet {
  plain,   ///< what every processor of the architecture has: SSE2, or NEON
  avx2,    ///< with vectors of 256 bits; BMI and BMI2
  avx512,  ///< with vectors of 512 bits (AVX-512F, BW and VL)
};

/// The name that CLOPT_INSTRUCTION_SET takes.
std::string_view name_of(InstructionSet set);

/// Finds the best set that the processor has and CLOPT_INSTRUCTION_SET allows. \throws InvalidInput where the variable
/// names none, or one that the processor lacks.
InstructionSet require_instruction_set();

namespace detail {
InstructionSet find_instruction_set() noexcept;
}

/// The set in use, the same as long as the process runs. Where the variable is wrong, the processor's best:
/// require_instruction_set(), which is called before any device is found, reports it.
inline InstructionSet instruction_set() noexcept {
  static const InstructionSet set = detail::find_instruction_set();
  return set;
}

inline bool uses_avx2() noexcept { return instruction_set() >= InstructionSet::avx2; }
inline bool uses_avx512() noexcept { return instruction_set() >= InstructionSet::avx512; }

}  // namespace clopt
