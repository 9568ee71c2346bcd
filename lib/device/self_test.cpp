#include "self_test.hpp"
#include <clopt/cache.hpp>
#include <clopt/error.hpp>
#include "device_key.hpp"

#include <fmt/format.h>

// Each solver has a known answer: self_test(Device&) in lib/<solver>/self_test.cpp.
#define CLOPT_SOLVER(name)        \
  namespace clopt::name {         \
  std::string self_test(Device&); \
  }
#include <generated/solvers.inc>
#undef CLOPT_SOLVER

namespace clopt {
namespace primitives {
std::string self_test(Device& device);
}

namespace {

constexpr std::string_view kind = "self-test";
constexpr std::string_view passed = "passed";

}  // namespace

std::string self_test(Device& device) {
  try {
    if (const auto wrong = primitives::self_test(device); !wrong.empty()) return wrong;
#define CLOPT_SOLVER(name) \
  if (const auto wrong = name::self_test(device); !wrong.empty()) return #name ": " + wrong;
#include <generated/solvers.inc>
#undef CLOPT_SOLVER
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void require_self_test(Device& device, bool force) {
  const auto key = device_key(device);
  if (Cache::instance().load(kind, key) == passed) return;
  const auto wrong = self_test(device);
  if (wrong.empty()) return Cache::instance().store(kind, key, passed);
  if (!force)
    throw NoDevice(fmt::format("{} ({}) fails its self-test: {}. Use another device, or --force to use it all the same",
                               device.info().id, device.info().name, wrong));
}

}  // namespace clopt
