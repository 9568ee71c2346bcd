/// \file
/// Checkpoints: the state of a run in a file, from which it continues on any device with the same result.
#pragma once

#include <clopt/export.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace clopt {

class Objective;

/// Which run a checkpoint is of: everything that the run's result depends on, a name and a text each. A solver writes
/// it into each checkpoint and compares it before it continues, so that no run continues from the state of another.
/// Limits are not part of it: they may change.
class CLOPT_API RunIdentity {
 public:
  /// \param solver the solver's name as the program has it: "genetic".
  explicit RunIdentity(std::string solver) : solver_(std::move(solver)) {}

  /// \param name the member of the problem or options.
  RunIdentity& add(std::string name, std::string_view text);
  /// A number, to its last bit.
  template <class T>
  requires std::is_arithmetic_v<T> RunIdentity& add(std::string name, T number) {
    if constexpr (std::is_same_v<T, bool>)
      return add(std::move(name), std::string_view(number ? "true" : "false"));
    else if constexpr (std::is_floating_point_v<T>)
      return add_real(std::move(name), static_cast<double>(number));
    else if constexpr (std::is_signed_v<T>)
      return add(std::move(name), std::string_view(std::to_string(static_cast<long long>(number))));
    else
      return add(std::move(name), std::string_view(std::to_string(static_cast<unsigned long long>(number))));
  }
  /// Many numbers: how many, and a hash of their bits. O(their number).
  template <class T>
  requires std::is_arithmetic_v<T> RunIdentity& add_data(const std::string& name, std::span<const T> numbers) {
    return add_bytes(name, numbers.size(), std::as_bytes(numbers));
  }
  template <class T>
  RunIdentity& add_data(const std::string& name, const std::vector<T>& numbers) {
    return add_data(name, std::span<const T>(numbers));
  }
  /// An objective: its name, and a hash of its text, constants and tables. Of a C++ function there is only the name.
  RunIdentity& add(std::string name, const Objective& objective);

  /// Removes the entry of a name, if there is one.
  void leave_out(std::string_view name) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
  }

  const std::string& solver() const { return solver_; }
  struct Entry {
    std::string name;
    std::string text;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  RunIdentity& add_real(std::string name, double number);
  RunIdentity& add_bytes(std::string name, std::size_t count, std::span<const std::byte> bytes);

  std::string solver_;
  std::vector<Entry> entries_;
};

/// The types of numbers that a checkpoint holds; part of the file's format.
enum class CheckpointType : std::uint32_t { u8, i8, u32, i32, u64, i64, f32, f64 };
/// "u8", "i8", ... "f64".
CLOPT_API std::string_view name_of(CheckpointType type);

/// The type of a checkpoint's array that holds T.
template <class T>
constexpr CheckpointType checkpoint_type() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return CheckpointType::u8;
  if constexpr (std::is_same_v<T, std::int8_t>) return CheckpointType::i8;
  if constexpr (std::is_same_v<T, std::uint32_t>) return CheckpointType::u32;
  if constexpr (std::is_same_v<T, std::int32_t>) return CheckpointType::i32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return CheckpointType::u64;
  if constexpr (std::is_same_v<T, std::int64_t>) return CheckpointType::i64;
  if constexpr (std::is_same_v<T, float>) return CheckpointType::f32;
  if constexpr (std::is_same_v<T, double>) return CheckpointType::f64;
}

/// What a solver puts into a checkpoint: which run it is, and arrays of numbers, each with a name.
class CLOPT_API CheckpointState {
 public:
  explicit CheckpointState(RunIdentity identity) : identity_(std::move(identity)) {}
  struct Array {
    std::string name;
    CheckpointType type;
    std::span<const std::byte> bytes;
  };

  /// An array that the caller keeps until the state is written. Names differ.
  template <class T>
  CheckpointState& add(std::string name, std::span<const T> numbers) {
    arrays_.push_back({std::move(name), checkpoint_type<T>(), std::as_bytes(numbers)});
    return *this;
  }
  template <class T>
  CheckpointState& add(std::string name, const std::vector<T>& numbers) {
    return add(std::move(name), std::span<const T>(numbers));
  }
  /// One number, which is copied.
  template <class T>
  requires std::is_arithmetic_v<T> CheckpointState& add(std::string name, T number) {
    const auto bytes = std::as_bytes(std::span<const T>(&number, 1));
    auto& copy = numbers_.emplace_back(bytes.begin(), bytes.end());
    arrays_.push_back({std::move(name), checkpoint_type<T>(), std::span<const std::byte>(copy)});
    return *this;
  }

