/// \file
/// The tables and figures of the subset-sum paper's chapter 6, for `clopt bench --solver subset-sum`.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include <commands/solver.hpp>
#include "bench_own.hpp"
#include "paper.hpp"

namespace clopt::apps::subset_sum {
namespace {

namespace solver = clopt::subset_sum;
using Kind = BenchmarkColumn::Kind;

// Tables 6.1 to 6.8: seconds of a method by class and number of items.

Json paper_figure(std::string_view method, std::string_view kind, std::uint64_t items) {
  const auto figure = paper::figure(method, kind, items);
  if (!figure) return nullptr;
  return figure->seconds < 0 ? Json(paper::text_of(*figure)) : Json(figure->seconds);
}

void table_of_method(const std::string& method, const BenchmarkOptions& bench, const AddRow& add) {
  solver::Options options;
  options.method = method;
  options.reduce = false;
  for (const char* kind : {"half-small", "half", "p", "uniform"}) {
    if (!bench.full && std::string_view(kind) == "half") continue;
    bool is_too_slow = false;
    for (const auto items : paper::sizes) {
      if (!bench.full && items > 100) break;
      const auto instance = solver::make_instance(fmt::format("{}:{}", kind, items), bench.seed);
      std::string note = is_too_slow ? "> limit with fewer items" : "";
      Sample sample;
      if (!is_too_slow)
        sample = repeat(bench, 10, [&](std::uint32_t) -> std::optional<double> {
          const auto measured = measure_once(instance, options, *bench.device, bench.control());
          note = measured.note;
          is_too_slow = note.starts_with("> limit");
          return measured.ended ? std::optional(measured.result->seconds.total) : std::nullopt;
        });
      BenchmarkRow row{{"instance", kind}, {"items", items}};
      set_figures(row, sample, paper_figure(method, kind, items));
      row["note"] = note;
      add(row);
    }
  }
}

BenchmarkTable method_table(int number, const char* code, const std::string& method) {
  return {
      .name = fmt::format("table-6.{}", number),
      .caption = fmt::format("code {} (in seconds)", code),
      .seconds = 3,
      .runs = 10,
      .columns = with_figures({{"instance", "class", Kind::text, 11}, {"items", "n", Kind::count, 6}}, Kind::seconds),
      .run = [method](const BenchmarkOptions& bench, const AddRow& add) { table_of_method(method, bench, add); },
      .picture = BenchmarkPicture{"items", "items", "mean", "seconds", {"instance"}},
      .remarks = {"The thesis defines Half with weights to 10^6, but its times and its limits of memory fit 10^5: "
                  "half-small stands beside them, half with --full."}};
}

// Tables 6.9 to 6.11: memory.

const std::vector<BenchmarkColumn> columns_of_memory{
    {"items", "n", Kind::count, 10},         {"capacity", "c", Kind::count, 10},
    {"bytes", "here", Kind::bytes, 10},      {"paper", "paper (GB)", Kind::text, 10},
    {"formula", "its formula", Kind::bytes}, {"ratio", "here/paper", Kind::ratio, 10}};

// A figure of a table of gigabytes, which writes "< 0.1" for little.
Json printed_gigabytes(double bytes) {
  const double tenths = std::round(bytes / (1 << 30) * 10);
  return tenths < 1 ? Json("< 0.1") : Json(tenths / 10);
}

// What `auto` reckons with for a method: the same for any number of items, so that few show it.
double reckoned_bytes(Device& device, const char* method, double capacity) {
  solver::Instance instance;
  instance.capacity = static_cast<std::uint64_t>(capacity) | 1;
  for (std::uint64_t i = 0; i < 6; ++i) instance.weights.push_back(instance.capacity / 4 * 2 - 2 * i);
  solver::Options options;
  options.reduce = false;
  for (const auto& each : solver::solve(instance, options, device).candidates)
    if (each.method == method) return each.bytes;
  throw InternalError(fmt::format("`auto` does not reckon with {}", method));
}

// \param bytes here, and \param formula in the paper, by items and capacity.
void table_of_memory(Device& device, double (*bytes)(Device&, double), double (*formula)(double, double),
                     const AddRow& add) {
  for (const double items : {1e4, 1e5, 1e6, 1e7, 1e8, 1e9})
    for (const double capacity : {1e6, 1e7, 1e8, 1e9}) {
      const double here = bytes(device, capacity);
      const double there = formula(items, capacity);
      add({{"items", static_cast<std::uint64_t>(items)},
           {"capacity", static_cast<std::uint64_t>(capacity)},
           {"bytes", here},
           {"paper", printed_gigabytes(there)},
           {"formula", there},
           {"ratio", here / there}});
    }
}

BenchmarkTable memory_table(int number, const char* caption, double (*bytes)(Device&, double),
                            double (*formula)(double, double), std::string remark) {
  return {
      .name = fmt::format("table-6.{}", number),
      .caption = caption,
      .seconds = 0.1,
      .aliases = {"6.2"},
      .columns = columns_of_memory,
      .run = [=](const BenchmarkOptions& bench,
                 const AddRow& add) { table_of_memory(*bench.device, bytes, formula, add); },
      .remarks = {"All 24 figures of the thesis are those of its formula, in units of 2^30 bytes.", std::move(remark)}};
}

constexpr double bits_a_byte = 8;

std::vector<BenchmarkTable> memory_tables() {
  return {
      memory_table(
          9, "memory for the compacted table of decisions (in GB)",
          [](Device&, double capacity) { return capacity / bits_a_byte + capacity * sizeof(std::uint64_t); },
          [](double items, double capacity) { return items * capacity * 0.00031 / bits_a_byte; },
          "Here: at most, of `bbe`. A sum is kept in the row alone that reaches it first, so that the rows take a word "
          "of "
          "64 bits a sum at worst, however many items there are."),
      memory_table(
          10, "memory for the vector G (in GB)",
          [](Device& device, double capacity) { return reckoned_bytes(device, "k1", capacity); },
          [](double, double capacity) { return capacity * sizeof(std::uint32_t); },
          "Here: g of `k1`, 4 bytes a capacity as there."),
      memory_table(
          11, "memory on the GPU for kernel 3 (in GB)",
          [](Device& device, double capacity) { return reckoned_bytes(device, "k3-32", capacity); },
          [](double, double capacity) { return capacity * 2 / bits_a_byte; },
          "Here: 3 bits a capacity, the checkpoints counted from which the subset is found again; the thesis has 2 on "
          "the GPU, and g of table 6.10 on the host.")};
}

// Figure 6.1: efficiency by the number of threads.

const std::vector<BenchmarkColumn> columns_of_efficiency{{"groups", "work-groups", Kind::count, 11},
                                                         {"threads", "threads", Kind::count, 8},
                                                         {"mean", "mean", Kind::seconds, 10},
                                                         {"deviation", "deviation", Kind::seconds, 10},
                                                         {"runs", "runs", Kind::count, 5},
                                                         {"device_part", "on the device", Kind::part, 13},
                                                         {"host_part", "on the host", Kind::part, 11},
                                                         {"paper_host_part", "its part", Kind::part, 9},
                                                         {"speedup", "speed-up", Kind::ratio, 9},
                                                         {"efficiency", "efficiency", Kind::ratio, 10},
                                                         {"paper", "paper", Kind::ratio, 6},
                                                         {"ratio", "here/paper", Kind::ratio, 10},
                                                         {"note", "note", Kind::text, 24}};

/// The thesis with all threads of its GPU.
constexpr double paper_efficiency = 0.11, paper_host_part = 0.195;
/// Work-items of a group, and capacities that one takes at a time.
constexpr unsigned group_items = 256;
constexpr std::uint64_t capacities_an_item = 128;

// The processor's threads, or work-groups of 256 work-items, doubled until there is one for all the work.
std::vector<unsigned> parts_of_device(const DeviceInfo& info, std::uint64_t capacity) {
  const auto most = info.launches_are_calls ? info.compute_units : capacity / (group_items * capacities_an_item) + 1;
  std::vector<unsigned> parts;
  for (unsigned part = 1; part < 2 * most && (part <= most || !info.launches_are_calls); part *= 2)
    parts.push_back(part);
  return parts;
}

void figure_6_1(const BenchmarkOptions& bench, const AddRow& add) {
  const auto instance = solver::make_instance(bench.full ? "p:1000" : "p:100", bench.seed);
  solver::Options options;
  options.method = "k3-32";
  options.reduce = false;
  const auto& info = bench.device->info();
  const auto parts = parts_of_device(info, instance.capacity);
  Json one_part;
  for (const auto part : parts) {
    auto device = bench.device;
    if (info.launches_are_calls) {
      auto device_options = bench.device_options;
      device_options.threads = part;
      device = open_device(info.id, device_options);
    } else {
      options.work_groups = part;
    }
    Sample outside;
    Sample inside;
    std::string note;
    const auto total = repeat(bench, 10, [&](std::uint32_t) -> std::optional<double> {
      const auto measured = measure_once(instance, options, *device, bench.control());
      if (!measured.ended) note = measured.note;
      if (!measured.ended) return std::nullopt;
      // Kernels are built once.
      const auto& seconds = measured.result->seconds;
      outside.add(seconds.other);
      inside.add(seconds.compute);
      return seconds.compute + seconds.other;
    });
    if (part == 1) one_part = total.mean();
    const bool is_last = part == parts.back();
    BenchmarkRow row{{"threads", info.launches_are_calls ? part : part * group_items}};
    row["groups"] = info.launches_are_calls ? Json(nullptr) : Json(part);
    set_figures(row, total, nullptr);
    row["device_part"] = ratio(inside.mean(), total.mean());
    row["host_part"] = ratio(outside.mean(), total.mean());
    row["paper_host_part"] = is_last ? Json(paper_host_part) : Json(nullptr);
    row["speedup"] = ratio(one_part, total.mean());
    row["efficiency"] = ratio(row["speedup"], part);
    row["paper"] = is_last ? Json(paper_efficiency) : Json(nullptr);
    row["ratio"] = ratio(row["efficiency"], row["paper"]);
    row["note"] = note;
    add(row);
  }
}

// Figure 6.2: a step of many work-groups.

const std::vector<BenchmarkColumn> columns_of_barriers = with_figures({{"way", "step", Kind::text, 22},
                                                                       {"groups", "work-groups", Kind::count, 12},
                                                                       {"against", "to xiao-feng", Kind::ratio}},
                                                                      Kind::seconds, Kind::ratio);

/// The thesis' new barrier takes 54 % less time than Xiao and Feng's at 14 work-groups, and 2.9 times less than
/// launches; in the whole of kernel 2, 15 % less.
constexpr std::uint32_t paper_groups = 14;
constexpr double paper_against = 0.46, paper_launches_against = 2.9 * paper_against, paper_against_in_k2 = 0.85;

void add_crossings(const BenchmarkOptions& bench, std::uint32_t groups, const AddRow& add) {
  struct Way {
    const char* name;
    std::function<std::optional<double>()> seconds;
    Json paper;
  };
  auto& device = *bench.device;
  const auto figure = [&](double against) { return groups == paper_groups ? Json(against) : Json(nullptr); };
  const Way ways[] = {
      {"xiao-feng", [&] { return solver::barrier_seconds(device, solver::Barrier::xiao_feng, groups); }, figure(1)},
      {"cyclic (the thesis's)", [&] { return solver::barrier_seconds(device, solver::Barrier::cyclic, groups); },
       figure(paper_against)},
      {"a launch a step", [&] { return solver::step_seconds(device, groups, true); }, figure(paper_launches_against)},
      {"no barrier", [&] { return solver::step_seconds(device, groups, false); }, nullptr}};
  Json xiao_feng;
  for (const auto& way : ways) {
    const auto sample = repeat(bench, 10, [&](std::uint32_t) { return way.seconds(); });
    if (xiao_feng.is_null()) xiao_feng = sample.mean();
    BenchmarkRow row{{"way", way.name}, {"groups", groups}};
    set_figures(row, sample, way.paper);
    row["against"] = ratio(sample.mean(), xiao_feng);
    row["ratio"] = ratio(row["against"], way.paper);
    row["note"] = sample.runs() == 0 ? "this many groups cannot meet here" : "";
    add(row);
  }
}

void figure_6_2(const BenchmarkOptions& bench, const AddRow& add) {
  const auto units = bench.device->info().compute_units;
  // Where a launch is a call, its end is the only barrier, and there is nothing to compare.
  if (!bench.device->info().launches_are_calls) {
    std::vector<std::uint32_t> groups{1, 2, 4, 8, paper_groups};
    for (std::uint32_t more = 32; more <= 2 * units; more *= 2) groups.push_back(more);
    for (const auto count : groups) add_crossings(bench, count, add);
  }
  const char* const name = bench.full ? "p:1000" : "half-small:100";
  const auto instance = solver::make_instance(name, bench.seed);
  Json xiao_feng;
  for (const char* barrier : {"xiao-feng", "cyclic"}) {
    solver::Options options;
    options.method = "k2";
    options.reduce = false;
    options.barrier = barrier;
    const auto sample = repeat(bench, 10, [&](std::uint32_t) -> std::optional<double> {
      const auto measured = measure_once(instance, options, *bench.device, bench.control());
      return measured.ended ? std::optional(measured.result->seconds.compute) : std::nullopt;
    });
    if (xiao_feng.is_null()) xiao_feng = sample.mean();
    BenchmarkRow row{{"way", fmt::format("k2 by {}", barrier)}, {"groups", 2 * units}};
    set_figures(row, sample, std::string_view(barrier) == "cyclic" ? paper_against_in_k2 : 1);
    row["against"] = ratio(sample.mean(), xiao_feng);
    row["ratio"] = ratio(row["against"], row["paper"]);
    row["note"] = name;
    add(row);
  }
}

}  // namespace

std::vector<BenchmarkTable> benchmark_tables() {
  std::vector<BenchmarkTable> tables{method_table(1, "Balsub", "balsub"),   method_table(2, "Decomp", "decomp"),
                                     method_table(3, "YS", "yanasse-soma"), method_table(4, "BBE", "bbe"),
                                     method_table(5, "K1", "k1"),           method_table(6, "K2", "k2"),
                                     method_table(7, "K3-16", "k3-16"),     method_table(8, "K3-32", "k3-32")};
  for (auto& each : memory_tables()) tables.push_back(std::move(each));
  tables.push_back(
      {.name = "figure-6.1",
       .caption = "efficiency by the number of threads of kernel K3-32",
       .seconds = 3,
       .runs = 10,
       .aliases = {"6.3"},
       .columns = columns_of_efficiency,
       .run = figure_6_1,
       .picture = BenchmarkPicture{"threads", "threads", "efficiency", "efficiency"},
       .remarks = {"The curve is an image in the thesis: its text has 11 % with 10,752 threads, about 40 % "
                   "with 32 to 1024, and at most 19.5 % of the time on the host. Threads of a processor "
                   "are cores, those of the GTX 560 shared 336."}});
  tables.push_back(
      {.name = "figure-6.2",
       .caption = "time of the synchronisation between blocks",
       .seconds = 5,
       .runs = 10,
       .aliases = {"6.4"},
       .columns = columns_of_barriers,
       .run = figure_6_2,
       .remarks = {"`paper` and `here/paper` are of the time to that of xiao-feng in the same row's work. The "
                   "curves are an image in the thesis.",
                   "On an H200 the thesis's barrier is slower (3, 30, 112 us with 8, 64, 256 work-groups, "
                   "xiao-feng 1, 1, 2): its groups cross one after the other. Why it is quicker on the "
                   "GTX 560 was not found."}});
  for (auto& each : own_tables()) tables.push_back(std::move(each));
  return tables;
}

}  // namespace clopt::apps::subset_sum
