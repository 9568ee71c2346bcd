#include "search.hpp"

#include <fmt/format.h>

#include <clopt/error.hpp>

namespace clopt::exchange {

const std::vector<std::uint64_t>& array_of(const SearchState& state, const std::string& name,
                                           std::optional<std::size_t> size) {
  for (const auto& [own, values] : state)
    if (own == name && (!size || values.size() == *size)) return values;
  throw InvalidInput(
      fmt::format("exchange: the checkpoint is of another search: no array '{}' of the right size", name));
}

std::string describe_failure(const Device& device, const std::exception& error) {
  return fmt::format("{} ({}) failed: {}", device.info().id, device.info().name, error.what());
}

}  // namespace clopt::exchange
