#include "group.hpp"

#include <algorithm>
#include <utility>

namespace clopt::group {

void Group::set_members(std::vector<std::string> hosts) {
  hosts_ = std::move(hosts);
  failures_.resize(hosts_.size());
  said_bye_.resize(hosts_.size());
}

std::size_t Group::byes() const {
  return static_cast<std::size_t>(std::count(said_bye_.begin(), said_bye_.end(), true));
}

bool Group::poll(const std::function<void(std::size_t, cluster::Kind, std::uint32_t, ByteReader)>& take) {
  return transport().poll([&](int source, Bytes message) {
    const auto rank = static_cast<std::size_t>(source);
    ByteReader reader(message);
    const auto kind = reader.take<cluster::Kind>();
    const auto run_number = reader.take<std::uint32_t>();
    if (kind == cluster::Kind::bye)
      said_bye_[rank] = true;
    else if (kind == cluster::Kind::error && run_number == 0)
      failures_[rank] = Bytes(reader.rest().begin(), reader.rest().end());
    else
      take(rank, kind, run_number, reader);
  });
}

}  // namespace clopt::group
