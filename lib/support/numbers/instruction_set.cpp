#include "instruction_set.hpp"

#include <clopt/error.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>

namespace clopt {
namespace {

constexpr InstructionSet sets[] = {InstructionSet::plain, InstructionSet::avx2, InstructionSet::avx512};

InstructionSet processors_best() {
#ifdef __x86_64__
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  const bool has_avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (has_avx2) return has_avx512 ? InstructionSet::avx512 : InstructionSet::avx2;
#endif
  return InstructionSet::plain;
}

std::optional<InstructionSet> find_named(std::string_view name) {
  for (const auto set : sets)
    if (name_of(set) == name) return set;
  return std::nullopt;
}

}  // namespace

std::string_view name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512: return "avx512";
    case InstructionSet::avx2: return "avx2";
    default: return "plain";
  }
}

InstructionSet require_instruction_set() {
  const auto best = processors_best();
  const auto name = environment::instruction_set();
  if (name.empty()) return best;
  const auto wanted = find_named(name);
  if (!wanted) throw InvalidInput(fmt::format("CLOPT_INSTRUCTION_SET is '{}'; it takes avx512, avx2 or plain", name));
  if (*wanted > best)
    throw InvalidInput(fmt::format(
        "CLOPT_INSTRUCTION_SET is '{}', and this processor has no more than {}: take that, or unset the variable", name,
        name_of(best)));
  return *wanted;
}

InstructionSet detail::find_instruction_set() noexcept {
  try {
    return require_instruction_set();
  } catch (...) {
    return processors_best();
  }
}

}  // namespace clopt
