#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <clopt/record.hpp>
#include <clopt/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clopt {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Record::Value>> record_types{
    "u8", "i8", "u32", "i32", "u64", "i64", "f32", "f64", "text"};

// What version 0.1 wrote where nothing is chosen: of `step` and `steps`.
constexpr std::array<std::string_view, 2> none_in_0_1{"1 % of the range", "as few as can be found"};

}  // namespace

RunIdentity::RunIdentity(std::string solver, std::vector<Entry> entries)
    : solver_(std::move(solver)), entries_(std::move(entries)) {
  for (auto& entry : entries_)
    if (std::find(none_in_0_1.begin(), none_in_0_1.end(), entry.text) != none_in_0_1.end()) entry.text = "none";
}

std::span<const std::string_view> names_of_record_types() { return record_types; }

RunIdentity& RunIdentity::add(std::string name, std::string_view text) {
  entries_.push_back({std::move(name), std::string(text)});
  return *this;
}

RunIdentity& RunIdentity::add_real(std::string name, double number) {
  return add(std::move(name), std::string_view(fmt::format("{}", number)));
}

RunIdentity& RunIdentity::add_bytes(std::string name, std::size_t count, std::span<const std::byte> bytes) {
  const auto hash = XXH3_128bits(bytes.data(), bytes.size());
  return add(std::move(name),
             std::string_view(fmt::format("{} numbers of hash {:016x}{:016x}", count, hash.high64, hash.low64)));
}

RunIdentity& RunIdentity::add(std::string name, const Objective& objective) {
  return add(std::move(name),
             std::string_view(fmt::format("{} of hash {:016x}", objective.name(), objective.fingerprint())));
}

std::optional<RunIdentity::Difference> RunIdentity::difference(const RunIdentity& other) const {
  std::map<std::string_view, std::string_view> own;
  for (const auto& each : entries_) own.emplace(each.name, each.text);
  std::optional<Difference> missing;
  for (const auto& [name, text, is_default] : other.entries_) {
    const auto found = own.find(name);
    if (found == own.end()) {
      if (!is_default && !missing) missing = Difference{printable(name), std::nullopt, printable(text)};
      continue;
    }
    if (found->second != text) return Difference{printable(name), printable(found->second), printable(text)};
    own.erase(found);
  }
  if (!missing && !own.empty())
    missing = Difference{printable(own.begin()->first), printable(own.begin()->second), std::nullopt};
  return missing;
}

std::string RunIdentity::difference_text(const RunIdentity& other, std::string_view own_run,
                                         std::string_view other_run) const {
  const auto found = difference(other);
  if (!found) return {};
  return fmt::format("{} has {} `{}`{}, and {} {}", own_run, found->own ? "the" : "no", found->name,
                     found->own ? " " + *found->own : "", other_run, found->other.value_or("none"));
}

Record& Record::add(std::string name, Value value) {
  places_.emplace(name, fields_.size());
  fields_.emplace_back(std::move(name), std::move(value));
  return *this;
}

Record Record::copy() const {
  Record own(identity_);
  for (const auto& [name, value] : fields_)
    std::visit([&, &name = name]<class T>(
                   const Array<T>& array) { own.add(name, Value(std::vector<T>(array.begin(), array.end()))); },
               value);
  return own;
}

Record& Record::add_part(std::string_view prefix, const Record& part) {
  for (const auto& [name, value] : part.fields_) add(std::string(prefix) + name, value);
  return *this;
}

Record Record::part(std::string_view prefix) const {
  Record part;
  for (auto place = places_.lower_bound(prefix); place != places_.end() && place->first.starts_with(prefix); ++place)
    part.add(place->first.substr(prefix.size()), fields_[place->second].second);
  return part;
}

const Record::Value& Record::find(std::string_view name) const {
  const auto place = places_.find(name);
  if (place == places_.end()) throw InvalidInput(fmt::format("it has no array '{}'", printable(name)));
  return fields_[place->second].second;
}

void Record::refuse_type(std::string_view name, std::size_t own, std::size_t wanted) {
  throw InvalidInput(
      fmt::format("its array '{}' is of type {}, not {}", printable(name), record_types[own], record_types[wanted]));
}

void Record::refuse_count(std::string_view name, std::size_t own, std::size_t wanted) {
  throw InvalidInput(fmt::format("its array '{}' has {} elements, not {}", printable(name), own, wanted));
}

void add_run_result(RunResult& whole, const RunResult& part) {
  whole.seconds += part.seconds;
  whole.launches += part.launches;
  for (const auto& failure : part.failures)
    if (std::find(whole.failures.begin(), whole.failures.end(), failure) == whole.failures.end())
      whole.failures.push_back(failure);
  if (whole.unchecked.empty()) whole.unchecked = part.unchecked;
}

}  // namespace clopt
