#include "servants.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <map>

namespace clopt::cluster {
namespace {

std::map<std::string_view, Servant>& servants() {
  static auto* all = new std::map<std::string_view, Servant>;  // never destroyed: statics use it
  return *all;
}

}  // namespace

ServantEntry::ServantEntry(std::string_view solver, Servant servant) { servants()[solver] = servant; }

Servant servant_of(std::string_view solver) {
  const auto found = servants().find(solver);
  if (found == servants().end()) throw InternalError(fmt::format("no rank but the first has the solver {}", solver));
  return found->second;
}

}  // namespace clopt::cluster
