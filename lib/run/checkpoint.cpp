#include <clopt/checkpoint.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <clopt/version.hpp>
#include <run/versions.hpp>
#include <support/files/output_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clopt {
namespace {

namespace fs = std::filesystem;

// A file is the magic, the order of bytes, the format, its own size, then texts and the table of arrays, then the
// arrays in that order, then a hash of all before it.
constexpr std::string_view file_magic = "clopt-checkpoint";
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t format = 2;
constexpr std::size_t fixed_bytes = file_magic.size() + 2 * sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::size_t hash_bytes = sizeof(XXH128_canonical_t);
constexpr std::array<std::size_t, 8> type_bytes{1, 1, 4, 4, 8, 8, 4, 8};
constexpr std::array<std::string_view, 8> type_names{"u8", "i8", "u32", "i32", "u64", "i64", "f32", "f64"};

template <class Number>
void append(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_text(std::string& text, std::string_view more) {
  append(text, std::uint64_t{more.size()});
  text.append(more);
}

std::string encode_header(const std::string& parameters, const CheckpointState& state) {
  std::string rest;
  append_text(rest, state.identity().solver());
  append_text(rest, version());
  const auto& entries = state.identity().entries();
  append(rest, std::uint64_t{entries.size()});
  for (const auto& entry : entries) {
    append_text(rest, entry.name);
    append_text(rest, entry.text);
  }
  append_text(rest, parameters);
  append(rest, std::uint64_t{state.arrays().size()});
  std::uint64_t payload = 0;
  for (const auto& array : state.arrays()) {
    append_text(rest, array.name);
    append(rest, static_cast<std::uint32_t>(array.type));
    append(rest, std::uint64_t{array.bytes.size()});
    payload += array.bytes.size();
  }
  std::string header(file_magic);
  append(header, byte_order);
  append(header, format);
  append(header, std::uint64_t{fixed_bytes + rest.size() + payload + hash_bytes});
  return header + rest;
}

// Hashes what it writes.
class HashedFile {
 public:
  explicit HashedFile(int descriptor) : descriptor_(descriptor) { XXH3_128bits_reset(&hash_); }
  void write(std::string_view bytes) {
    if (!failure_.empty()) return;
    XXH3_128bits_update(&hash_, bytes.data(), bytes.size());
    failure_ = write_all(descriptor_, bytes);
  }
  /// Writes the hash. \returns an empty text, or why the file could not be written.
  std::string finish() {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&hash_));
    if (failure_.empty())
      failure_ = write_all(descriptor_, {reinterpret_cast<const char*>(canonical.digest), hash_bytes});
    return failure_;
  }

 private:
  int descriptor_;
  XXH3_state_t hash_;
  std::string failure_;
};

// \returns an empty text, or what went wrong.
std::string replace(const fs::path& file, const std::string& header, const CheckpointState& state) {
  Replacement part(file);
  if (!part.failure().empty()) return part.failure();
  HashedFile stream(part.descriptor());
  stream.write(header);
  for (const auto& array : state.arrays())
    stream.write({reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()});
  const auto failure = stream.finish();
  return failure.empty() ? part.commit(true) : failure;
}

// A checkpoint may replace a checkpoint, but no other file.
void check_replaceable(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status))
    throw InvalidInput(
        fmt::format("'{}' cannot be a checkpoint: it is not a regular file; name another", file.string()));
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, file_magic.size()> begin{};
  const auto count = opened ? ::read(opened.get(), begin.data(), begin.size()) : 0;
  if (count > 0 && !file_magic.starts_with(std::string_view(begin.data(), static_cast<std::size_t>(count))))
    throw InvalidInput(
        fmt::format("'{}' is there already and is not a checkpoint; remove it, or name another file", file.string()));
}

}  // namespace

/// Takes the parts of a checkpoint from its bytes, none beyond their end.
class CheckpointReader {
 public:
  CheckpointReader(const fs::path& file, std::vector<std::byte> bytes) {
    result_.file_ = file.string();
    result_.bytes_ = std::move(bytes);
    end_ = result_.bytes_.size() - hash_bytes;
  }

  Checkpoint read(std::string_view solver) {
    check_hash();
    at_ = fixed_bytes;
    result_.solver_ = take_text();
    const auto written_by = take_text();
    const auto entries = take<std::uint64_t>();
    for (std::uint64_t i = 0; i < entries; ++i) {
      auto name = take_text();
      result_.identity_.push_back({std::move(name), take_text()});
    }
    result_.parameters_ = take_text();
    if (!solver.empty() && result_.solver_ != solver)
      result_.refuse(fmt::format("it is of a run of {}, and {} was asked to go on", result_.solver_, solver));
    if (!reads_files_of(written_by))
      result_.refuse(fmt::format("it was written by clopt {}, and this is {}, whose runs may differ; use that version",
                                 written_by, version()));
    take_arrays();
    return std::move(result_);
  }

 private:
  void check_hash() const {
    XXH128_canonical_t canonical;
    std::memcpy(canonical.digest, result_.bytes_.data() + end_, hash_bytes);
    const auto hash = XXH3_128bits(result_.bytes_.data(), end_);
    if (!XXH128_isEqual(hash, XXH128_hashFromCanonical(&canonical)))
      result_.refuse("it is damaged: its hash is not that of its content");
  }

  void need(std::uint64_t bytes) const {
    if (bytes > end_ - at_) result_.refuse("it is damaged: a part reaches beyond its end");
  }

