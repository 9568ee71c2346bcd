/// \file
/// Fractional routings by shortest paths, and what weights of links make of them.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "network.hpp"

namespace clopt {
class ThreadTeam;
}

namespace clopt::exchange {

/// Which of several predecessors of a node, all on shortest paths, a routing takes.
enum class Split {
  evenly,  ///< each as much as the others
  first,   ///< the one with the lowest number
  last     ///< the one with the highest
};

/// A routing: the load of each link, and what it costs.
struct Routing {
  std::vector<double> loads;
  double cost = 0;  ///< the sum over transfers of their paths' weights
  double largest_load() const;
};

/// Routes a problem's transfers, sender by sender. Copies share the paths, and differ in which transfers are left out.
class Router {
 public:
  Router(const Problem& problem, const Network& network);

  /// A transfer is routed no more.
  void leave_out(const Transfer& transfer);

  const Network& network() const { return *network_; }
  /// Whether route() uses several threads, unless it is called by one of a team's.
  bool is_worth_threads() const;
  /// Senders that have transfers.
  const std::vector<std::uint32_t>& senders() const { return senders_; }
  /// How many transfers the k-th sender has to a node.
  double demand(std::size_t sender, std::uint32_t to) const { return demands_[sender * network_->nodes() + to]; }
  /// Every transfer on lightest paths among its shortest ones; no weights at all: any shortest path. O(senders *
  /// links).
  Routing route(std::span<const double> weights, Split split) const;

 private:
  /// A link on a shortest path, and the node that it leaves.
  struct Hop {
    std::uint32_t link;
    std::uint32_t before;
  };
  /// The nodes that each sender reaches, nearest first, sender by sender; and for each the last hops of shortest paths.
  struct Trees {
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> end;  ///< of each sender's nodes
    std::vector<Hop> hops;
    std::vector<std::size_t> first_hop;  ///< of each node in the order, and the end
  };
  /// Room for the routing from a sender, an element a node.
  struct Scratch {
    std::vector<double> costs;
    std::vector<double> amounts;
  };

  void add_tree(std::size_t sender, Trees& trees) const;
  void route_from(std::size_t sender, std::span<const double> weights, Split split, Scratch& scratch,
                  Routing& routing) const;

  const Network* network_;
  std::vector<std::uint32_t> senders_;
  std::vector<double> demands_;
  std::shared_ptr<const Trees> trees_;
  std::shared_ptr<ThreadTeam> team_;  ///< where it is worth its threads
};

}  // namespace clopt::exchange
