#include "twin.hpp"

namespace clopt::openmp {

const Twin* find_twin(std::string_view name) {
  struct Named {
    std::string_view name;
    const Twin* twin;
  };
  static const Named twins[] = {
#define CLOPT_TWIN(folder, name) {#folder "/" #name, &folder::name},
#include <generated/twins.inc>
#undef CLOPT_TWIN
  };
  for (const auto& entry : twins)
    if (entry.name == name) return entry.twin;
  return nullptr;
}

}  // namespace clopt::openmp