  template <class Number>
  Number take() {
    need(sizeof(Number));
    Number number;
    std::memcpy(&number, result_.bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }

  std::string take_text() {
    const auto size = take<std::uint64_t>();
    need(size);
    std::string text(reinterpret_cast<const char*>(result_.bytes_.data() + at_), size);
    at_ += size;
    return text;
  }

  void take_arrays() {
    const auto count = take<std::uint64_t>();
    for (std::uint64_t i = 0; i < count; ++i) {
      auto name = take_text();
      const auto type = take<std::uint32_t>();
      const auto size = take<std::uint64_t>();
      if (type >= type_bytes.size() || size % type_bytes[type] != 0)
        result_.refuse("it is damaged: an array has no known type");
      result_.arrays_.push_back({std::move(name), static_cast<CheckpointType>(type), 0, size});
    }
    for (auto& array : result_.arrays_) {
      need(array.size);
      array.begin = at_;
      at_ += array.size;
    }
    if (at_ != end_) result_.refuse("it is damaged: more follows its last array");
  }

  Checkpoint result_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

std::string_view name_of(CheckpointType type) { return type_names[static_cast<std::size_t>(type)]; }

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

void Checkpoint::require(const RunIdentity& identity) const {
  if (solver_ != identity.solver())
    refuse(fmt::format("it is of a run of {}, and {} was asked to go on", solver_, identity.solver()));
  const auto& entries = identity.entries();
  for (const auto& [name, text] : entries) {
    const auto found =
        std::find_if(identity_.begin(), identity_.end(), [&](const auto& own) { return own.name == name; });
    if (found != identity_.end() && found->text != text)
      refuse(
          fmt::format("its run has the `{}` {}, and this one has {}", name, printable(found->text), printable(text)));
  }
  const auto names_of = [](const auto& all) {
    std::set<std::string> names;
    for (const auto& entry : all) names.insert(entry.name);
    return names;
  };
  if (names_of(entries) != names_of(identity_))
    refuse("its entries are not those of this version of clopt; resume with the version that wrote it");
}

void Checkpoint::refuse(std::string_view what) const {
  throw InvalidInput(fmt::format("the checkpoint '{}' cannot be used: {}", file_, what));
}

bool Checkpoint::has(std::string_view name) const {
  for (const auto& array : arrays_)
    if (array.name == name) return true;
  return false;
}

std::span<const std::byte> Checkpoint::find(std::string_view name, CheckpointType type, std::size_t size,
                                            std::optional<std::size_t> count) const {
  for (const auto& array : arrays_) {
    if (array.name != name) continue;
    if (array.type != type)
      refuse(fmt::format("its array '{}' is of type {}, not {}", name, name_of(array.type), name_of(type)));
    if (count && array.size / size != *count)
      refuse(fmt::format("its array '{}' has {} elements, not {}", name, array.size / size, *count));
    return std::span(bytes_).subspan(array.begin, array.size);
  }
  refuse(fmt::format("it has no array '{}'", name));
}

Checkpoint Checkpoint::read(const fs::path& file, std::string_view solver) {
  Checkpoint nothing;
  nothing.file_ = file.string();
  // Opening a pipe without a writer would block for ever.
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!opened) nothing.refuse(std::strerror(errno));
  struct stat found {};
  if (::fstat(opened.get(), &found) != 0 || !S_ISREG(found.st_mode)) nothing.refuse("it is not a regular file");
  const auto size = static_cast<std::size_t>(found.st_size);

  const auto read_all = [&](std::span<std::byte> to) {
    while (!to.empty()) {
      const auto count = ::read(opened.get(), to.data(), to.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) nothing.refuse(std::strerror(errno));
      if (count == 0) nothing.refuse("it became shorter while it was read");
      to = to.subspan(static_cast<std::size_t>(count));
    }
  };
  std::vector<std::byte> bytes(std::min(size, fixed_bytes));
  read_all(bytes);
  const std::string_view begin(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (begin.empty() || !file_magic.starts_with(begin.substr(0, file_magic.size())))
    nothing.refuse(begin.empty() ? "it is empty" : "it is not a checkpoint");
  if (size < fixed_bytes + hash_bytes)
    nothing.refuse(fmt::format("it is cut: {} bytes are too few for a checkpoint", size));
  std::array<std::uint32_t, 2> numbers{};
  std::memcpy(numbers.data(), bytes.data() + file_magic.size(), sizeof numbers);
  if (numbers[0] != byte_order) nothing.refuse("it is damaged, or of a machine with another order of bytes");
  if (numbers[1] != format) nothing.refuse(fmt::format("it is damaged, or of format {}, not {}", numbers[1], format));
  std::uint64_t told = 0;
  std::memcpy(&told, bytes.data() + file_magic.size() + sizeof numbers, sizeof told);
  if (told != size) nothing.refuse(fmt::format("it is cut or damaged: it has {} bytes, and says {}", size, told));
  bytes.resize(size);
  read_all(std::span(bytes).subspan(fixed_bytes));
  return CheckpointReader(file, std::move(bytes)).read(solver);
}

CheckpointWriter::CheckpointWriter(fs::path file, std::string parameters, double interval)
    : file_(std::move(file)), parameters_(std::move(parameters)), interval_(interval) {
  check_replaceable(file_);
  std::error_code error;
  if (fs::is_symlink(file_, error)) {
    const auto target = fs::weakly_canonical(file_, error);
    if (!error) file_ = target;
  }
  check_writable(file_);
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
}

bool CheckpointWriter::write(const CheckpointState& state) {
  auto whole = state;
  if (additions_) additions_(whole);
  const auto why = replace(file_, encode_header(parameters_, whole), whole);
  failure_ = why.empty() ? "" : fmt::format("the checkpoint '{}' could not be written: {}", file_.string(), why);
  if (why.empty()) ++written_;
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
  return why.empty();
}

}  // namespace clopt
