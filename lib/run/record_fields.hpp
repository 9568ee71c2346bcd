/// \file
/// Structs as records: fields() lists a struct's members once, for writing and for reading.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/error.hpp>
#include <clopt/record.hpp>
#include <clopt/run.hpp>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "bytes.hpp"

namespace clopt {

/// Adds members to a record. Members of a struct that has fields() itself are added as the struct's own.
class RecordWriter {
 public:
  static constexpr bool is_reader = false;
  /// Whether arrays are copied, or referred to and must outlive the record. Temporaries are always kept.
  enum class Arrays { copied, referred_to };

  explicit RecordWriter(Record& record, Arrays arrays = Arrays::copied) : record_(record), arrays_(arrays) {}

  template <class T>
  RecordWriter& operator()(const char* name, T&& member) {
    using Member = std::remove_cvref_t<T>;
    if constexpr (HasFields<RecordWriter, Member>)
      fields(*this, const_cast<Member&>(member));
    else if constexpr (!requires { Record::Value(std::declval<Member>()); })
      record_.add(name, std::as_const(member));
    else if constexpr (std::is_lvalue_reference_v<T> && requires { record_.add_reference(name, member); })
      arrays_ == Arrays::copied ? record_.add(name, Record::Value(member)) : record_.add_reference(name, member);
    else
      record_.add(name, Record::Value(std::forward<T>(member)));
    return *this;
  }

 private:
  Record& record_;
  Arrays arrays_;
};

/// Reads members from a record. A vector that has elements beforehand must have as many in the record.
/// \throws InvalidInput for what is not there, or of another type or length; numbers may be any.
class RecordReader {
 public:
  static constexpr bool is_reader = true;

  explicit RecordReader(const Record& record) : record_(record) {}

  bool has(const char* name) const { return record_.has(name); }

  template <class T>
  RecordReader& operator()(const char* name, T& member) {
    if constexpr (HasFields<RecordReader, T>) {
      fields(*this, member);
    } else if constexpr (requires { member = record_.array<typename T::value_type>(name); }) {
      member = record_.array<typename T::value_type>(name);
    } else {
      if constexpr (requires {
                      typename T::allocator_type;
                      record_.array<typename T::value_type>(name);
                    })
        if (!member.empty()) record_.array<typename T::value_type>(name, member.size());
      member = record_.get<T>(name);
    }
    return *this;
  }

 private:
  const Record& record_;
};

/// Whether an archive has a member, which files of earlier versions may lack.
template <class Archive>
bool has_member(const Archive& archive, const char* name) {
  if constexpr (requires { archive.has(name); })
    return archive.has(name);
  else
    return true;
}

/// A struct's members as a record, which has copies of its arrays.
template <class T>
Record record_of(const T& value) {
  Record record;
  RecordWriter{record}("", value);
  return record;
}

/// A state as a record that refers to its arrays.
template <class T>
Record record_of_state(RunIdentity identity, const T& state) {
  Record record(std::move(identity));
  RecordWriter(record, RecordWriter::Arrays::referred_to)("", state);
  return record;
}

/// Reads a struct's members. \throws InvalidInput as RecordReader.
template <class T>
void read_record(const Record& record, T& value) {
  RecordReader{record}("", value);
}

/// Reads a state. \throws InvalidInput with the file's name, as RecordReader.
template <class T>
void read_checkpoint(const Checkpoint& checkpoint, T& state) {
  try {
    read_record(checkpoint.record(), state);
  } catch (const InvalidInput& error) {
    checkpoint.refuse(error.what());
  }
}

/// A member of all structs of a list, as an array. What is read must have an element for each.
template <class Archive, class List, class Struct, class Member>
void column(Archive& archive, const char* name, List& list, Member Struct::*member) {
  std::vector<Member> values;
  values.reserve(list.size());
  for (const auto& each : list) values.push_back(each.*member);
  if constexpr (Archive::is_reader) {
    archive(name, values);
    for (std::size_t i = 0; i < list.size(); ++i) list[i].*member = values[i];
  } else {
    archive(name, std::move(values));
  }
}

template <class Archive>
void fields(Archive& archive, RunIdentity::Entry& entry) {
  archive("name", entry.name)("text", entry.text);
}

template <class Archive>
void fields(Archive& archive, RunIdentity& identity) {
  // NOLINTBEGIN(performance-unnecessary-copy-initialization): a reader fills them
  auto solver = identity.solver();
  auto entries = identity.entries();
  // NOLINTEND(performance-unnecessary-copy-initialization)
  archive("solver", solver)("entries", entries);
  if constexpr (Archive::is_reader) identity = RunIdentity(std::move(solver), std::move(entries));
}

/// The members that all results have in common.
template <class Archive>
void fields(Archive& archive, RunResult& result) {
  archive("method", result.method)("reason", result.reason)("ending", result.ending)("checksum", result.checksum);
  // As the first version has them: without drivers, and the total without building.
  auto& seconds = result.seconds;
  auto total = seconds.compute + seconds.other;
  archive("seconds_total", total)("seconds_compute", seconds.compute)("seconds_build", seconds.build);
  if constexpr (Archive::is_reader) {
    seconds.other = std::max(0.0, total - seconds.compute);
    seconds.add_up();
  }
  archive("launches", result.launches)("failures", result.failures);
  archive("unchecked", result.unchecked);
}

/// Adds to what all results have in common that of another part of the same run: times and launches are added up,
/// failures and what was not checked are taken over.
void add_run_result(RunResult& whole, const RunResult& part);

}  // namespace clopt
