#include <clopt/error.hpp>
#include <clopt/exchange_fitness.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include <device/solver_devices.hpp>
#include <exchange/network/network.hpp>
#include "fitness.hpp"

namespace clopt::exchange {
namespace {

// Genes that devices hold at once: 256 MB.
constexpr std::uint64_t most_genes = std::uint64_t{1} << 26;
constexpr std::uint64_t most_individuals = 1 << 16;

Problem checked(Problem problem, std::uint32_t slots, std::span<const std::shared_ptr<Device>> devices) {
  require_devices(devices);
  if (slots < 1 || slots > most_slots)
    throw InvalidInput(fmt::format("exchange: a schedule has {} slots; give 1 to {}", slots, most_slots));
  if (problem.transfers.empty()) throw InvalidInput("exchange: the problem has no transfers; give some");
  for (const auto& [from, to] : problem.transfers)
    if (from == to || std::max(from, to) >= problem.topology.nodes)
      throw InvalidInput(fmt::format("exchange: the problem has a transfer {}-{}; give two of the {} nodes", from, to,
                                     problem.topology.nodes));
  return problem;
}

}  // namespace

struct Fitness::Members {
  Members(Problem given, std::uint32_t steps, std::span<const std::shared_ptr<Device>> devices, Method method)
      : problem(std::move(given)),
        network(problem.topology),
        table(make_gene_table(problem, network, Paths(network))),
        slots(steps),
        genes(table.genes.size()),
        paths(genes) {
    devices.front()->begin_self_test("exchange");
    for (std::uint32_t gene = 0; gene < genes.size(); ++gene) {
      genes[table.transfers[gene]] = gene;
      paths[table.transfers[gene]] = table.genes[gene].paths;
    }
    // Pairs are counted slot by slot, in about as much room each.
    const auto of_one = method == Method::pairs ? std::max<std::size_t>(genes.size(), 3 * slots) : genes.size();
    const auto most = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_genes / of_one, 1, most_individuals));
    Options sizes;
    sizes.population = most;
    team = std::make_unique<FitnessTeam>(devices, table, population_of(table, slots, sizes), method, most);
  }

  /// \param schedules how many there are to be numbers of.
  void check(std::span<const std::uint32_t> given_slots, std::span<const std::uint32_t> numbers,
             std::size_t schedules) const {
    if (given_slots.size() != schedules * genes.size() || numbers.size() != given_slots.size())
      throw InvalidInput(
          fmt::format("exchange: {} slots and {} paths of {} schedules; give one of each for each of the {} transfers "
                      "of a schedule",
                      given_slots.size(), numbers.size(), schedules, genes.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto transfer = i % genes.size();
      if (given_slots[i] < slots && numbers[i] < paths[transfer]) continue;
      throw InvalidInput(fmt::format(
          "exchange: schedule {} has transfer {} in slot {} on path {}; there are slots below {}, and paths below {}",
          i / genes.size(), transfer, given_slots[i], numbers[i], slots, paths[transfer]));
    }
  }

  const Problem problem;
  const Network network;
  const GeneTable table;
  const std::uint32_t slots;
  std::vector<std::uint32_t> genes;  ///< of each transfer
  std::vector<std::uint32_t> paths;
  std::unique_ptr<FitnessTeam> team;
  std::mutex mutex;  ///< for calls of the team
};

Fitness::Fitness(Problem problem, std::uint32_t slots, std::span<const std::shared_ptr<Device>> devices,
                 std::string_view method)
    : members_(
          std::make_unique<Members>(checked(std::move(problem), slots, devices), slots, devices, method_of(method))) {}

Fitness::Fitness(Problem problem, std::uint32_t slots, Device& device, std::string_view method)
    : Fitness(std::move(problem), slots, std::vector{non_owning(device)}, method) {}

Fitness::~Fitness() = default;

const Problem& Fitness::problem() const { return members_->problem; }
std::uint32_t Fitness::slots() const { return members_->slots; }
std::span<const std::uint32_t> Fitness::paths() const { return members_->paths; }
std::vector<std::string> Fitness::failures() const { return members_->team->failures(); }

std::vector<std::uint32_t> Fitness::path(std::size_t transfer, std::uint32_t number) const {
  const auto& all = *members_;
  if (transfer >= all.paths.size())
    throw InvalidInput(fmt::format("exchange: there are {} transfers, and no number {}", all.paths.size(), transfer));
  if (number >= all.paths[transfer])
    throw InvalidInput(
        fmt::format("exchange: transfer {} has {} paths, and no number {}", transfer, all.paths[transfer], number));
  const auto& gene = all.table.genes[all.genes[transfer]];
  std::vector<std::uint32_t> nodes{all.problem.transfers[transfer].from};
  for (std::uint32_t hop = 0; hop < gene.hops; ++hop)
    nodes.push_back(all.network.links()[all.table.paths[gene.first + number * gene.hops + hop]].to);
  return nodes;
}

void Fitness::count(std::span<const std::uint32_t> slots, std::span<const std::uint32_t> numbers,
                    std::span<std::uint64_t> conflicts) {
  members_->check(slots, numbers, conflicts.size());
  const std::lock_guard lock(members_->mutex);
  const auto& transfers = members_->table.transfers;
  // Numbers of individuals have 32 bits.
  constexpr std::size_t most_at_once = std::size_t{1} << 30;
  for (std::size_t done = 0; done < conflicts.size(); done += most_at_once) {
    const auto part = conflicts.subspan(done, std::min(most_at_once, conflicts.size() - done));
    members_->team->evaluate(
        static_cast<std::uint32_t>(part.size()),
        [&](std::uint32_t first, std::uint32_t end, std::uint32_t* genes) {
          for (auto i = done + first; i < done + end; ++i)
            for (const auto transfer : transfers) {
              const auto place = i * transfers.size() + transfer;
              *genes++ = slots[place] << 16 | numbers[place];
            }
        },
        part);
  }
}

Schedule Fitness::schedule(std::span<const std::uint32_t> slots, std::span<const std::uint32_t> numbers) const {
  members_->check(slots, numbers, 1);
  Schedule schedule{members_->slots, {}};
  for (std::size_t i = 0; i < slots.size(); ++i) schedule.placements.push_back({slots[i], path(i, numbers[i])});
  return schedule;
}

}  // namespace clopt::exchange
