/// \file
/// The results of ranges, and of all of them.
#include <clopt/closest_value.hpp>
#include <clopt/record.hpp>

#include <support/numbers/checksum.hpp>

#include "result.hpp"

namespace clopt::closest_value {

void set_checksum(Result& result) {
  Checksum checksum;
  checksum.add(result.index);
  checksum.add(result.distance);
  result.checksum = checksum.value();
}

RunIdentity identity(const Problem& problem, const Options& options) {
  RunIdentity identity("closest-value");
  identity.add("values", std::uint64_t{problem.values.size()});
  add_fields(identity, options);
  return identity;
}

Record pack(const Result& result) { return record_of(result); }

Result unpack(const Record& record) {
  Result result;
  read_record(record, result);
  return result;
}

Result merge(const std::vector<Result>& parts) {
  auto whole = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    add_run_result(whole, parts[i]);
    whole.compared += parts[i].compared;
    if (parts[i].distance >= whole.distance) continue;
    whole.index = parts[i].index;
    whole.distance = parts[i].distance;
  }
  set_checksum(whole);
  return whole;
}

}  // namespace clopt::closest_value
