#include <clopt/detail/cache.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>
#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clopt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "clopt-cache-1\n";
constexpr std::string_view extension = ".record";
constexpr std::string_view lock_extension = ".lock";
constexpr auto longest_wait = std::chrono::minutes(1);
constexpr off_t most_record_bytes = off_t{1} << 30;

std::string hash_of(std::string_view text) {
  const auto hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// A record is the magic line, the hash of what follows the hash's line, the key's length, the key and the content.
std::string encode(std::string_view key, std::string_view content) {
  std::string body = fmt::format("{}\n", key.size());
  body.append(key).append(content);
  return fmt::format("{}{}\n", magic, hash_of(body)).append(body);
}

struct CacheRecord {
  std::string key;
  std::string content;
};

std::optional<CacheRecord> decode(const std::string& bytes) {
  const std::string_view view = bytes;
  if (!view.starts_with(magic)) return std::nullopt;
  const auto hash_end = view.find('\n', magic.size());
  if (hash_end == view.npos) return std::nullopt;
  const auto body = view.substr(hash_end + 1);
  if (view.substr(magic.size(), hash_end - magic.size()) != hash_of(body)) return std::nullopt;
  const auto length_end = body.find('\n');
  if (length_end == body.npos) return std::nullopt;
  const auto length = number_in<std::size_t>(body.substr(0, length_end));
  const auto rest = body.substr(length_end + 1);
  if (!length || *length > rest.size()) return std::nullopt;
  return CacheRecord{std::string(rest.substr(0, *length)), std::string(rest.substr(*length))};
}

// The bytes of a record; empty of what is there and is none, such as a folder. None where there is nothing.
std::optional<std::string> read_record(const fs::path& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!opened) return errno == ENOENT ? std::nullopt : std::optional<std::string>("");
  struct stat found {};
  if (::fstat(opened.get(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_size > most_record_bytes) return "";
  std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const auto count = ::read(opened.get(), bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    have += static_cast<std::size_t>(count);
  }
  bytes.resize(have);
  return bytes;
}

void failed(const std::string& what) {
  log("cache", what);
  if (environment::cache_strict()) throw Error("the cache could not be written: " + what);
}

// Makes the folder, for its owner alone.
void make_folder(const fs::path& folder) {
  std::error_code ignored;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), 0700);
}

}  // namespace

Cache& Cache::instance() {
  // Never destroyed: a thread may still compile when the process ends.
  static auto& cache = *new Cache(environment::cache_folder());
  return cache;
}

fs::path Cache::file_of(std::string_view kind, std::string_view key) const {
  return *folder_ / fmt::format("{}-{}{}", kind, hash_of(key), extension);
}

// Records are code that is run: no other user may write one.
std::string Cache::distrust() const {
  struct stat found {};
  if (!folder_ || ::stat(folder_->c_str(), &found) != 0) return {};
  if (!S_ISDIR(found.st_mode)) return "it is not a folder";
  if (found.st_uid != ::geteuid()) return "it belongs to another user";
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "other users may write to it; take that right away (chmod go-w) once its records are cleared";
  return {};
}

bool Cache::is_used() const {
  if (!folder_) return false;
  const auto why = distrust();
  if (!why.empty()) log("cache", fmt::format("{} is not used: {}", folder_->string(), why));
  return why.empty();
}

std::optional<std::string> Cache::load(std::string_view kind, std::string_view key) const {
  if (!is_used()) return std::nullopt;
  const auto file = file_of(kind, key);
  const auto bytes = read_record(file);
  auto record = bytes ? decode(*bytes) : std::nullopt;
  if (bytes && !record) log("cache", fmt::format("{} is damaged and will be made again", file.string()));
  if (!record || record->key != key) return std::nullopt;
  log("cache", fmt::format("found {}", file.filename().string()));
  return std::move(record->content);
}

