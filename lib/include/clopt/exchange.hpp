/// \file
/// Schedules of the complete exchange, and of other patterns, on wormhole networks: every transfer takes one shortest
/// path in one time slot, and no two transfers of a slot use the same one-way channel. A link has one channel each way,
/// or several parallel ones, which carry as many transfers in a slot.
#pragma once

#include <clopt/export.hpp>

#include <clopt/certificate.hpp>
#include <clopt/fields.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {
class Checkpoint;
class CheckpointWriter;
class Device;
class Devices;
}  // namespace clopt

namespace clopt::exchange {

/// What a node does besides forwarding, which every node does.
enum class Role : std::uint8_t { both, sender, receiver, router };
/// "both", "sender", "receiver" or "router".
CLOPT_API std::string_view name_of(Role role);

/// A one-way channel between two nodes.
struct Link {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  auto operator<=>(const Link&) const = default;
};

/// A network of nodes 0 to nodes-1. A channel's number is its index in `links`.
struct Topology {
  std::string name;         ///< as it was given: "mesh:4x4", or the file's name
  std::uint32_t nodes = 0;  ///< at most most_nodes
  std::vector<Link> links;  ///< ascending; each once, or as often as it has parallel channels
  std::vector<Role> roles;  ///< one for each node
  /// Where a file gives the number of nodes, which messages point at; 0: it is not from a file.
  std::size_t nodes_line = 0;
};

/// The most nodes that a topology may have.
inline constexpr std::uint32_t most_nodes = 4096;

/// The most parallel channels between two nodes, each way.
inline constexpr std::uint32_t most_channels = 64;

/// How topologies are described: "mesh:AxB[x...]", "hypercube:D", and so on.
CLOPT_API const std::vector<std::string>& topology_classes();

/// A topology from its description. Meshes and tori are numbered row by row, the last dimension fastest; neighbours of
/// a hypercube differ in one bit; rings, Spidergons and circulants run around; a fat tree K x N is the K-ary N-tree,
/// whose K^N terminals come before its switches (level by level, the terminals' own first), which only route.
/// \param seed draws `random:N:DEGREE`; the others do not depend on it.
/// \throws InvalidInput for a description that means nothing, with what is known, or more than most_nodes nodes.
CLOPT_API Topology make_topology(std::string_view description, std::uint64_t seed = 1);

/// Reads a topology, a statement a line: `nodes N`, `link A B` (both ways), `arc A B` (one way), each with a third
/// number where it has parallel channels, from 1 to most_channels, `role A sender|receiver|router`; `#` starts a
/// comment. Or numbers alone: a list of edges, `A B` or `A B CHANNELS` on every line (both ways, once or in both
/// orders; the number of nodes may stand before them), or an adjacency matrix of channels. Or what `nvidia-smi topo -m`
/// prints, of which the NVLinks are taken. O(words).
/// \param name what to call the text in messages. \throws InvalidInput with name and line.
CLOPT_API Topology read_topology(std::istream& text, const std::string& name);

/// The text that read_topology() reads as this topology.
CLOPT_API std::string write_topology(const Topology& topology);

/// Takes a link away with all of its channels, both ways where it has two. \throws InvalidInput where there is none.
CLOPT_API void remove_link(Topology& topology, std::uint32_t a, std::uint32_t b);
/// Takes a node out of use: its links go, and it neither sends nor receives. The others keep their numbers.
CLOPT_API void remove_node(Topology& topology, std::uint32_t node);

/// A message to be scheduled.
struct Transfer {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  auto operator<=>(const Transfer&) const = default;
};

/// What is to be scheduled.
struct Problem {
  Topology topology;
  std::string pattern;              ///< as it was given
  std::vector<Transfer> transfers;  ///< ascending, each as often as its demand is, which is once without demands
};

/// A message that takes several slots, in each of which a part of it takes a path of its own.
struct Demand {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t slots = 1;
  auto operator<=>(const Demand&) const = default;
};

/// The most transfers of a problem, and slots of a demand.
inline constexpr std::uint64_t most_transfers = std::uint64_t{1} << 24;
inline constexpr std::uint64_t most_slots = 65'535;

/// How patterns are described: "all-to-all", "scatter:ROOT", and so on.
CLOPT_API const std::vector<std::string>& pattern_classes();

/// The transfers of a pattern on a topology, of those nodes only whose roles allow it.
/// \throws InvalidInput for an unknown pattern, a node out of range, a root that may not send (or receive), a pattern
///         without any transfer, and for a transfer without a path, which is named.
CLOPT_API Problem make_problem(Topology topology, std::string_view pattern);

/// The same of messages of unequal size, where each slot of a message is a transfer. \param pattern what results call
/// them: "demand", or "demand:" and a name. \param demands in any order; 0 slots are no message.
/// \throws InvalidInput also for a pair that is there twice, a message of a node for itself, more than
///         most_slots of a message, and more than most_transfers.
CLOPT_API Problem make_problem(Topology topology, std::string_view pattern, std::vector<Demand> demands);

/// Whether a pattern is one of demands, whose transfers are not in its text.
CLOPT_API bool has_demands(std::string_view pattern);

/// Reads demands: a square of whole numbers, from the row's node to the column's, for all nodes or for those that are
/// not routers; or a table with the columns `from`, `to` and `slots` in any order. Commas, semicolons or white space
/// stand between them; `#` starts a comment. O(words). \param name what to call the text in messages.
/// \throws InvalidInput with name and line.
CLOPT_API std::vector<Demand> read_demands(std::istream& text, const std::string& name, const Topology& topology);

/// The table that read_demands() reads as these.
CLOPT_API std::string write_demands(const std::vector<Demand>& demands);

/// The demands of a problem, ascending; of a pattern of another kind, a slot each.
CLOPT_API std::vector<Demand> demands_of(const Problem& problem);

/// Where and when a transfer takes place.
struct Placement {
  std::uint32_t slot = 0;
  std::vector<std::uint32_t> path;  ///< nodes, both ends included
};

/// A schedule: a placement for each transfer of a problem, in its order.
struct Schedule {
  std::uint32_t steps = 0;
  std::vector<Placement> placements;
};

/// A proof that no schedule has fewer steps: integer weights of channels, the same for parallel ones. Every shortest
/// path of a transfer weighs at least the lightest one; a slot has room for the sum of all weights at most. So no
/// schedule has fewer steps than the sum over transfers of the lightest path's weight, divided by the sum of all
/// weights, rounded up.
struct Bound {
  std::uint64_t steps = 0;             ///< the bound
  std::vector<std::uint64_t> weights;  ///< one for each channel, not all 0
  /// A routing is known whose largest load, possibly fractional, is this: `steps` is the best bound of this kind where
  /// it is not above `steps`.
  double routing_load = 0;
  std::string source;  ///< what found the weights: "quick weights", "dual ascent" or "linear programme"
  bool exact() const { return routing_load <= static_cast<double>(steps) + 1e-6; }
};

/// The bound that weights of channels prove, by integers alone. O(nodes * links). \throws InvalidInput where all are 0,
/// or sums pass 2^63.
CLOPT_API std::uint64_t bound_of(const Problem& problem, std::span<const std::uint64_t> weights);

/// The bound of a problem with its certificate. \param control ends a long computation with the best so far.
CLOPT_API Bound find_bound(const Problem& problem, const RunControl& control = {});

/// Where a search stands, for Options::statistics; the values are conflicts. Of `umda`: a generation, and the
/// individuals of its population. Of `anneal` and `tabu`: a launch of each of the groups that compete, whose values
/// are those of each group's best replica; `generation` counts sweeps and `evaluations` moves, as in Result.
struct Statistics : GenerationStatistics {
  std::uint32_t steps = 0;  ///< of the schedules that are searched
};

/// How to solve. `Options{}` looks for a schedule of as few steps as can be found.
struct Options {
  std::string optimizer = "auto";  ///< a choice of the field
  std::string offload = "host";    ///< umda: "host" (the optimiser on the host, fitness on devices) or "device"
  std::string method = "links";    ///< umda's fitness: "links" (histogram) or "pairs" (of paths, as in the paper)
  /// Steps of the schedule; none: as few as can be found, for `umda` the bound.
  std::optional<std::uint32_t> steps;
  bool steps_are_bound = false;    ///< in place of steps: exactly as many as the bound
  std::uint32_t population = 256;  ///< umda, from 2 to most_population, of each island
  std::uint32_t tournament = 4;    ///< umda: individuals of which the best is selected, from 1 to most_tournament
  /// umda: genes of a new individual that are mutated, at most, from 0 to most_mutations. The first is any; each
  /// further one is a transfer that the one before meets on a link, so that there are fewer where there is none.
  std::uint32_t mutations = 3;
  /// umda: values drawn for a mutated gene, of which the one with the fewest conflicts is taken, from 1 to most_tries.
  /// 1: any gene takes any value, which is all that the paper's text says.
  std::uint32_t tries = 32;
  /// umda: transfers that share a gene, being images of each other by symmetries of the network, at most; from 1, as in
  /// the paper's text, to most_symmetries.
  std::uint32_t symmetries = 64;
  std::uint32_t islands = 1;  ///< umda: populations side by side, from 1 to most_islands; several are a device's each
  /// umda: generations after which the best individual of each island goes to the next one; 0: never.
  std::uint64_t migrate_every = 20;
  std::uint32_t queues = 2;  ///< umda with offload to devices: queues of each, used in turn, 1 or 2; no result differs
  unsigned threads = 0;      ///< of the host, where it has a part in the search; 0: the cores that the process may use
  std::uint32_t replicas = 16;  ///< anneal and tabu: replicas of each of a search's trials, from 1 to most_replicas
  /// anneal and tabu: searches with seeds of their own, from 1 to most_searches. The result is that of the first one,
  /// in sweeps, to find a schedule; of several the one of the least number. Each takes as much memory as one.
  std::uint32_t searches = 1;
  /// The searches that this run makes, of all `searches`, at a number of steps that is given; none: all. Each is that
  /// of a run of all of them.
  std::optional<WorkRange> range;
  std::optional<std::uint64_t> generations;  ///< limit, counted from the very start; none: see most_generations
  std::uint64_t seed = 1;
  /// Called after each generation or launch, on the thread that called solve(); or null. `construct` and `pack`, and
  /// `auto` while it packs, have no generations and never call it.
  std::function<void(const Statistics&)> statistics = nullptr;
  /// Called with the bound and each schedule without conflicts that has fewer steps than the one before, as soon as it
  /// is known, one call at a time; or null. So the best is available where a driver or a compiler does not return.
  /// Called on the thread that called solve(), or on one that packs beside a device. What it throws ends the run and
  /// reaches the caller.
  std::function<void(const Bound&, const Schedule&)> found = nullptr;
  /// Written at least once a second, and at the end; or null.
  std::shared_ptr<CheckpointWriter> checkpoint = nullptr;
  /// The state to resume from; or null. It must be of the same topology, pattern, steps, optimizer, seed, and
  /// population or replicas and searches; the rest may change.
  std::shared_ptr<const Checkpoint> resume = nullptr;
};

/// The fields of the options with their ranges, choices and meanings; these must outlive the table.
CLOPT_API FieldTable fields(Options& options);

/// The largest population of `umda`.
inline constexpr std::uint32_t most_population = 1 << 17;

/// The most individuals of a tournament, mutated genes and values of each, of `umda`.
inline constexpr std::uint32_t most_tournament = 64;
inline constexpr std::uint32_t most_mutations = 64;
inline constexpr std::uint32_t most_tries = 64;

/// The most transfers that share a gene of `umda`.
inline constexpr std::uint32_t most_symmetries = 1024;

/// The most islands of `umda`.
inline constexpr std::uint32_t most_islands = 1024;

/// The most replicas that a trial may have.
inline constexpr std::uint32_t most_replicas = 65536;

/// The most searches of a run.
inline constexpr std::uint32_t most_searches = 1024;

/// Where neither generations nor a time limit a run, `umda` ends after this many generations.
inline constexpr std::uint64_t most_generations = 100'000;

/// An answer. `method` is the optimizer used; `reason` names what found the schedule, and which proof holds; `checksum`
/// is of the schedule, or of umda's last population: of several islands that of the one that has found a schedule
/// first, or of all. The ending is
/// - `target` where a schedule of the steps that were asked for was found,
/// - `complete` where the schedule is as good as the bound, or where the optimizer has no more to try,
/// - `generations`, `time` or `interrupted` where that ended the run before.
struct Result : RunResult {
  Schedule schedule;  ///< the best found; valid where `conflicts` is 0
  Bound bound;
  /// Over all slots, over all pairs of transfers in it, the number of channels that they share.
  std::uint64_t conflicts = 0;
  std::uint64_t generations = 0;  ///< of umda; else sweeps of the annealing
  std::uint64_t evaluations = 0;  ///< of umda: individuals; else exact moves
  /// The same with those that several devices or searches made and that did not count, since the run began or was
  /// resumed.
  std::uint64_t evaluations_done = 0;
  double bound_seconds = 0;  ///< finding the bound, within seconds.total
  // What merge() needs besides:
  std::uint32_t search = 0;            ///< the number, from 0, of the search that the schedule is of
  std::uint64_t search_conflicts = 0;  ///< of the schedule, as the search counts them; 0 ends all searches
  /// Steps above the bound: no schedule has fewer steps than schedule.steps - gap(). For valid schedules.
  std::uint64_t gap() const { return schedule.steps - bound.steps; }
};

/// Checks a run before a device is opened. \throws InvalidInput, as solve() does for what no device is needed for.
CLOPT_API void check(const Problem& problem, const Options& options);

/// Solves a problem on one device or several. A result does not depend on their number. A device that fails leaves its
/// work to the others. `umda` with offload to a device uses the first device, and restarts on the next one where it
/// fails. While it searches, Progress::best is the least number of conflicts found for the steps that are searched.
/// \throws InvalidInput for no device, options without meaning, steps below the bound, `construct` on a network for
/// which
///         no construction is known, and a checkpoint of another run; DeviceError where all devices fail; InternalError
///         where a schedule without conflicts does not pass check().
CLOPT_API Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                       const RunControl& control = {});
/// The same on one device, which must outlive the call.
CLOPT_API Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});
/// The same on the devices that are given, or on the one that the work chooses (clopt/devices.hpp).
CLOPT_API Result solve(const Problem& problem, const Options& options, const Devices& devices,
                       const RunControl& control = {});

