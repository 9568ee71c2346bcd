#include "group.hpp"

#include <clopt/error.hpp>
#include <support/threads/private_run.hpp>

#include <algorithm>
#include <utility>

namespace clopt::group {
namespace {

Group* the_job = nullptr;

}  // namespace

Group::~Group() {
  if (the_job == this) the_job = nullptr;
}

Group* Group::job() { return the_job; }

Group* Group::of_run() {
  if (!the_job || PrivateRun::is_current()) return nullptr;
  if (the_job->transport().rank() != 0)
    throw InvalidInput("this is not the first rank, which alone calls solve(); the others call serve()");
  return the_job;
}

void Group::become_job() { the_job = this; }

void Group::set_members(std::vector<std::string> hosts) {
  hosts_ = std::move(hosts);
  failures_.resize(hosts_.size());
  said_bye_.resize(hosts_.size());
}

std::size_t Group::byes() const {
  return static_cast<std::size_t>(std::count(said_bye_.begin(), said_bye_.end(), true));
}

bool Group::poll(const std::function<void(std::size_t, Kind, std::uint32_t, ByteReader)>& take) {
  return transport().poll([&](int source, Bytes message) {
    const auto rank = static_cast<std::size_t>(source);
    ByteReader reader(message);
    const auto kind = reader.take<Kind>();
    const auto run_number = reader.take<std::uint32_t>();
    if (kind == Kind::bye)
      said_bye_[rank] = true;
    else if (kind == Kind::error && run_number == 0)
      failures_[rank] = Bytes(reader.rest().begin(), reader.rest().end());
    else
      take(rank, kind, run_number, reader);
  });
}

}  // namespace clopt::group
