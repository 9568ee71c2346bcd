#include "search.hpp"

namespace clopt::exchange {

SearchResult umda(const SearchTask& task) { return anneal(task); }

}  // namespace clopt::exchange