/// Everything that the result of all searches depends on, the limit of generations included: results of ranges belong
/// together where it is the same. \throws InvalidInput where the run cannot be divided: of a single search; of umda,
/// pack and construct; without `steps` or `steps_are_bound`, since every attempt follows from the one before; and
/// without `generations`, since a search does not learn that another one has found a schedule.
CLOPT_API RunIdentity identity(const Problem& problem, const Options& options);

/// A result as numbers, to be sent or written. O(its size).
CLOPT_API Record pack(const Result& result);
/// A result that was packed. \throws InvalidInput where it is none of this problem.
CLOPT_API Result unpack(const Record& record, const Problem& problem);

/// The result of all searches, of the results of ranges in their order: that of the first search, in sweeps, to find a
/// schedule, then of the least number; where none has, of the one with the fewest conflicts. Times, launches and
/// `evaluations_done` are added up. \param parts at least one, of the same run. O(their sizes).
CLOPT_API Result merge(std::vector<Result> parts);

/// Conflicts of a schedule: the sum over slots and channels used u times of u(u-1)/2, where the transfers over a link
/// are spread evenly over its parallel channels.
CLOPT_API std::uint64_t count_conflicts(const Problem& problem, const Schedule& schedule);

/// A transfer as a file contains it, unchecked.
struct ClaimedTransfer {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t slot = 0;
  std::vector<std::int64_t> path;
};

