#include <clopt/checkpoint.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>
#include <run/record_fields.hpp>
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
#include <list>
#include <variant>

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

/// An array in the table.
struct ArrayHead {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t bytes = 0;
};

template <class Archive>
void fields(Archive& archive, ArrayHead& head) {
  archive("name", head.name)("type", head.type)("bytes", head.bytes);
}

/// What stands before the arrays.
struct Head {
  std::string solver;
  std::string version;
  std::vector<RunIdentity::Entry> identity;
  std::string parameters;
  std::vector<ArrayHead> arrays;
};

template <class Archive>
void fields(Archive& archive, Head& head) {
  archive("solver", head.solver)("version", head.version)("identity", head.identity);
  archive("parameters", head.parameters)("arrays", head.arrays);
}

std::vector<std::string> texts_in(std::span<const std::byte> bytes) {
  std::vector<std::string> texts;
  for (ByteReader reader(bytes); !reader.rest().empty();) texts.push_back(reader.take<std::string>());
  return texts;
}

// An array of the type of a number, none where there is no such type, or the bytes are none of it.
template <std::size_t type = 0>
std::optional<Record::Value> array_in(std::span<const std::byte> bytes, std::uint32_t number) {
  if constexpr (type == std::variant_size_v<Record::Value>) {
    return std::nullopt;
  } else {
    if (number != type) return array_in<type + 1>(bytes, number);
    using Array = std::variant_alternative_t<type, Record::Value>;
    using Element = typename Array::value_type;
    if constexpr (std::is_same_v<Element, std::string>) {
      return texts_in(bytes);
    } else {
      if (bytes.size() % sizeof(Element) != 0) return std::nullopt;
      std::vector<Element> numbers(bytes.size() / sizeof(Element));
      if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
      return numbers;
    }
  }
}

// An array's bytes. \param texts holds those of texts.
std::span<const std::byte> bytes_of(const Record::Value& value, Bytes& texts) {
  return std::visit(
      [&]<class T>(const Record::Array<T>& values) -> std::span<const std::byte> {
        if constexpr (!std::is_same_v<T, std::string>) return std::as_bytes(values);
        ByteWriter writer;
        for (const auto& text : values) writer.add(text);
        return texts = writer.take();
      },
      value);
}

