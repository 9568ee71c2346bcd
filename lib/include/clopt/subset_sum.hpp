/// \file
/// Exact subset-sum: the subset of given weights with the largest sum that is at most a capacity.
#pragma once

#include <clopt/export.hpp>

#include <clopt/certificate.hpp>
#include <clopt/fields.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <cstddef>
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
class Device;
class Devices;
}  // namespace clopt

namespace clopt::subset_sum {

/// A subset-sum problem: n weights from 1 to 2^63-1 and a capacity from 0 to 2^63-1.
struct Instance {
  std::vector<std::uint64_t> weights;
  std::uint64_t capacity = 0;
};
using Problem = Instance;

/// Reads weights from text: positive integers with white space, commas or semicolons between them; `#` starts a comment
/// that ends with the line. The text is streamed, so it may be a pipe. O(size of the text).
/// \param name what to call the text in messages, usually the file's name.
/// \throws InvalidInput with name and line for a word that is not an integer from 1 to 2^63-1, for a text without any
///         weight, and for a stream that fails.
CLOPT_API std::vector<std::uint64_t> read_weights(std::istream& text, std::string_view name);

/// A decimal number: `digits` / 10^`decimals`.
struct Decimal {
  std::int64_t digits = 0;
  unsigned decimals = 0;  ///< 0 to 18
};
/// \throws InvalidInput where the text is not a number such as 12, -7 or 12.50, or its digits pass 2^63-1.
CLOPT_API Decimal decimal_of(std::string_view text);
/// As decimal_of() reads it, with all its decimals: "12.50".
CLOPT_API std::string text_of(const Decimal& number);

/// A subset-sum problem of amounts: numbers of either sign, zeros and decimals, all in the unit 10^-`decimals`.
struct Amounts {
  std::vector<std::int64_t> numbers;  ///< from -(2^63-1) to 2^63-1
  std::int64_t capacity = 0;          ///< in the same range
  unsigned decimals = 0;
  /// How far from the capacity a sum may be to count as it, from 0 on: of Options::exactly.
  std::int64_t tolerance = 0;
  /// Of a 0-1 knapsack: what each number brings, from 0 on; the most profit within the capacity is wanted then. Empty:
  /// the largest sum is. With them numbers are from 0 on, and both add up to less than 2^63.
  std::vector<std::int64_t> profits{};
  unsigned profit_decimals = 0;  ///< of the profits, whose unit is 10^-`profit_decimals`
};

/// How the amounts of a text are written, and where they stand. A character is a text of one, or empty.
struct AmountsFormat {
  std::string column{};   ///< the amounts' name in the first line; empty: the only column, or a text without a heading
  std::string label{};    ///< the name of a column that results repeat; empty: none
  std::string decimal{};  ///< what decimals follow: "." or ","; empty: a point
  std::string thousands{};  ///< what stands between groups of digits: ",", ".", " ", "'" or "_"; empty: nothing
  /// What stands between numbers or columns; empty: white space, semicolons, and commas beside white space; in a table
  /// what its heading has.
  std::string separator{};
};

/// Amounts with what a text has besides.
struct AmountsText {
  Amounts amounts;
  std::string label;                ///< the name of the labels' column; empty: none
  std::vector<std::string> labels;  ///< one for each amount, or none
};

/// A number as a format writes it, else as decimal_of() takes it. \throws InvalidInput.
CLOPT_API Decimal decimal_of(std::string_view text, const AmountsFormat& format);

/// Reads amounts from text, in the unit of the number with the most decimals, those of \p capacity and \p tolerance
/// counted. An amount may have a sign before or a minus behind it, brackets for a negative one, quotes, and a currency,
/// the same for all. Without a heading a text is as that of read_weights(); a first line of names is the heading of a
/// table, a row a line, as RFC 4180 describes CSV. O(size of the text); a table is in memory as a whole.
/// \throws InvalidInput with name and line for what is not an amount, or may be another one in another format, for a
///         text without any, a column that does not exist, where the digits of one pass 2^63-1 in that unit, and for a
///         stream that fails.
CLOPT_API AmountsText read_amounts(std::istream& text, std::string_view name, const Decimal& capacity,
                                   const AmountsFormat& format, const Decimal& tolerance = {});
/// The same in the usual format.
CLOPT_API Amounts read_amounts(std::istream& text, std::string_view name, const Decimal& capacity);

/// How each instance class is described: `half:N`, `half-small:N`, `p:N` and `uniform:N` (chapter 6.1 of the paper),
/// and classes that stay hard: `hidden-divisor:N`, `avis:N`, `todd:N`, `even-odd:N[:BOUND]`, `two-digit:N`,
/// `random:N:BOUND`. BOUND limits the weights, in digits or as `1e12`.
CLOPT_API const std::vector<std::string>& instance_classes();

/// An instance of N weights of a class, drawn from a seed; avis and todd have one instance for each N.
/// \throws InvalidInput for an unknown class, for N outside 1 to 10^8 (`avis` 2 to 2*10^6, `todd` 1 to 52,
///         `hidden-divisor` from 3 on), and for a bound below 2 or so large that the capacity might pass 2^63-1.
CLOPT_API Instance make_instance(std::string_view description, std::uint64_t seed);

/// The methods, by the names of Options::method; name_of() gives the name.
enum class Method : std::uint8_t {
  automatic,  ///< the one that is predicted to be the quickest of those that fit
  // On the host's processor.
  bellman,
  bbe,
  balsub,
  decomp,
  yanasse_soma,
  // On the device.
  meet_in_the_middle,
  k1,
  k2,
  k3_16,
  k3_32,
  k3_64,
  sparse
};
/// "auto", "bellman", "bbe", "balsub", "decomp", "yanasse-soma", "meet-in-the-middle", "k1", "k2", "k3-16", "k3-32",
/// "k3-64" or "sparse".
CLOPT_API std::string_view name_of(Method method);
/// Whether a method of that name is one of the paper's k3, which sweep with a bit for each capacity.
constexpr bool is_k3(std::string_view method) { return method.starts_with("k3-"); }

/// How work-groups wait for each other (chapter 2.1.6).
enum class Barrier : std::uint8_t { xiao_feng, cyclic };
/// "xiao-feng" or "cyclic".
CLOPT_API std::string_view name_of(Barrier barrier);

/// How the methods k3 find the subset again.
enum class Recovery : std::uint8_t {
  automatic,    ///< the cheaper one that fits
  table,        ///< by an item of 4 bytes for each capacity: the paper's vector g
  checkpoints,  ///< by vectors that were kept on the way, at most 3 bits for each capacity
  host          ///< the same in the host's memory, of which pieces visit the device: for a device that has less
};
/// "auto", "table", "checkpoints" or "host".
CLOPT_API std::string_view name_of(Recovery recovery);

/// How to solve; the defaults suit any instance. There is no seed: nothing is drawn.
struct Options {
  std::string method = "auto";        ///< a choice of the field
  bool reduce = true;                 ///< false: no common divisor and no certificate, to time the paper's own work
  std::string barrier = "xiao-feng";  ///< of the method k2: the name of a Barrier
  std::string recovery = "auto";      ///< of the methods k3: the name of a Recovery
  /// Of the methods k3 with a table, on a device with work-groups: at most this many at a time, an item a launch, to
  /// measure how the speed grows with them; none: as many as there is work for.
  std::optional<std::uint32_t> work_groups;
  /// Of the method meet-in-the-middle where sums are too large for a sweep: the parts that are searched, of meet_parts
  /// equal ones of the sums of one half of the items; none: all. An answer of some parts is not proven to be the
  /// optimum by itself: see merge().
  std::optional<WorkRange> range;
  // Of Amounts alone. What they ask for beyond the best sum is found on the host.
  bool exactly = false;   ///< the sum that is asked for is the capacity, or one within Amounts::tolerance of it
  bool at_least = false;  ///< the least sum that is not below the capacity, in place of the largest not above it
  bool fewest = false;    ///< of the subsets with the best sum, one of the fewest numbers
  std::optional<std::uint64_t> count;  ///< subsets of exactly this many numbers; none: of any
  std::optional<std::uint64_t> all;    ///< up to this many subsets with the best sum; none: one
  bool unique = false;                 ///< whether there is another subset with the best sum
  /// Called on the thread that called solve() with a subset that is within the capacity, its sum and its indices as in
  /// the result, before a method or a device begins that may not return; once for each device that is tried, and not
  /// where preprocessing decides. Or null. What it throws reaches the caller.
  std::function<void(std::int64_t value, const std::vector<std::size_t>& indices)> found = nullptr;
};

/// The fields of the options with their ranges, choices and meanings; these must outlive the table.
CLOPT_API FieldTable fields(Options& options);

/// The parts into which meet-in-the-middle can be divided.
inline constexpr std::uint64_t meet_parts = 65536;

/// Why a value is the optimum.
enum class Proof : std::uint8_t {
  none,              ///< not proven: the run was ended early, or the method only decides
  everything_fits,   ///< all weights that are not above the capacity fit together
  capacity_reached,  ///< the value is the capacity
  divisor,           ///< the value is the largest multiple, at most the capacity, of the weights' common divisor
  exhaustive         ///< every reachable sum that matters was considered (dynamic programming, meet in the
                     ///< middle); the only proof that check() does not verify
};
/// "none", "everything-fits", "capacity-reached", "divisor" or "exhaustive".
CLOPT_API std::string_view name_of(Proof proof);

/// What `auto` expected of a method.
struct Candidate {
  std::string method;
  double seconds = 0;  ///< predicted
  double bytes = 0;    ///< that it may take at most
  bool fits = false;   ///< whether the memory is available
};

/// An answer. `value` is the sum of the weights at `indices` and at most the capacity, always re-added by check().
///
/// `ending` is complete where the value is proven, by reaching the capacity or otherwise, where `bbe`, which only
/// decides whether the capacity is reached, came to its end, and where a knapsack's search fills the memory, or its
/// sweep has not the memory; time or interrupted where the run was ended before. `reason` names the step of the
/// preprocessing that decided, or why the method was used. `checksum` is of value and indices.
struct Result : RunResult {
  std::uint64_t value = 0;
  bool optimal = false;  ///< whether value is proven to be the largest possible
  Proof proof = Proof::none;
  std::vector<std::size_t> indices;  ///< of the chosen weights, from 0, in the input's order, ascending
  /// What `auto` compared, in the order in which it would try them; empty where preprocessing decided, or for another
  /// method.
  std::vector<Candidate> candidates;
  std::uint64_t capacities_swept = 0;  ///< capacities times items that the method worked through
  std::string solved_by;               ///< "preprocessing" where no method had to run, else the method
  std::string recovery;                ///< of a sweep: "table", "checkpoints", "host" or "list"; else empty
  std::uint64_t recovery_bytes = 0;    ///< of a sweep: its vectors and what it kept to find the subset again
  double recovery_seconds = 0;         ///< of a sweep: from the optimum to its subset, within seconds.compute
  // What merge() needs, of some parts: what the best pair of sums leaves of the capacity, and the first half's sum.
  bool has_pair = false;  ///< whether there is a pair; else no subset in these parts is better than the trivial one
  std::uint64_t pair_slack = 0;
  std::uint64_t pair_sum = 0;
};

/// Whether a method of methods() works on the device it is given, `auto` included, or on the host's processor alone.
CLOPT_API bool runs_on_device(std::string_view method);

/// Checks a run before a device is opened. \throws InvalidInput, as solve() does for what no device is needed for.
CLOPT_API void check(const Instance& instance, const Options& options);
CLOPT_API void check(const Amounts& amounts, const Options& options);

/// Solves an instance on the first of the devices. Where that one fails while it works, the run restarts on the
/// next; Result::failures states how each failed. A device that lacks memory, or whose kernels do not build, has not
/// failed in that sense. The limits of the run count from the call on, whichever device works. There are no checkpoints
/// to resume from, and no generations.
///
/// Progress: `phase` is what the method does ("sweep", "recovery", "search", ...), `best` the largest sum known so far,
/// which is there from the start. A callback that returns false ends the run before the next launch.
/// \throws InvalidInput for no device, weights or a capacity out of range, an unknown name, and an instance that the
///         method asked for cannot hold, with the sizes; OutOfMemory where memory runs out that was there before;
///         DeviceError where the last device fails; InternalError where the answer does not pass check().
CLOPT_API Result solve(const Problem& instance, const Options& options,
                       std::span<const std::shared_ptr<Device>> devices, const RunControl& control = {});

/// The same on one device.
CLOPT_API Result solve(const Problem& instance, const Options& options, Device& device, const RunControl& control = {});
/// The same on the devices that are given, or on the one that the work chooses (clopt/devices.hpp).
CLOPT_API Result solve(const Problem& instance, const Options& options, const Devices& devices,
                       const RunControl& control = {});

/// An answer to a problem of amounts.
struct AmountsResult {
  bool possible = false;    ///< whether any subset is as the options demand; otherwise the members below are empty
  std::int64_t value = 0;   ///< the sum of the amounts at `indices`, in the problem's unit
  std::int64_t profit = 0;  ///< of a knapsack: the sum of the profits at `indices`, in their unit
  std::vector<std::size_t> indices;  ///< of the chosen amounts, from 0, in the input's order, ascending; never of zeros
  std::size_t zeros = 0;             ///< amounts, of a knapsack profits, that are zero, which change no sum
  bool reached = false;              ///< whether the value is the capacity, or within the tolerance of it
  bool is_largest = true;  ///< whether all subsets within the capacity have no larger sum; else no certificate
  // What was asked for beyond the best sum.
  std::optional<bool> fewest;                     ///< whether no subset with the sum has fewer numbers; none: unknown
  std::vector<std::vector<std::size_t>> subsets;  ///< of Options::all: different ones, each as `indices`
  std::optional<bool> more;                       ///< whether there are others than `subsets`; none: unknown
  std::optional<bool> unique;                     ///< whether `indices` is the only such subset; none: unknown
  Result run;  ///< of the problem of weights: how it was solved; its checksum is of value and indices above
};

/// Whether options ask for more than the best sum.
CLOPT_API bool asks_for_subsets(const Options& options);

/// How many subsets of the amounts have a sum, about: the decimal logarithm. By the saddle point of their generating
/// function, as a normal density; within a factor of 2 where there are many. Negative where there is hardly one. O(n).
CLOPT_API double expected_subsets(const Amounts& amounts, std::int64_t sum);

/// Solves a problem of amounts exactly: the subset with the largest sum that is at most the capacity, or as the options
/// demand. An amount below 0 is a weight of its magnitude that is chosen where the amount is left out. Otherwise as
/// solve() of an Instance.
///
/// Subsets are different where their indices are; zeros belong to none. The number of subsets is found, and they are
/// listed, by lists of the sums of few numbers, of halves of the numbers, or by a table of all sums, whichever is
/// predicted to take the least time. A limit of time may end that before what was asked for is proven.
///
/// With Amounts::profits it is a 0-1 knapsack: `profit` is the most within the capacity, `value` what the chosen weigh.
/// Method `auto` searches the core on the host (Pisinger 1997) and sweeps the capacities on the device where that has
/// too many states; `k1` sweeps at once, in O(n capacity).
/// \throws InvalidInput where the capacity and the magnitudes of the amounts below 0 pass 2^63-1 together, for options
///         that exclude each other, where all ways to count and list subsets need more memory than there is, with the
///         sizes, and as solve().
CLOPT_API AmountsResult solve(const Amounts& amounts, const Options& options,
                              std::span<const std::shared_ptr<Device>> devices, const RunControl& control = {});

/// The same on one device.
CLOPT_API AmountsResult solve(const Amounts& amounts, const Options& options, Device& device,
                              const RunControl& control = {});
/// The same on the devices that are given, or on the one that the work chooses (clopt/devices.hpp).
CLOPT_API AmountsResult solve(const Amounts& amounts, const Options& options, const Devices& devices,
                              const RunControl& control = {});

/// Everything that the answer of all parts depends on: answers of ranges belong together where it is the same.
/// O(numbers). \throws InvalidInput for a method other than meet-in-the-middle: what a sweep does for an item follows
/// from the items before.
CLOPT_API RunIdentity identity(const Amounts& amounts, const Options& options);

/// An answer as numbers, to be sent or written. O(its size).
CLOPT_API Record pack(const AmountsResult& result);
/// An answer that was packed. \throws InvalidInput where it is none to this problem.
CLOPT_API AmountsResult unpack(const Record& record, const Amounts& amounts);

/// The answer of all parts, of those of ranges in their order: that of the best pair, of equal ones of the least sum of
/// the first half. Times and launches are added up. \param parts at least one, of the same problem.
/// \throws InvalidInput where no part has a pair. O(their sizes).
CLOPT_API AmountsResult merge(std::vector<AmountsResult> parts);

/// Measures each method's speed on a device, for `auto`; some seconds. The result means something to `auto` once
/// it is remembered, see remember_tuning(). \returns a JSON object, or none where the run was ended early. \throws
/// DeviceError where the device fails.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device, which must prove itself before it is trusted; some tenths of a second once kernels are
/// built. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

/// Seconds of one crossing of a barrier by work-groups of 256 work-items, in a launch with many crossings.
/// \returns none where that many work-groups cannot wait for each other there.
CLOPT_API std::optional<double> barrier_seconds(Device& device, Barrier barrier, std::uint32_t groups);

/// Seconds of a step of the same work without such a barrier. \param launches whether each step is a launch of its own,
/// which makes groups wait; else they do not wait. \returns none where the device has no such launches.
CLOPT_API std::optional<double> step_seconds(Device& device, std::uint32_t groups, bool launches);

/// Checks an answer by adding it up again; shares no code with the solvers.
/// \returns an empty text, or what is wrong: an index out of range, given twice or out of order, a sum that differs
///          from the value or passes the capacity, a proof that does not hold. O(n).
CLOPT_API std::string check(const Instance& instance, const Result& result);

/// The largest capacity, or what is left out where that is less, in units of the weights' common divisor, up to which
/// an optimum that nothing else proves has a certificate; and the most weights with one above it.
inline constexpr std::uint64_t most_certified_capacity = 10'000'000;
inline constexpr std::size_t most_certified_weights = 40;

/// The proof that an answer is the optimum: tools/check-certificate verifies it without the library. There is none for
/// an answer that is not proven, nor where neither the capacity, a divisor, most_certified_capacity nor
/// most_certified_weights makes it verifiable. O(n log n). \param result of solve() for these amounts.
CLOPT_API Certificate certify(const Amounts& amounts, const AmountsResult& result);

}  // namespace clopt::subset_sum
