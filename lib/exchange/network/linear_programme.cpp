#include "linear_programme.hpp"

#ifdef CLOPT_HAS_CLP
#include <coin/Clp_C_Interface.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace clopt::exchange {
namespace {

// Whether a link is on a shortest path from a sender to one of its receivers: those beyond it are followed backwards.
std::vector<bool> useful_links(const Router& router, std::size_t sender) {
  const auto& network = router.network();
  const auto from = router.senders()[sender];
  std::vector<bool> used(network.links().size());
  std::vector<bool> wanted(network.nodes());
  std::vector<std::uint32_t> queue;
  for (std::uint32_t node = 0; node < network.nodes(); ++node)
    if (router.demand(sender, node) > 0) {
      wanted[node] = true;
      queue.push_back(node);
    }
  while (!queue.empty()) {
    const auto node = queue.back();
    queue.pop_back();
    for (const auto link : network.in_links(node)) {
      const auto before = network.links()[link].from;
      if (network.distance(from, before) + 1 != network.distance(from, node)) continue;
      used[link] = true;
      if (!wanted[before]) {
        wanted[before] = true;
        queue.push_back(before);
      }
    }
  }
  return used;
}

}  // namespace

std::size_t variables_of(const Router& router) {
  std::size_t variables = 1;
  for (std::size_t sender = 0; sender < router.senders().size(); ++sender) {
    const auto used = useful_links(router, sender);
    variables += static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  }
  return variables;
}

#ifdef CLOPT_HAS_CLP

bool has_linear_programme() { return true; }

std::optional<LoadOptimum> least_largest_load(const Router& router, double seconds) {
  const auto& network = router.network();
  const auto links = static_cast<int>(network.links().size());
  constexpr double infinity = std::numeric_limits<double>::max();

  // Rows: the load of each link, minus the largest load, is at most 0; then what enters each node for each sender, less
  // what leaves it, is the node's demand. Columns: the largest load, then the flows.
  std::vector<double> row_lower(static_cast<std::size_t>(links), -infinity);
  std::vector<double> row_upper(static_cast<std::size_t>(links), 0);
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> values;
  for (int link = 0; link < links; ++link) {
    rows.push_back(link);
    values.push_back(-1);
  }
  starts.push_back(links);
  for (std::size_t sender = 0; sender < router.senders().size(); ++sender) {
    const auto used = useful_links(router, sender);
    const auto from = router.senders()[sender];
    std::vector<int> row_of(network.nodes(), -1);
    for (std::uint32_t link = 0; link < used.size(); ++link) {
      const auto to = network.links()[link].to;
      if (!used[link] || row_of[to] >= 0) continue;
      row_of[to] = static_cast<int>(row_lower.size());
      row_lower.push_back(router.demand(sender, to));
      row_upper.push_back(router.demand(sender, to));
    }
    for (std::uint32_t link = 0; link < used.size(); ++link) {
      if (!used[link]) continue;
      const auto [before, after] = network.links()[link];
      rows.push_back(static_cast<int>(link));
      values.push_back(1);
      rows.push_back(row_of[after]);
      values.push_back(1);
      if (before != from) {
        rows.push_back(row_of[before]);
        values.push_back(-1);
      }
      starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    }
  }
  const auto columns = static_cast<int>(starts.size()) - 1;
  std::vector<double> lower(static_cast<std::size_t>(columns), 0);
  std::vector<double> upper(static_cast<std::size_t>(columns), infinity);
  std::vector<double> objective(static_cast<std::size_t>(columns), 0);
  objective[0] = 1;

  const std::unique_ptr<Clp_Simplex, decltype(&Clp_deleteModel)> model(Clp_newModel(), &Clp_deleteModel);
  Clp_setLogLevel(model.get(), 0);
  Clp_loadProblem(model.get(), columns, static_cast<int>(row_lower.size()), starts.data(), rows.data(), values.data(),
                  lower.data(), upper.data(), objective.data(), row_lower.data(), row_upper.data());
  Clp_setMaximumSeconds(model.get(), seconds);
  Clp_initialDualSolve(model.get());
  if (Clp_status(model.get()) != 0) return std::nullopt;
  LoadOptimum optimum{Clp_getObjValue(model.get()), {}};
  const double* const duals = Clp_getRowPrice(model.get());
  for (int link = 0; link < links; ++link) optimum.weights.push_back(std::max(0.0, -duals[link]));
  return optimum;
}

#else

bool has_linear_programme() { return false; }

std::optional<LoadOptimum> least_largest_load(const Router&, double) { return std::nullopt; }

#endif

}  // namespace clopt::exchange
