/// \file
/// The certificate of a bound and a schedule.
#include <clopt/exchange.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <run/certificate.hpp>

namespace clopt::exchange {
namespace {

using Json = nlohmann::ordered_json;

// Calls `visit` with each link's first channel and how many parallel ones it has.
template <class Visit>
void for_each_group_of_channels(const std::vector<Link>& links, Visit visit) {
  for (std::size_t first = 0; first < links.size();) {
    auto end = first + 1;
    while (end < links.size() && links[end] == links[first]) ++end;
    visit(first, end - first);
    first = end;
  }
}

// Groups of senders and receivers: each sender sends to each receiver but itself. One group where that is all, as in
// the complete exchange; else one for each sender and number of transfers of a pair, which stands there where it is not
// 1.
Json groups_of(const Problem& problem) {
  const auto& transfers = problem.transfers;
  std::vector<std::uint32_t> senders;
  std::vector<std::uint32_t> receivers;
  for (const auto& each : transfers) {
    if (senders.empty() || senders.back() != each.from) senders.push_back(each.from);
    receivers.push_back(each.to);
  }
  std::sort(receivers.begin(), receivers.end());
  receivers.erase(std::unique(receivers.begin(), receivers.end()), receivers.end());
  const auto both = std::count_if(senders.begin(), senders.end(), [&](auto sender) {
    return std::binary_search(receivers.begin(), receivers.end(), sender);
  });
  // None leads from a node to itself.
  const bool is_each_once = std::adjacent_find(transfers.begin(), transfers.end()) == transfers.end();
  if (is_each_once && senders.size() * receivers.size() - static_cast<std::size_t>(both) == transfers.size())
    return Json::array({Json::array({senders, receivers})});
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint32_t>> alike;
  for (const auto& [from, to, slots] : demands_of(problem)) alike[{from, slots}].push_back(to);
  auto groups = Json::array();
  for (const auto& [group, to] : alike) {
    groups.push_back(Json::array({Json::array({group.first}), to}));
    if (group.second > 1) groups.back().push_back(group.second);
  }
  return groups;
}

Certificate certify(const Problem& problem, const Bound& bound, const Schedule* schedule) {
  const auto& links = problem.topology.links;
  if (bound.weights.size() != links.size()) return {{}, "the run ended before it had a bound"};
  auto channels = Json::array();
  auto weights = Json::array();
  for_each_group_of_channels(links, [&](std::size_t first, std::size_t count) {
    const auto& link = links[first];
    channels.push_back({link.from, link.to, count});
    if (bound.weights[first] > 0) weights.push_back({link.from, link.to, bound.weights[first]});
  });
  Json placements;
  if (schedule != nullptr) {
    placements = Json::array();
    for (const auto& each : schedule->placements) {
      auto placement = Json::array({each.slot});
      for (const auto node : each.path) placement.push_back(node);
      placements.push_back(std::move(placement));
    }
  }
  auto whole = certificate_head("exchange");
  whole["nodes"] = problem.topology.nodes;
  whole["channels"] = std::move(channels);
  whole["transfers"] = groups_of(problem);
  whole["claim"] = {{"bound", bound.steps}, {"steps", schedule != nullptr ? Json(schedule->steps) : Json()}};
  whole["evidence"] = {{"weights", std::move(weights)}, {"schedule", std::move(placements)}};
  return certificate_of(whole);
}

}  // namespace

Certificate certify(const Problem& problem, const Bound& bound) { return certify(problem, bound, nullptr); }

Certificate certify(const Problem& problem, const Result& result) {
  return certify(problem, result.bound, result.conflicts == 0 ? &result.schedule : nullptr);
}

}  // namespace clopt::exchange
