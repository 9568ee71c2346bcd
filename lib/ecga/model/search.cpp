#include "search.hpp"

#include <algorithm>

#include "model_groups.hpp"

namespace clopt::ecga {
namespace {

/// Harik's greedy search, replayed from gains that were counted ahead of need: whenever the best pair's union was not
/// predicted, one pass counts it together with the unions that are likely to follow.
class GreedySearch {
 public:
  GreedySearch(const SearchParameters& parameters, PairCounter& counter, ModelGroups& groups)
      : parameters_(parameters), counter_(counter), groups_(groups), alive_(parameters.active) {}

  bool run(std::span<const Edge> edges, const std::function<bool()>& expired, Found& found) {
    for (const auto& edge : edges) candidates_.push_back(groups_.candidate(edge.first, edge.second, edge.gain));
    std::make_heap(candidates_.begin(), candidates_.end());
    while (!candidates_.empty()) {
      std::pop_heap(candidates_.begin(), candidates_.end());
      const auto best = candidates_.back();
      candidates_.pop_back();
      if (!groups_.is_alive(best.first) || !groups_.is_alive(best.second)) continue;
      auto group = groups_.find(best.first, best.second);
      if (group == 0) {
        if (expired()) return false;
        count_ahead(best);
        ++found.passes;
        group = groups_.find(best.first, best.second);
      }
      take(group, best);
      ++found.merges;
      found.gain += best.gain;
    }
    return true;
  }

 private:
  void count_ahead(const Candidate& next) {
    std::erase_if(alive_, [&](std::uint32_t group) { return !groups_.is_alive(group); });
    std::vector<std::uint32_t> partners;
    auto unions = guess_merges(groups_, alive_, next, std::max(parameters_.guesses, 1U), parameters_.most_loci,
                               parameters_.unit, partners);
    unions.resize(counter_.affordable(unions));
    partners.insert(partners.end(), alive_.begin(), alive_.end());
    std::sort(partners.begin(), partners.end());
    // Unions that are not predicted any more would have to be counted against the new ones.
    keep_only(partners, unions);
    counter_.count_unions(unions, partners, edges_);
    groups_.add_edges(edges_);
  }

  void keep_only(std::span<const std::uint32_t> partners, std::span<const Union> unions) {
    groups_.forget_guesses();
    for (const auto group : partners)
      if (!groups_.is_alive(group)) groups_.remember(group);
    for (const auto& parts : unions) groups_.add(parts);
  }

  void take(std::uint32_t group, const Candidate& best) {
    groups_.take(group, best.gain + groups_.penalty(best.first, best.second, parameters_.unit));
    counter_.take(group);
    alive_.push_back(group);
    for (const auto& neighbour : groups_.neighbours(group)) {
      if (!groups_.is_alive(neighbour.group)) continue;
      candidates_.push_back(groups_.candidate(group, neighbour.group, neighbour.gain));
      std::push_heap(candidates_.begin(), candidates_.end());
    }
  }

  const SearchParameters& parameters_;
  PairCounter& counter_;
  ModelGroups& groups_;
  std::vector<std::uint32_t> alive_;
  std::vector<Candidate> candidates_;
  std::vector<Edge> edges_;
};

/// The paper's GM search (section 3.3): in each step all pairs merge that are each other's best companion.
class MatingSearch {
 public:
  MatingSearch(const SearchParameters& parameters, PairCounter& counter, ModelGroups& groups)
      : counter_(counter), groups_(groups), alive_(parameters.active) {}

  bool run(const std::function<bool()>& expired, Found& found) {
    for (;;) {
      const auto couples = best_companions();
      if (couples.empty()) return true;
      if (expired()) return false;
      std::vector<Union> unions;
      for (const auto& couple : couples) {
        unions.push_back({couple.first, couple.second});
        groups_.take(groups_.add(unions.back()), 0);
        found.gain += couple.gain;
      }
      std::erase_if(alive_, [&](std::uint32_t group) { return !groups_.is_alive(group); });
      std::vector<Edge> edges;
      counter_.count_unions(unions, alive_, edges);
      for (auto group = groups_.size() - static_cast<std::uint32_t>(unions.size()); group < groups_.size(); ++group) {
        counter_.take(group);
        alive_.push_back(group);
      }
      groups_.add_edges(edges);
      found.merges += static_cast<std::uint32_t>(unions.size());
      ++found.passes;
    }
  }

 private:
  // In the order of their first groups' lowest loci.
  std::vector<Candidate> best_companions() const {
    std::vector<Candidate> best(groups_.size());
    for (const auto group : alive_)
      for (const auto& neighbour : groups_.neighbours(group)) {
        if (!groups_.is_alive(neighbour.group)) continue;
        const auto candidate = groups_.candidate(group, neighbour.group, neighbour.gain);
        if (best[group].gain == 0 || best[group] < candidate) best[group] = candidate;
      }
    std::vector<Candidate> couples;
    for (const auto group : alive_) {
      const auto& own = best[group];
      if (own.gain == 0 || own.first != group) continue;
      const auto& partners = best[own.second];
      if (partners.first == own.first && partners.second == own.second) couples.push_back(own);
    }
    std::sort(couples.begin(), couples.end(),
              [](const Candidate& a, const Candidate& b) { return a.first_locus < b.first_locus; });
    return couples;
  }

  PairCounter& counter_;
  ModelGroups& groups_;
  std::vector<std::uint32_t> alive_;
};

}  // namespace

std::optional<Found> search_model(const SearchParameters& parameters, PairCounter& counter,
                                  const std::function<bool()>& expired) {
  ModelGroups groups(parameters.entropies);
  Found found;
  if (parameters.active.size() > 1) {
    std::vector<Edge> edges;
    counter.count_loci(parameters.active, edges);
    ++found.passes;
    groups.add_edges(edges);
    const bool whole = parameters.mating ? MatingSearch(parameters, counter, groups).run(expired, found)
                                         : GreedySearch(parameters, counter, groups).run(edges, expired, found);
    if (!whole) return std::nullopt;
  }
  for (std::uint32_t group = 0; group < groups.size(); ++group)
    if (groups.is_alive(group)) found.groups.push_back(groups.loci(group));
  return found;
}

}  // namespace clopt::ecga
