// The module of SMPI: linked in, since SMPI copies the program's globals for each rank, and not those of what it loads.
#include <cluster/module.hpp>

#include <simgrid/s4u.hpp>

#include "shared_state.hpp"

namespace clopt::cluster {
namespace {

const clopt_cluster_module& real() { return *clopt_cluster_module_entry(); }

std::uint32_t& on_their_way_to(int rank) { return shared_state().on_their_way[static_cast<std::size_t>(rank)]; }

void take_time() {
  const double seconds = shared_state().message_seconds;
  if (seconds > 0) simgrid::s4u::this_actor::sleep_for(seconds);
}

int begin_send(int destination, const void* data, int bytes, void** transfer) {
  take_time();
  const auto kind = *static_cast<const unsigned char*>(data) % SharedState::kinds;
  ++shared_state().messages[kind];
  shared_state().bytes[kind] += static_cast<unsigned>(bytes);
  ++on_their_way_to(destination);
  return real().begin_send(destination, data, bytes, transfer);
}

int begin_receive(int source, void* data, int bytes, void** transfer) {
  take_time();
  --on_their_way_to(real().rank());
  return real().begin_receive(source, data, bytes, transfer);
}

// Ranks look a thousand times a second. Where nothing is on its way SMPI need not be asked, which takes it long.
int probe(int* has_come, int* source, int* bytes) {
  *has_come = 0;
  return on_their_way_to(real().rank()) == 0 ? 0 : real().probe(has_come, source, bytes);
}

}  // namespace

const clopt_cluster_module& load_module(const std::vector<std::string>&) {
  static const auto module = [] {
    auto table = real();
    table.begin_send = begin_send;
    table.begin_receive = begin_receive;
    table.probe = probe;
    return table;
  }();
  return module;
}

}  // namespace clopt::cluster
