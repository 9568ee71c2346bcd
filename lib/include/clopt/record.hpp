/// \file
/// Results as named numbers and texts, to be written or sent.
#pragma once

#include <clopt/error.hpp>
#include <clopt/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace clopt {

struct RunResult;

/// Arrays of numbers and texts, each with a name. Every bit of a number is kept.
class CLOPT_API Record {
 public:
  using Value =
      std::variant<std::vector<std::string>, std::vector<std::uint8_t>, std::vector<std::int32_t>,
                   std::vector<std::uint32_t>, std::vector<std::uint64_t>, std::vector<float>, std::vector<double>>;
  using Fields = std::vector<std::pair<std::string, Value>>;

  /// Adds an array, of one of the types of Value. Names differ.
  void add(std::string name, Value value) { fields_.emplace_back(std::move(name), std::move(value)); }
  /// The array of a name. \throws InvalidInput where there is no array of that name and type.
  template <class T>
  const std::vector<T>& get(std::string_view name) const {
    const auto* const values = std::get_if<std::vector<T>>(&find(name));
    if (values == nullptr) refuse_type(name);
    return *values;
  }

  const Fields& fields() const { return fields_; }
  bool empty() const { return fields_.empty(); }

 private:
  const Value& find(std::string_view name) const;
  [[noreturn]] static void refuse_type(std::string_view name);

  Fields fields_;
};

/// The type by which a record has a number or an enumerator.
template <class T>
using RecordNumber = std::conditional_t<
    std::is_enum_v<T> || std::is_same_v<T, bool>, std::uint8_t,
    std::conditional_t<std::is_unsigned_v<T> && sizeof(T) == sizeof(std::uint64_t), std::uint64_t, T>>;

/// Writes members of a result into a record; RecordReader reads them from it. One function that calls either with each
/// member serves for both ways.
class RecordWriter {
 public:
  explicit RecordWriter(Record& record) : record_(record) {}

  template <class T>
  void operator()(const char* name, const T& member) {
    if constexpr (std::is_same_v<T, std::string>)
      record_.add(name, std::vector<std::string>{member});
    else
      record_.add(name, std::vector<RecordNumber<T>>{static_cast<RecordNumber<T>>(member)});
  }
  template <class T>
  void operator()(const char* name, const std::vector<T>& member) {
    if constexpr (std::is_enum_v<T>) {
      std::vector<std::uint8_t> numbers;
      numbers.reserve(member.size());
      for (const auto each : member) numbers.push_back(static_cast<std::uint8_t>(each));
      record_.add(name, std::move(numbers));
    } else {
      record_.add(name, member);
    }
  }

 private:
  Record& record_;
};

/// \throws InvalidInput for what is not there, or of another type; numbers may be any.
class RecordReader {
 public:
  explicit RecordReader(const Record& record) : record_(record) {}

  template <class T>
  void operator()(const char* name, T& member) {
    const auto& values =
        record_.get<std::conditional_t<std::is_same_v<T, std::string>, std::string, RecordNumber<T>>>(name);
    if (values.size() != 1) throw InvalidInput("its result is not one that this version of clopt writes");
    if constexpr (std::is_same_v<T, std::string>)
      member = values.front();
    else
      member = static_cast<T>(values.front());
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& member) {
    const auto& values = record_.get<RecordNumber<T>>(name);
    if constexpr (std::is_enum_v<T>) {
      member.clear();
      for (const auto each : values) member.push_back(static_cast<T>(each));
    } else {
      member = values;
    }
  }

 private:
  const Record& record_;
};

/// The members that all results have in common, to be written or read with those of a solver.
template <class Archive, class Result>
void visit_run_result(Archive& archive, Result& result) {
  archive("method", result.method);
  archive("reason", result.reason);
  archive("ending", result.ending);
  archive("checksum", result.checksum);
  archive("seconds_total", result.seconds.total);
  archive("seconds_compute", result.seconds.compute);
  archive("seconds_build", result.seconds.build);
  archive("launches", result.launches);
  archive("failures", result.failures);
  archive("unchecked", result.unchecked);
}

/// Adds to what all results have in common that of another part of the same run: times and launches are added up,
/// failures and what was not checked are taken over.
CLOPT_API void add_run_result(RunResult& whole, const RunResult& part);

}  // namespace clopt
