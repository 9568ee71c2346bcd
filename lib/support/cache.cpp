#include <clopt/cache.hpp>
#include <clopt/error.hpp>
#include "environment.hpp"
#include "log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>
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

struct Record {
  std::string key;
  std::string content;
};

std::optional<Record> decode(const std::string& bytes) {
  const std::string_view view = bytes;
  if (!view.starts_with(magic)) return std::nullopt;
  const auto hash_end = view.find('\n', magic.size());
  if (hash_end == view.npos) return std::nullopt;
  const auto body = view.substr(hash_end + 1);
  if (view.substr(magic.size(), hash_end - magic.size()) != hash_of(body)) return std::nullopt;
  const auto length_end = body.find('\n');
  if (length_end == body.npos) return std::nullopt;
  std::size_t length = 0;
  const auto [stop, wrong] = std::from_chars(body.data(), body.data() + length_end, length);
  if (wrong != std::errc{} || stop != body.data() + length_end || length > body.size() - length_end - 1)
    return std::nullopt;
  return Record{std::string(body.substr(length_end + 1, length)), std::string(body.substr(length_end + 1 + length))};
}

std::optional<std::string> read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return stream.bad() ? std::nullopt : std::optional(std::move(bytes));
}

void failed(const std::string& what) {
  log("cache", what);
  if (environment::cache_strict()) throw Error("the cache could not be written: " + what);
}

// A name that no other thread or process uses for its unfinished record.
fs::path unfinished_record(const fs::path& file) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}.{}.new", file.string(), ::getpid(), count++);
}

}  // namespace

Cache& Cache::instance() {
  static Cache cache(environment::cache_folder());
  return cache;
}

fs::path Cache::file_of(std::string_view kind, std::string_view key) const {
  return *folder_ / fmt::format("{}-{}{}", kind, hash_of(key), extension);
}

std::optional<std::string> Cache::load(std::string_view kind, std::string_view key) const {
  if (!folder_) return std::nullopt;
  const auto file = file_of(kind, key);
  const auto bytes = read_file(file);
  auto record = bytes ? decode(*bytes) : std::nullopt;
  if (bytes && !record) log("cache", fmt::format("{} is damaged and will be made anew", file.string()));
  if (!record || record->key != key) return std::nullopt;
  log("cache", fmt::format("found {}", file.filename().string()));
  return std::move(record->content);
}

void Cache::store(std::string_view kind, std::string_view key, std::string_view content) const {
  if (!folder_) return;
  std::error_code error;
  fs::create_directories(*folder_, error);
  const auto file = file_of(kind, key);
  const auto part = unfinished_record(file);
  {
    std::ofstream stream(part, std::ios::binary);
    const auto bytes = encode(key, content);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
      fs::remove(part, error);
      return failed(part.string());
    }
  }
  fs::rename(part, file, error);
  if (error) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return failed(fmt::format("{}: {}", file.string(), error.message()));
  }
  log("cache", fmt::format("kept {}", file.filename().string()));
  limit_size();
}

Cache::Turn::~Turn() {
  if (descriptor_ < 0) return;
  // While it is locked, so that no file of another one's turn goes.
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

Cache::Turn Cache::wait_for_turn(std::string_view kind, std::string_view key) const {
  constexpr auto pause = std::chrono::milliseconds(2);
  if (!folder_) return {};
  std::error_code error;
  fs::create_directories(*folder_, error);
  auto file = file_of(kind, key);
  file.replace_extension(lock_extension);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return {};
  const auto latest = std::chrono::steady_clock::now() + longest_wait;
  for (bool waited = false;; waited = true) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return {std::move(file), descriptor, waited};
    if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() > latest) {
      ::close(descriptor);
      return {};
    }
    std::this_thread::sleep_for(pause);
  }
}

void Cache::remove(std::string_view kind, std::string_view key) const {
  std::error_code ignored;
  if (folder_) fs::remove(file_of(kind, key), ignored);
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
    if (const auto bytes = read_file(file)) {
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
