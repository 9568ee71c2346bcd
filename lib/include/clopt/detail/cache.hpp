/// \file
/// The cache of clopt, which persists between runs: built kernels, probed features, passed self-tests.
#pragma once

#include <clopt/export.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clopt {

/// A folder of records, each written by rename and checked when read, so that processes may share it and a damaged
/// record counts as missing. A folder of another user, or one that others may write to, is not used. The folder is the
/// environment's CLOPT_CACHE_DIR (`off`: nothing is remembered), else clopt in XDG_CACHE_HOME, else .cache/clopt in
/// HOME.
class CLOPT_API Cache {
 public:
  /// The one cache of the process, in the folder that the environment names.
  static Cache& instance();

  /// \param most_bytes beyond this much in the folder, the oldest records go.
  explicit Cache(std::optional<std::filesystem::path> folder, std::uintmax_t most_bytes = std::uintmax_t{256} << 20)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// Where the records are; none where nothing is remembered.
  const std::optional<std::filesystem::path>& folder() const { return folder_; }
  /// Why a folder that is there is not used; empty where it is.
  std::string distrust() const;

  /// The record of a kind under a key, if there is one and it is whole.
  /// \param kind a word that also names the file; \param key any text; the two name the record.
  std::optional<std::string> load(std::string_view kind, std::string_view key) const;
  /// Keeps a record. Failure is not an error, except where the environment sets CLOPT_CACHE_STRICT=1.
  void store(std::string_view kind, std::string_view key, std::string_view content) const;
  /// The right to make a record that is missing, which one thread of one process has at a time.
  class CLOPT_API Turn {
   public:
    Turn() = default;
    Turn(std::filesystem::path file, int descriptor, bool waited)
        : file_(std::move(file)), descriptor_(descriptor), waited_(waited) {}
    Turn(Turn&& other) noexcept
        : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)), waited_(other.waited_) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn();
    /// Whether another one had it before, and may have made the record.
    bool waited() const { return waited_; }

   private:
    std::filesystem::path file_;
    int descriptor_ = -1;
    bool waited_ = false;
  };
  /// Waits until no other thread or process makes a record, for a minute at most: making it twice is better than
  /// waiting for one that hangs. Does not wait where nothing is cached, nor once a stop is requested.
  Turn wait_for_turn(std::string_view kind, std::string_view key, const std::stop_token& stop = {}) const;
  /// The turn, unless another thread or process makes the record now; then none.
  std::optional<Turn> take_turn(std::string_view kind, std::string_view key) const;
  /// Forgets one record.
  void remove(std::string_view kind, std::string_view key) const;

  /// A record as it lies in the folder.
  struct Entry {
    std::filesystem::path file;
    std::string kind;
    std::string key;  ///< empty where the record is damaged
    std::uintmax_t bytes = 0;
  };
  std::vector<Entry> entries() const;
  /// Removes every record. \returns how many there were.
  std::size_t clear() const;

 private:
  std::filesystem::path file_of(std::string_view kind, std::string_view key) const;
  std::optional<Turn> turn_until(std::string_view kind, std::string_view key, std::chrono::milliseconds longest,
                                 const std::stop_token& stop) const;
  bool is_used() const;
  void limit_size() const;

  std::optional<std::filesystem::path> folder_;
  std::uintmax_t most_bytes_;
};

}  // namespace clopt
