// A slice's file: one line of JSON. Numbers that JSON has not, infinities and such as are none, are texts of their
// bits.
#include <clopt/detail/files.hpp>
#include <clopt/detail/json_depth.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <clopt/shard.hpp>
#include <clopt/version.hpp>
#include <run/versions.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include <support/files/output_file.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clopt {
namespace {

using SliceJson = nlohmann::ordered_json;

constexpr std::string_view slice_begin = "{\"clopt_slice\":";
constexpr std::uint64_t slice_format = 1;
// How a file ends: the hash of what is before it.
constexpr std::string_view hash_begin = ",\"hash\":\"";
constexpr std::size_t hash_digits = 32;
constexpr std::string_view hash_end = "\"}\n";

std::string hash_of_text(std::string_view text) {
  const auto hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

template <class Real>
using BitsOf = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

template <class T>
SliceJson number_to_json(const T& number) {
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(number)) return fmt::format("{:x}", std::bit_cast<BitsOf<T>>(number));
  return number;
}

struct WrongNumber {};

template <class T>
T number_from_json(const SliceJson& json) {
  if constexpr (std::is_same_v<T, std::string>) {
    return json.get<std::string>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!json.is_string()) return static_cast<T>(json.get<double>());
    BitsOf<T> bits = 0;
    const auto& text = json.get_ref<const std::string&>();
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    if (error != std::errc{} || stop != text.data() + text.size()) throw WrongNumber();
    return std::bit_cast<T>(bits);
  } else {
    if (!json.is_number_integer()) throw WrongNumber();
    const auto number = json.get<T>();
    if (SliceJson(number) != json) throw WrongNumber();
    return number;
  }
}

SliceJson record_to_json(const Record& record) {
  auto fields = SliceJson::object();
  for (const auto& [name, value] : record.fields())
    std::visit(
        [&, type = names_of_record_types()[value.index()], &own = name](const auto& values) {
          auto list = SliceJson::array();
          for (const auto& each : values) list.push_back(number_to_json(each));
          fields[own] = {{"type", type}, {"values", std::move(list)}};
        },
        value);
  return fields;
}

template <std::size_t Index = 0>
Record::Value value_from_json(const std::string& type, const SliceJson& list) {
  if constexpr (Index == std::variant_size_v<Record::Value>) {
    throw WrongNumber();
  } else {
    if (type != names_of_record_types()[Index]) return value_from_json<Index + 1>(type, list);
    using Element = typename std::variant_alternative_t<Index, Record::Value>::value_type;
    std::vector<Element> values;
    values.reserve(list.size());
    for (const auto& each : list) values.push_back(number_from_json<Element>(each));
    return values;
  }
}

Record record_from_json(const SliceJson& json) {
  Record record;
  for (const auto& [name, field] : json.items()) {
    const auto& list = field.at("values");
    if (!list.is_array()) throw WrongNumber();
    record.add(name, value_from_json(field.at("type").get<std::string>(), list));
  }
  return record;
}

class SliceReader {
 public:
  explicit SliceReader(const std::filesystem::path& file) : file_(file) {}

  Slice read() const {
    const auto text = content();
    if (!text.starts_with(slice_begin)) refuse(text.empty() ? "it is empty" : "it is not a slice");
    const auto tail = hash_begin.size() + hash_digits + hash_end.size();
    const std::string_view all(text);
    const auto body = all.substr(0, all.size() - std::min(all.size(), tail));
    if (all.substr(body.size()) != fmt::format("{}{}{}", hash_begin, hash_of_text(body), hash_end))
      refuse("it is cut or damaged: its hash is not that of its content");
    try {
      if (!nests_deeply(body)) return slice_of(SliceJson::parse(std::string(body) + "}"));
    } catch (const SliceJson::exception&) {
    } catch (const WrongNumber&) {
    }
    refuse("it is damaged: it is not what clopt writes");
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw InvalidInput(
        fmt::format("the slice '{}' cannot be used: {}; run the slice again", printable(file_.string()), what));
  }

  // Opening a pipe without a writer would block for ever.
  std::string content() const {
    const Descriptor opened(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!opened) refuse(system_message(errno));
    struct stat found {};
    if (::fstat(opened.get(), &found) != 0 || !S_ISREG(found.st_mode)) refuse("it is not a regular file");
    std::string text(static_cast<std::size_t>(found.st_size), '\0');
    for (std::size_t at = 0; at < text.size();) {
      const auto count = ::read(opened.get(), text.data() + at, text.size() - at);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse(system_message(errno));
      if (count == 0) refuse("it became shorter while it was read");
      at += static_cast<std::size_t>(count);
    }
    return text;
  }

  Slice slice_of(const SliceJson& json) const {
    if (json.at("clopt_slice") != slice_format)
      refuse(fmt::format("its format is {}, not {}", printable(json.at("clopt_slice").dump()), slice_format));
    if (const auto by = json.at("version").get<std::string>(); !reads_files_of(by))
      refuse(
          fmt::format("it was written by clopt {}, and this is {}, whose runs may differ", printable(by), version()));
    Slice slice;
    std::vector<RunIdentity::Entry> entries;
    for (const auto& entry : json.at("identity"))
      entries.push_back({entry.at(0).get<std::string>(), entry.at(1).get<std::string>()});
    slice.identity = RunIdentity(json.at("solver").get<std::string>(), std::move(entries));
    slice.shard = {number_from_json<std::uint64_t>(json.at("slice")),
                   number_from_json<std::uint64_t>(json.at("slices"))};
    slice.items = number_from_json<std::uint64_t>(json.at("items"));
    if (slice.shard.count > most_shards || slice.shard.number < 1 || slice.shard.number > slice.shard.count)
      throw WrongNumber();
    slice.report = json.at("report").dump();
    slice.result = record_from_json(json.at("result"));
    return slice;
  }

  std::filesystem::path file_;
};

}  // namespace

std::string write_slice(const std::filesystem::path& file, const Slice& slice) {
  auto identity = SliceJson::array();
  for (const auto& each : slice.identity.entries()) identity.push_back(SliceJson::array({each.name, each.text}));
  const SliceJson object{
      {"clopt_slice", slice_format},           {"version", version()},
      {"solver", slice.identity.solver()},     {"slice", slice.shard.number},
      {"slices", slice.shard.count},           {"items", slice.items},
      {"identity", std::move(identity)},       {"report", SliceJson::parse(slice.report, nullptr, false)},
      {"result", record_to_json(slice.result)}};
  auto text = object.dump(-1, ' ', false, SliceJson::error_handler_t::replace);
  text.pop_back();
  return write_file(file, fmt::format("{}{}{}{}", text, hash_begin, hash_of_text(text), hash_end));
}

Slice read_slice(const std::filesystem::path& file) { return SliceReader(file).read(); }

}  // namespace clopt