/// A schedule as a file contains it, unchecked.
struct ClaimedSchedule {
  std::int64_t nodes = 0;
  std::int64_t steps = 0;
  std::string topology;                ///< as it was given
  std::string network;                 ///< its statements, where it is neither a class nor a file; empty where it is
  std::string pattern = "all-to-all";  ///< files of other programs may leave out this and the following members
  std::uint64_t seed = 1;              ///< that drew the topology
  std::vector<Link> without_links;     ///< that were removed from the topology, and nodes
  std::vector<std::uint32_t> without_nodes;
  std::vector<Demand> demands;  ///< of a pattern of demands
  std::vector<ClaimedTransfer> transfers;
};

/// Reads a schedule's JSON: {nodes, steps, topology, transfers: [{from, to, slot, path: [nodes]}]}.
/// A topology that is no class and no file has its statements in `network`. \param name what to call the text in
/// messages. \throws InvalidInput for what is not of this form.
CLOPT_API ClaimedSchedule read_schedule(std::istream& text, const std::string& name);

/// The JSON that read_schedule() reads, with `pattern` and `seed`, and what was removed from the topology.
CLOPT_API std::string to_json(const ClaimedSchedule& schedule);

/// Checks a schedule; shares no code with the search. Each transfer once, its path there and as short as can be, no
/// link more often in a slot than it has channels; then a replay flit by flit, in which none may wait. \returns an
/// empty text, or the first violation: the transfer by its nodes, a clash by its slot and link too.
CLOPT_API std::string check(const Problem& problem, const ClaimedSchedule& schedule);

