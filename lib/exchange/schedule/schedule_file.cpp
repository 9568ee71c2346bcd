#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::exchange {
namespace {

using Json = nlohmann::json;

class ScheduleReader {
 public:
  explicit ScheduleReader(const std::string& name) : name_(printable(name)) {}

  ClaimedSchedule read(const std::string& text) const {
    const auto json = parsed(text);
    if (!json.is_object()) refuse("it is not a JSON object");
    require_known(json, {"nodes", "steps", "topology", "network", "pattern", "seed", "without_links", "without_nodes",
                         "demands", "transfers"});
    ClaimedSchedule schedule;
    schedule.nodes = integer(field(json, "nodes"), "nodes");
    schedule.steps = integer(field(json, "steps"), "steps");
    schedule.topology = text_of(field(json, "topology"), "topology");
    if (json.contains("network")) schedule.network = text_of(json["network"], "network");
    if (json.contains("pattern")) schedule.pattern = text_of(json["pattern"], "pattern");
    if (json.contains("seed")) {
      if (!json["seed"].is_number_unsigned()) refuse("'seed' is not an integer from 0");
      schedule.seed = json["seed"].get<std::uint64_t>();
    }
    if (json.contains("without_links")) read_links(json["without_links"], schedule);
    if (json.contains("without_nodes"))
      for (const auto& node : array(json["without_nodes"], "without_nodes"))
        schedule.without_nodes.push_back(number(node, "without_nodes"));
    if (json.contains("demands")) read_demands(json["demands"], schedule);
    const auto& transfers = array(field(json, "transfers"), "transfers");
    for (const auto& each : transfers) schedule.transfers.push_back(transfer(each));
    return schedule;
  }

 private:
  // JSON takes the last of members of one name, and other readers the first.
  Json parsed(const std::string& text) const {
    std::vector<std::vector<std::string>> names;
    const auto check = [&](int, Json::parse_event_t event, const Json& name) {
      if (event == Json::parse_event_t::object_start) names.emplace_back();
      if (event == Json::parse_event_t::object_end) names.pop_back();
      if (event != Json::parse_event_t::key) return true;
      auto& before = names.back();
      const auto& own = name.get_ref<const std::string&>();
      if (std::find(before.begin(), before.end(), own) != before.end())
        refuse(fmt::format("an object has '{}' twice", printable(own)));
      before.push_back(own);
      return true;
    };
    try {
      return Json::parse(text, check);
    } catch (const Json::parse_error& error) {
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
      refuse(fmt::format("it is not JSON in line {}", 1 + std::count(text.begin(), end, '\n')));
    } catch (const Json::out_of_range&) {
      refuse("it has a number that is too large");
    }
  }
  void require_known(const Json& json, std::initializer_list<std::string_view> known) const {
    for (const auto& [name, value] : json.items())
      if (std::find(known.begin(), known.end(), name) == known.end())
        refuse(fmt::format("the member '{}' is not understood", printable(name)));
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InvalidInput(
        fmt::format("{}: {}; a schedule is an object with 'nodes', 'steps', 'topology' and 'transfers', "
                    "a list of objects with 'from', 'to', 'slot' and 'path', a list of nodes",
                    name_, what));
  }
  const Json& field(const Json& json, const char* name) const {
    const auto found = json.find(name);
    if (found == json.end()) refuse(fmt::format("'{}' is missing", name));
    return *found;
  }
  std::int64_t integer(const Json& json, const char* name) const {
    if (!json.is_number_integer()) refuse(fmt::format("'{}' is not an integer", name));
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
      refuse(fmt::format("'{}' is {}, which is more than any schedule has", name, json.get<std::uint64_t>()));
    return json.get<std::int64_t>();
  }
  std::uint32_t number(const Json& json, const char* name) const {
    const auto found = integer(json, name);
    if (found < 0 || found >= most_nodes) refuse(fmt::format("'{}' has a node that cannot be", name));
    return static_cast<std::uint32_t>(found);
  }
  std::string text_of(const Json& json, const char* name) const {
    if (!json.is_string()) refuse(fmt::format("'{}' is not a text", name));
    if (json.get_ref<const std::string&>().empty()) refuse(fmt::format("'{}' is empty", name));
    return json.get<std::string>();
  }
  const Json& array(const Json& json, const char* name) const {
    if (!json.is_array()) refuse(fmt::format("'{}' is not a list", name));
    return json;
  }
  void read_links(const Json& json, ClaimedSchedule& schedule) const {
    for (const auto& link : array(json, "without_links")) {
      if (!link.is_array() || link.size() != 2) refuse("'without_links' has what is not a pair of nodes");
      schedule.without_links.push_back({number(link[0], "without_links"), number(link[1], "without_links")});
    }
  }
  void read_demands(const Json& json, ClaimedSchedule& schedule) const {
    for (const auto& demand : array(json, "demands")) {
      if (!demand.is_array() || demand.size() != 3) refuse("'demands' has what is not two nodes and a number of slots");
      const auto slots = integer(demand[2], "demands");
      if (slots < 1) refuse("'demands' has a number of slots below 1");
      schedule.demands.push_back(
          {number(demand[0], "demands"), number(demand[1], "demands"), static_cast<std::uint64_t>(slots)});
    }
  }
  ClaimedTransfer transfer(const Json& json) const {
    if (!json.is_object()) refuse("'transfers' has what is not an object");
    require_known(json, {"from", "to", "slot", "path"});
    ClaimedTransfer transfer{integer(field(json, "from"), "from"),
                             integer(field(json, "to"), "to"),
                             integer(field(json, "slot"), "slot"),
                             {}};
    const auto& path = array(field(json, "path"), "path");
    for (const auto& node : path) transfer.path.push_back(integer(node, "path"));
    return transfer;
  }

  std::string name_;
};

}  // namespace

ClaimedSchedule read_schedule(std::istream& text, const std::string& name) {
  return ScheduleReader(name).read(TextReader(text, name).rest());
}

std::string to_json(const ClaimedSchedule& schedule) {
  nlohmann::ordered_json json{{"nodes", schedule.nodes}, {"steps", schedule.steps}, {"topology", schedule.topology}};
  if (!schedule.network.empty()) json["network"] = schedule.network;
  json["pattern"] = schedule.pattern;
  json["seed"] = schedule.seed;
  if (!schedule.without_links.empty()) {
    json["without_links"] = Json::array();
    for (const auto& link : schedule.without_links) json["without_links"].push_back({link.from, link.to});
  }
  if (!schedule.without_nodes.empty()) json["without_nodes"] = schedule.without_nodes;
  if (!schedule.demands.empty()) {
    json["demands"] = Json::array();
    for (const auto& each : schedule.demands) json["demands"].push_back({each.from, each.to, each.slots});
  }
  json["transfers"] = nlohmann::ordered_json::array();
  for (const auto& each : schedule.transfers)
    json["transfers"].push_back({{"from", each.from}, {"to", each.to}, {"slot", each.slot}, {"path", each.path}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace clopt::exchange
