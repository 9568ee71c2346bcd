/// \file
/// `clopt cache`: shows or clears what clopt keeps between runs.
#include <clopt/detail/cache.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <map>

#include <frame/options/common_options.hpp>
#include "subcommand.hpp"

namespace clopt::apps::cache {
namespace {

struct Amount {
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
};

std::string folder_of(const Cache& cache) {
  return cache.folder() ? cache.folder()->string()
                        : "none: CLOPT_CACHE_DIR is `off`, or none of CLOPT_CACHE_DIR, XDG_CACHE_HOME and HOME is set";
}

// What is there and not used, with the reason.
std::string unused(const Cache& cache) {
  const auto why = cache.distrust();
  return why.empty() ? why : fmt::format("not used    {}\n", why);
}

Json folder_json(const Cache& cache) { return cache.folder() ? Json(cache.folder()->string()) : Json(nullptr); }

int list(const Cache& cache, bool json) {
  std::map<std::string, Amount> kinds;
  Amount all;
  for (const auto& entry : cache.entries()) {
    const std::string kind = entry.key.empty() ? "damaged" : entry.kind;
    for (auto* amount : {&kinds[kind], &all}) {
      ++amount->entries;
      amount->bytes += entry.bytes;
    }
  }
  if (json) {
    Json object{{"folder", folder_json(cache)}, {"entries", all.entries}, {"bytes", all.bytes}};
    if (const auto why = cache.distrust(); !why.empty()) object["not_used"] = why;
    object["kinds"] = Json::object();
    for (const auto& [kind, amount] : kinds)
      object["kinds"][kind] = {{"entries", amount.entries}, {"bytes", amount.bytes}};
    print_json(object);
    return Status::done;
  }
  auto text = fmt::format("folder      {}\n{}entries     {}, {}\n", folder_of(cache), unused(cache), all.entries,
                          readable_bytes(all.bytes));
  for (const auto& [kind, amount] : kinds)
    text += fmt::format("  {:<10}{}, {}\n", kind, amount.entries, readable_bytes(amount.bytes));
  print(text);
  return Status::done;
}

int clear(const Cache& cache, bool json) {
  const auto removed = cache.clear();
  if (const auto left = cache.entries().size(); left != 0)
    throw InvalidInput(fmt::format("{} entries of {} could not be removed, {} were; is the folder writable?", left,
                                   folder_of(cache), removed));
  if (json)
    print_json({{"folder", folder_json(cache)}, {"removed", removed}});
  else
    print(fmt::format("removed {} entries from {}\n", removed, folder_of(cache)));
  return Status::done;
}

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser(
      "cache", "[clear] [OPTION...]",
      "Shows what is remembered between runs (built kernels, features probed, self-tests passed), or "
      "clears it. CLOPT_CACHE_DIR names the folder; `off` remembers nothing. PoCL keeps its kernels itself, "
      "where POCL_CACHE_DIR says, unless POCL_KERNEL_CACHE is 0.");
  parser.example("").example("clear").argument("clear").switch_("json", "print one JSON object");
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto action = options->text("clear");
  if (action && *action != "clear")
    throw InvalidInput(fmt::format("'{}' is not an action of `clopt cache`; give `clear`, or nothing to list the cache",
                                   printable(*action)));
  const bool json = options->is_set("json");
  return action ? clear(Cache::instance(), json) : list(Cache::instance(), json);
}

}  // namespace clopt::apps::cache
