#include <clopt/record.hpp>
#include <clopt/run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clopt {

const Record::Value& Record::find(std::string_view name) const {
  for (const auto& [own, value] : fields_)
    if (own == name) return value;
  throw InvalidInput(fmt::format("its result has no '{}'", name));
}

void Record::refuse_type(std::string_view name) {
  throw InvalidInput(fmt::format("the '{}' of its result are of another type", name));
}

void add_run_result(RunResult& whole, const RunResult& part) {
  whole.seconds.total += part.seconds.total;
  whole.seconds.compute += part.seconds.compute;
  whole.seconds.build += part.seconds.build;
  whole.launches += part.launches;
  for (const auto& failure : part.failures)
    if (std::find(whole.failures.begin(), whole.failures.end(), failure) == whole.failures.end())
      whole.failures.push_back(failure);
  if (whole.unchecked.empty()) whole.unchecked = part.unchecked;
}

}  // namespace clopt
