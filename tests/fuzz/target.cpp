#include "target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>
#include <typeinfo>
#include <vector>

namespace clopt::fuzz {
namespace {

// Made by the first target, whichever file is initialised first.
std::vector<const Target*>& targets() {
  static std::vector<const Target*> all;
  return all;
}

}  // namespace

Target::Target(std::string_view own_name, Read own_read, Mutate own_mutate, double own_most_seconds)
    : name(own_name), read(own_read), mutate(own_mutate), most_seconds(own_most_seconds) {
  targets().push_back(this);
}

const Target& Target::of(std::string_view name) {
  std::string known;
  for (const auto* target : targets()) {
    if (target->name == name) return *target;
    known += fmt::format(" {}", target->name);
  }
  throw InvalidInput(fmt::format("there is no target '{}'; the targets are{}", name, known));
}

std::string Target::run(std::string_view input) const noexcept {
  try {
    read(input);
  } catch (const InvalidInput& error) {
    require(error.what()[0] != '\0', "a refusal has a message");
    return error.what();
  } catch (const std::exception& error) {
    require(false, fmt::format("what is thrown is InvalidInput; it was {}: {}", typeid(error).name(), error.what()));
  }
  return {};
}

void require(bool holds, std::string_view property) {
  if (holds) return;
  fmt::print(stderr, "this does not hold: {}\n", property);
  std::abort();
}

}  // namespace clopt::fuzz