/// The proof of a bound: the network, its transfers and the weights. tools/check-certificate verifies it without the
/// library.
CLOPT_API Certificate certify(const Problem& problem, const Bound& bound);
/// The same, with the schedule where it has no conflicts.
CLOPT_API Certificate certify(const Problem& problem, const Result& result);

/// A checksum of a schedule, and of a bound's certificate.
CLOPT_API std::uint64_t checksum_of(const ClaimedSchedule& schedule);
CLOPT_API std::uint64_t checksum_of(const Bound& bound);

/// A schedule as read_schedule() would give it.
CLOPT_API ClaimedSchedule claim(const Problem& problem, const Schedule& schedule);

/// The schedule as MSCCL XML: a custom collective of the nodes that send or receive, in whose order ranks are counted.
/// A message of several hops is received and sent on by each rank on its way; routers are left out. One thread block
/// for each peer, direction and channel, and steps in the order of slots. What one rank sends another in the same slot
/// goes over different channels. A buffer has as many chunks for each rank as the largest demand.
CLOPT_API std::string to_msccl(const Problem& problem, const Schedule& schedule);
/// The limits of MSCCL and of RCCL that this XML passes, as a clause; empty where they take it.
CLOPT_API std::string msccl_limits(const Problem& problem, const Schedule& schedule);

