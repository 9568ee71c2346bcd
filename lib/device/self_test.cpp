#include "self_test.hpp"
#include <clopt/cache.hpp>
#include <clopt/error.hpp>
#include <clopt/solvers.hpp>
#include "device_key.hpp"
#include "random_self_test.hpp"

#include <fmt/format.h>

namespace clopt {
namespace {

constexpr std::string_view kind = "self-test";
constexpr std::string_view passed = "passed";

}  // namespace

std::string self_test(Device& device) {
  try {
    if (auto wrong = random_numbers::self_test(device); !wrong.empty()) return wrong;
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
