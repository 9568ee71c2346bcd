/// \file
/// Which rank works at what: the queue of ranges that all ranks draw from.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace clopt::group {

/// Consecutive items of work, such as problems or runs.
struct Range {
  std::uint64_t ticket = 0;  ///< under which its result comes back
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// What a rank takes.
struct RankShape {
  std::uint64_t devices = 1;               ///< that work side by side
  std::uint64_t slots = 1;                 ///< ranges that it works at together
  std::uint64_t most = ~std::uint64_t{0};  ///< items of a range at most
};

/// How ranges are cut.
enum class Cutting : std::uint8_t {
  guided,  ///< many ranges, which become smaller towards the end
  even,    ///< one for each rank, as many items as it has devices: for items that are worked at together
  own      ///< not at all: the nth range is the nth rank's, and no other's; it may have no item
};

/// Guided self-scheduling (Polychronopoulos and Kuck 1987): a range is a third of each device's share of what is left,
/// so that ranges become smaller towards the end, but take least_seconds, and, within narrow_seconds, half the time of
/// the shortest one of the rank so far: a GPU takes as long for few items as for as many as it works at side by side. A
/// rank may ask for one range more than it works at; it gets it while there is plenty left. A range that is out
/// overdue_times as long as ranges of its size take is handed out again, once nothing else is left, to a rank that has
/// nothing to do: whichever result comes first counts. Where cutting is own, that does not happen. Where cutting is
/// even, a rank gets its share of all items at once, and more only where another rank gives its share back or does not
/// ask. Times are seconds of any clock. O(1) for a request while work is left; then O(ranks) for a look, and for each
/// range that is handed out again.
class RangeQueue {
 public:
  static constexpr std::uint64_t parts = 3;
  static constexpr double least_seconds = 0.02;
  static constexpr double narrow_seconds = 0.04;
  static constexpr double overdue_times = 3;
  static constexpr double overdue_seconds = 0.2;  ///< in addition: a message may wait that long on a loaded machine

  /// The most items of a range, by the number of all.
  static constexpr std::uint64_t most_of(std::uint64_t items, std::uint64_t devices) {
    return items / (parts * (devices > 0 ? devices : 1)) + 1;
  }

  /// \param work intervals of items, each of which a range lies within.
  RangeQueue(const std::vector<Range>& work, const std::vector<RankShape>& ranks, Cutting cutting = Cutting::guided);

  /// A rank asks for a range.
  void ask(std::size_t rank);

  struct Issue {
    std::size_t rank;
    Range range;
  };
  /// What to hand out now; none: nothing. Call it until it has nothing.
  std::optional<Issue> next(double now);
  /// A rank's result. \param seconds that it has worked at it. \returns whether it is the first one of its range.
  bool finish(std::size_t rank, std::uint64_t ticket, double seconds, double now);
  /// A rank that works no more: its ranges are handed out again.
  void give_back(std::size_t rank);
  /// What is left is left; ranges that are out may still come.
  void stop();

  bool is_done() const { return active_.empty() && left_ == 0; }
  std::uint64_t requests() const { return requests_; }
  std::uint64_t duplicated() const { return duplicated_; }
  /// Items that no rank has begun.
  std::uint64_t left() const { return left_; }
  /// Whether a rank works at something, or has it waiting.
  bool is_out(std::size_t rank) const { return ranks_[rank].out != 0; }
  /// A range that is out; none where it has a result already.
  std::optional<Range> find(std::uint64_t ticket) const;

 private:
  struct Rank {
    RankShape shape;
    std::uint64_t out = 0;    // ranges without a result
    double last = 0;          // when it answered last
    double seconds = 0;       // of all its ranges
    std::uint64_t items = 0;  // of them
    double shortest = 0;      // of them
    bool has_share = false;   // whether it has had a range
    bool is_gone = false;
  };
  struct Holder {
    std::size_t rank;
    double since;
  };
  struct Active {
    Range range;
    std::vector<Holder> holders;
  };

  bool has_for(std::size_t rank) const;
  Range cut(std::size_t number);
  std::uint64_t guided_share(const Rank& rank) const;
  std::uint64_t even_share(const Rank& rank) const;
  Active* find_overdue(std::optional<std::size_t> rank, double now, double usual);
  double usual_seconds() const;
  Issue issue(std::size_t rank, Active& active, double now);

  Cutting cutting_;
  std::deque<Range> waiting_;
  std::uint64_t left_ = 0;
  std::uint64_t most_ = 1;
  std::vector<Rank> ranks_;
  std::uint64_t devices_ = 0;
  std::deque<std::size_t> asked_;  // ranks, in the order of their requests
  std::map<std::uint64_t, Active> active_;
  std::vector<double> seconds_;  // that items took, of the last ranges
  std::uint64_t finished_ = 0;
  std::uint64_t tickets_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t duplicated_ = 0;
};

}  // namespace clopt::group