// Hashes what it writes.
class HashedFile {
 public:
  explicit HashedFile(int descriptor) : descriptor_(descriptor) { XXH3_128bits_reset(&hash_); }
  void write(std::span<const std::byte> bytes) {
    if (!failure_.empty()) return;
    XXH3_128bits_update(&hash_, bytes.data(), bytes.size());
    failure_ = write_all(descriptor_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
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
std::string replace(const fs::path& file, const std::string& parameters, const Record& record) {
  const auto& identity = record.identity();
  Head head{identity.solver(), std::string(version()), identity.entries(), parameters, {}};
  std::list<Bytes> texts;
  std::vector<std::span<const std::byte>> arrays;
  std::uint64_t size = fixed_bytes + hash_bytes;
  for (const auto& [name, value] : record.fields()) {
    arrays.push_back(bytes_of(value, texts.emplace_back()));
    head.arrays.push_back({name, static_cast<std::uint32_t>(value.index()), arrays.back().size()});
    size += arrays.back().size();
  }
  const auto encoded = ByteWriter().add(head).take();
  Replacement part(file);
  if (!part.failure().empty()) return part.failure();
  HashedFile stream(part.descriptor());
  stream.write(std::as_bytes(std::span(file_magic)));
  stream.write(ByteWriter().add(byte_order).add(format).add(std::uint64_t{size + encoded.size()}).take());
  stream.write(encoded);
  for (const auto& array : arrays) stream.write(array);
  const auto failure = stream.finish();
  return failure.empty() ? part.commit(true) : failure;
}

// A checkpoint may replace a checkpoint, but no other file.
void check_replaceable(const fs::path& file, const FilePlace& place) {
  if (!place.is_replaced)
    throw InvalidInput(
        fmt::format("'{}' cannot be a checkpoint: it is not a regular file; name another", file.string()));
  if (!place.is_there) return;
  const Descriptor opened(::open(place.path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, file_magic.size()> begin{};
  const auto count = opened ? ::read(opened.get(), begin.data(), begin.size()) : 0;
  if (count > 0 && !file_magic.starts_with(std::string_view(begin.data(), static_cast<std::size_t>(count))))
    throw InvalidInput(
        fmt::format("'{}' is there already and is not a checkpoint; remove it, or name another file", file.string()));
}

}  // namespace

void Checkpoint::require(const RunIdentity& identity) const {
  if (solver() != identity.solver())
    refuse(fmt::format("a run of {} wrote it, and {} cannot resume it", solver(), identity.solver()));
  if (const auto text = record_.identity().difference_text(identity, "its run", "this one has"); !text.empty())
    refuse(text);
}

void Checkpoint::refuse(std::string_view what) const {
  throw InvalidInput(fmt::format("the checkpoint '{}' cannot be used: {}", file_, what));
}

void Checkpoint::decode(std::span<const std::byte> body, std::string_view solver) {
  ByteReader reader(body);
  auto head = reader.take<Head>();
  parameters_ = std::move(head.parameters);
  record_ = Record(RunIdentity(std::move(head.solver), std::move(head.identity)));
  if (!solver.empty() && this->solver() != solver)
    refuse(fmt::format("a run of {} wrote it, and {} cannot resume it", this->solver(), solver));
  if (!reads_files_of(head.version))
    refuse(fmt::format("it was written by clopt {}, and this is {}, whose runs may differ; use that version",
                       printable(head.version), version()));
  auto rest = reader.rest();
  for (auto& array : head.arrays) {
    if (array.bytes > rest.size()) throw BytesEnd();
    auto values = array_in(rest.first(array.bytes), array.type);
    if (!values) refuse("it is damaged: an array has no known type");
    if (record_.has(array.name)) refuse(fmt::format("it has the array '{}' twice", printable(array.name)));
    record_.add(std::move(array.name), *std::move(values));
    rest = rest.subspan(array.bytes);
  }
  if (!rest.empty()) refuse("it is damaged: more follows its last array");
}

Checkpoint Checkpoint::read(const fs::path& file, std::string_view solver) {
  Checkpoint result(file);
  // Opening a pipe without a writer would block for ever.
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!opened) result.refuse(system_message(errno));
  struct stat found {};
  if (::fstat(opened.get(), &found) != 0 || !S_ISREG(found.st_mode)) result.refuse("it is not a regular file");
  const auto size = static_cast<std::size_t>(found.st_size);

  const auto read_all = [&](std::span<std::byte> to) {
    while (!to.empty()) {
      const auto count = ::read(opened.get(), to.data(), to.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) result.refuse(system_message(errno));
      if (count == 0) result.refuse("it became shorter while it was read");
      to = to.subspan(static_cast<std::size_t>(count));
    }
  };
  std::vector<std::byte> bytes(std::min(size, fixed_bytes));
  read_all(bytes);
  const std::string_view begin(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (begin.empty() || !file_magic.starts_with(begin.substr(0, file_magic.size())))
    result.refuse(begin.empty() ? "it is empty" : "it is not a checkpoint");
  if (size < fixed_bytes + hash_bytes)
    result.refuse(fmt::format("it is cut: {} bytes are too few for a checkpoint", size));
  ByteReader fixed{std::span(bytes).subspan(file_magic.size())};
  if (fixed.take<std::uint32_t>() != byte_order)
    result.refuse("it is damaged, or of a machine with another order of bytes");
  if (const auto own = fixed.take<std::uint32_t>(); own != format)
    result.refuse(fmt::format("it is damaged, or of format {}, not {}", own, format));
  if (const auto own = fixed.take<std::uint64_t>(); own != size)
    result.refuse(fmt::format("it is cut or damaged: it has {} bytes, and says {}", size, own));
  bytes.resize(size);
  read_all(std::span(bytes).subspan(fixed_bytes));
  const auto body = std::span(bytes).first(size - hash_bytes);
  XXH128_canonical_t canonical;
  std::memcpy(canonical.digest, bytes.data() + body.size(), hash_bytes);
  if (!XXH128_isEqual(XXH3_128bits(body.data(), body.size()), XXH128_hashFromCanonical(&canonical)))
    result.refuse("it is damaged: its hash is not that of its content");
  try {
    result.decode(body.subspan(fixed_bytes), solver);
  } catch (const BytesEnd&) {
    result.refuse("it is damaged: a part reaches beyond its end");
  }
  return result;
}

CheckpointWriter::CheckpointWriter(fs::path file, std::string parameters, double interval)
    : file_(std::move(file)), parameters_(std::move(parameters)), interval_(interval) {
  const auto place = place_of(file_);
  check_replaceable(file_, place);
  file_ = place.path;
  check_writable(file_);
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
}

bool CheckpointWriter::write(const Record& state) {
  if (take_) {
    take_(state);
    ++written_;
    return true;
  }
  auto whole = state;
  try {
    if (additions_) additions_(whole);
  } catch (const Cancelled&) {
    return false;
  }
  const auto why = replace(file_, parameters_, whole);
  failure_ = why.empty() ? "" : fmt::format("the checkpoint '{}' could not be written: {}", file_.string(), why);
  if (why.empty()) ++written_;
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
  return why.empty();
}

}  // namespace clopt