  const std::vector<Array>& arrays() const { return arrays_; }
  const RunIdentity& identity() const { return identity_; }

 private:
  RunIdentity identity_;
  std::vector<Array> arrays_;
  std::deque<std::vector<std::byte>> numbers_;  // whose elements stay where they are
};

/// A checkpoint that was read: complete, undamaged, of this version of clopt. Its numbers are not checked: a solver
/// checks sizes and ranges.
class CLOPT_API Checkpoint {
 public:
  /// Reads a file. O(size of the file).
  /// \param solver whose it must be, as the program has its name: "genetic"; empty: any.
  /// \throws InvalidInput with the file's name for a file that cannot be read, that is not a checkpoint, that is cut or
  ///         damaged (a hash over all of it), of another format, version of clopt or solver.
  static Checkpoint read(const std::filesystem::path& file, std::string_view solver);

  const std::string& solver() const { return solver_; }
  /// Refuses the checkpoint of another run. \throws InvalidInput naming the first entry that
  /// differs, with both values.
  void require(const RunIdentity& identity) const;
  /// What the writer gave: a text, usually JSON, that says which run it is.
  const std::string& parameters() const { return parameters_; }

  bool has(std::string_view name) const;
  /// The array of a name. \param count how many elements it must have; none: any number.
  /// \throws InvalidInput where there is no array of that name, type and length.
  template <class T>
  std::vector<T> array(std::string_view name, std::optional<std::size_t> count = std::nullopt) const {
    const auto bytes = find(name, checkpoint_type<T>(), sizeof(T), count);
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(numbers.data()));
    return numbers;
  }
  /// A number that was added alone.
  template <class T>
  T number(std::string_view name) const {
    return array<T>(name, 1).front();
  }
  /// Refuses the checkpoint for what a solver finds wrong with its numbers: throws InvalidInput with the file's name.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  struct Array {
    std::string name;
    CheckpointType type;
    std::size_t begin;
    std::size_t size;
  };
  friend class CheckpointReader;
  std::span<const std::byte> find(std::string_view name, CheckpointType type, std::size_t size,
                                  std::optional<std::size_t> count) const;

  std::string file_;
  std::string solver_;
  std::vector<RunIdentity::Entry> identity_;
  std::string parameters_;
  std::vector<Array> arrays_;
  std::vector<std::byte> bytes_;
};

/// Writes the checkpoints of a run, one after the other, to one file. Each is written to a new file in the same
/// folder, put on the disk, and renamed: at any moment the file is whole, whether the process is killed, the disk fills
/// up or the power fails. No other file is ever changed. Where a checkpoint cannot be written, the previous one stays
/// and the run continues.
///
/// A solver asks due() wherever it could cheaply stop, several times a second, and writes then; it also writes when it
/// ends, for whatever reason.
class CLOPT_API CheckpointWriter {
 public:
  /// Seconds between checkpoints: with the time of a write there is at least one a second.
  static constexpr double usual_interval = 0.5;

  /// Checks that the file can be written, without changing it. A link is followed.
  /// \param parameters any text, kept in each checkpoint. \param interval seconds; 0: always due.
  /// \throws InvalidInput where it cannot be written, and where there is a file that is not a checkpoint, or a device.
  explicit CheckpointWriter(std::filesystem::path file, std::string parameters = {}, double interval = usual_interval);

  /// Whether it is time for a checkpoint.
  bool due() const { return Clock::now() >= next_; }
  /// What the owner of the writer adds to each state, under names that no solver uses: "program.plot". The arrays must
  /// live until the state is written.
  void set_additions(std::function<void(CheckpointState&)> additions) { additions_ = std::move(additions); }
  /// Writes one. O(size of the state). \returns whether it was written; where not, failure() says why.
  bool write(const CheckpointState& state);

  /// Checkpoints written.
  std::uint64_t written() const { return written_; }
  /// Why the last one could not be written; empty where it was.
  const std::string& failure() const { return failure_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path file_;
  std::string parameters_;
  std::chrono::duration<double> interval_;
  std::function<void(CheckpointState&)> additions_;
  Clock::time_point next_ = Clock::now();
  std::uint64_t written_ = 0;
  std::string failure_;
};

}  // namespace clopt