void Cache::store(std::string_view kind, std::string_view key, std::string_view content) const {
  if (!is_used()) return;
  make_folder(*folder_);
  const auto file = file_of(kind, key);
  Replacement part(file);
  auto why = part.failure();
  if (why.empty()) why = write_all(part.descriptor(), encode(key, content));
  // An empty folder of this name is in the way: else it stays there.
  if (why.empty()) ::rmdir(file.c_str());
  if (why.empty()) why = part.commit(false);
  if (!why.empty()) return failed(fmt::format("{}: {}", file.string(), why));
  log("cache", fmt::format("kept {}", file.filename().string()));
  limit_size();
}

Cache::Turn::~Turn() {
  if (descriptor_ < 0) return;
  // While it is locked, so that no file of another one's turn goes.
  ::unlink(file_.c_str());
  // What forks have inherited of it would stay locked.
  ::flock(descriptor_, LOCK_UN);
  ::close(descriptor_);
}

std::optional<Cache::Turn> Cache::turn_until(std::string_view kind, std::string_view key,
                                             std::chrono::milliseconds longest, const std::stop_token& stop) const {
  constexpr auto pause = std::chrono::milliseconds(2);
  if (!is_used()) return Turn{};
  make_folder(*folder_);
  auto file = file_of(kind, key);
  file.replace_extension(lock_extension);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return Turn{};
  const auto latest = std::chrono::steady_clock::now() + longest;
  for (bool waited = false;; waited = true) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Turn(std::move(file), descriptor, waited);
    const bool is_taken = errno == EWOULDBLOCK;
    if (!is_taken || std::chrono::steady_clock::now() >= latest || stop.stop_requested()) {
      ::close(descriptor);
      return is_taken ? std::nullopt : std::optional(Turn{});
    }
    std::this_thread::sleep_for(pause);
  }
}

Cache::Turn Cache::wait_for_turn(std::string_view kind, std::string_view key, const std::stop_token& stop) const {
  auto turn = turn_until(kind, key, longest_wait, stop);
  return turn ? std::move(*turn) : Turn{};
}

std::optional<Cache::Turn> Cache::take_turn(std::string_view kind, std::string_view key) const {
  return turn_until(kind, key, std::chrono::milliseconds(0), {});
}

void Cache::remove(std::string_view kind, std::string_view key) const {
  std::error_code ignored;
  if (is_used()) fs::remove(file_of(kind, key), ignored);
}

std::vector<Cache::Entry> Cache::entries() const {
  std::vector<Entry> entries;
  std::error_code error;
  if (!folder_) return entries;
  for (fs::directory_iterator item(*folder_, error), end; !error && item != end; item.increment(error)) {
    const auto& file = item->path();
    if (file.extension() != extension) continue;
    Entry entry{file, file.stem().string(), {}, 0};
    entry.kind = entry.kind.substr(0, entry.kind.rfind('-'));
    if (const auto bytes = read_record(file)) {
      entry.bytes = bytes->size();
      if (auto record = decode(*bytes)) entry.key = std::move(record->key);
    }
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.file < b.file; });
  return entries;
}

std::size_t Cache::clear() const {
  std::size_t count = 0;
  std::error_code error;
  if (!folder_) return count;
  std::vector<fs::path> files;
  for (fs::directory_iterator item(*folder_, error), end; !error && item != end; item.increment(error))
    if (const auto found = item->path().extension(); found == extension || found == lock_extension || found == ".new")
      files.push_back(item->path());
  for (const auto& file : files)
    if (fs::remove(file, error) && file.extension() == extension) ++count;
  return count;
}

void Cache::limit_size() const {
  struct File {
    fs::file_time_type time;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator item(*folder_, error), end; !error && item != end; item.increment(error)) {
    std::error_code gone;
    const auto bytes = item->file_size(gone);
    const auto time = item->last_write_time(gone);
    if (gone || item->path().extension() != extension) continue;
    files.push_back({time, bytes, item->path()});
    total += bytes;
  }
  if (total <= most_bytes_) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.time < b.time; });
  for (const auto& file : files) {
    if (total <= most_bytes_) return;
    if (fs::remove(file.path, error)) total -= file.bytes;
  }
}

}  // namespace clopt
