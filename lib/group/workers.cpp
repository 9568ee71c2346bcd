#include "workers.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <map>

namespace clopt::group {
namespace {

std::map<std::string_view, Worker>& workers() {
  static auto* all = new std::map<std::string_view, Worker>;  // never destroyed: statics use it
  return *all;
}

}  // namespace

WorkerEntry::WorkerEntry(std::string_view solver, Worker worker) { workers()[solver] = worker; }

Worker worker_of(std::string_view solver) {
  const auto found = workers().find(solver);
  if (found == workers().end()) throw InternalError(fmt::format("no rank but the first has the solver {}", solver));
  return found->second;
}

}  // namespace clopt::group
