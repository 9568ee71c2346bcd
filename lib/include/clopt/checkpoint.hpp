/// \file
/// Checkpoints: the state of a run in a file, from which it continues on any device with the same result.
#pragma once

#include <clopt/error.hpp>
#include <clopt/export.hpp>
#include <clopt/record.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clopt {

/// A checkpoint that was read: complete, undamaged, of this version of clopt. Its numbers are not checked: a solver
/// checks sizes and ranges.
class CLOPT_API Checkpoint {
 public:
  /// Reads a file. O(size of the file).
  /// \param solver whose it must be, as the program has its name: "genetic"; empty: any.
  /// \throws InvalidInput with the file's name for a file that cannot be read, that is not a checkpoint, that is cut or
  ///         damaged (a hash over all of it), of another format, version of clopt or solver.
  static Checkpoint read(const std::filesystem::path& file, std::string_view solver);

  /// The state of a run of this process. \param record has its arrays itself.
  explicit Checkpoint(Record record) : file_("in memory"), record_(std::move(record)) {}

  const std::string& solver() const { return record_.identity().solver(); }
  /// Refuses the checkpoint of another run. \throws InvalidInput naming the first entry that
  /// differs, with both values.
  void require(const RunIdentity& identity) const;
  /// What the writer gave: a text, usually JSON, that says which run it is.
  const std::string& parameters() const { return parameters_; }
  /// What was written.
  const Record& record() const { return record_; }

  bool has(std::string_view name) const { return record_.has(name); }
  /// The array of a name. \param count how many elements it must have; none: any number.
  /// \throws InvalidInput where there is no array of that name, type and length.
  template <class T>
  std::vector<T> array(std::string_view name, std::optional<std::size_t> count = std::nullopt) const {
    try {
      const auto& values = record_.array<T>(name, count);
      return {values.begin(), values.end()};
    } catch (const InvalidInput& error) {
      refuse(error.what());
    }
  }
  /// A number that was added alone.
  template <class T>
  T number(std::string_view name) const {
    return array<T>(name, 1).front();
  }
  /// Refuses the checkpoint for what a solver finds wrong with its numbers: throws InvalidInput with the file's name.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  explicit Checkpoint(const std::filesystem::path& file) : file_(file.string()) {}
  void decode(std::span<const std::byte> body, std::string_view solver);

  std::string file_;
  std::string parameters_;
  Record record_;
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

  /// Gives states to a function in place of a file. \param is_due whether it is time for one.
  CheckpointWriter(std::function<bool()> is_due, std::function<void(const Record&)> take)
      : is_due_(std::move(is_due)), take_(std::move(take)) {}

  /// Whether it is time for a checkpoint.
  bool due() const { return is_due_ ? is_due_() : Clock::now() >= next_; }
  /// What the owner of the writer adds to each state, under names that no solver uses: "program.plot". The arrays must
  /// live until the state is written. Where it throws Cancelled, nothing is written.
  void set_additions(std::function<void(Record&)> additions) { additions_ = std::move(additions); }
  /// Writes one. O(size of the state). \returns whether it was written; where not, failure() says why.
  bool write(const Record& state);

  /// Checkpoints written.
  std::uint64_t written() const { return written_; }
  /// Why the last one could not be written; empty where it was.
  const std::string& failure() const { return failure_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::function<bool()> is_due_;
  std::function<void(const Record&)> take_;
  std::filesystem::path file_;
  std::string parameters_;
  std::chrono::duration<double> interval_{};
  std::function<void(Record&)> additions_;
  Clock::time_point next_ = Clock::now();
  std::uint64_t written_ = 0;
  std::string failure_;
};

}  // namespace clopt