/// The same as a plan for the executor of MSCCL++, as JSON: messages are put into their receiver's output, or into the
/// scratch memory of a rank on their way, over channels of memory that all GPUs of a machine have.
CLOPT_API std::string to_mscclpp(const Problem& problem, const Schedule& schedule);
/// The limit of MSCCL++'s executor that this plan passes, as a clause; empty where it takes it.
CLOPT_API std::string mscclpp_limits(const Problem& problem, const Schedule& schedule);

/// The topology in BookSim's anynet format: a router for each node, with a terminal where it sends or receives.
/// \throws InvalidInput for a one-way link and for parallel channels, which the format does not have.
CLOPT_API std::string to_anynet(const Topology& topology);

/// Individuals a second whose conflicts a device counts, where it has them already. \param method a choice of the
/// field. \returns none where the run was ended early.
CLOPT_API std::optional<double> measure_fitness(Device& device, const Problem& problem, std::uint32_t steps,
                                                const std::string& method, std::uint32_t individuals,
                                                const RunControl& control = {});

/// Individuals a second that lie in the host's page-locked memory, are sent to the devices batch by batch, and whose
/// conflicts come back: the offload without the optimiser. \param queues of each device, 1 or 2. \returns none where
/// the run was ended early.
CLOPT_API std::optional<double> measure_offload(std::span<const std::shared_ptr<Device>> devices,
                                                const Problem& problem, std::uint32_t steps, const std::string& method,
                                                std::uint32_t individuals, std::uint32_t queues,
                                                const RunControl& control = {});

/// Exact moves a second of a number of replicas without symmetry. \returns none where the run was ended early.
CLOPT_API std::optional<double> measure_moves(Device& device, const Problem& problem, std::uint32_t steps,
                                              std::uint32_t replicas, const RunControl& control = {});

/// Measures with which size of work-groups a device counts conflicts the fastest: later runs take it, and their results
/// do not depend on it. \returns a JSON object, or none where the run was ended early.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device, which must prove itself before it is trusted; some tenths of a second once kernels are
/// built. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

}  // namespace clopt::exchange
