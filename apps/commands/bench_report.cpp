#include "bench_report.hpp"

#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include <pictures/svg.hpp>
#include "page.hpp"

namespace clopt::apps::bench {
namespace {

bool is_html(const std::string& file) { return file.ends_with(".html"); }

std::string title_of(const ListedTable& listed) {
  const auto paper = listed.table.paper();
  return fmt::format("{}, {}: {}", listed.solver, paper.empty() ? listed.table.name : paper, listed.table.caption);
}

// The values of fields that distinguish curves, as a name.
std::string curve_name(const BenchmarkPicture& picture, const BenchmarkRow& row) {
  std::string name;
  for (const auto& field : picture.curves) {
    const auto& value = row.at(field);
    name += (name.empty() ? "" : " ") + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return name;
}

// What was measured and the paper's figures; none where fewer than two places are known.
std::optional<LinePlot> plot_of(const MeasuredTable& measured) {
  const auto& table = measured.listed.table;
  if (!table.picture) return std::nullopt;
  const auto& picture = *table.picture;
  using Curve = std::map<double, double>;
  std::vector<std::pair<std::string, Curve>> curves;
  const auto add = [&](const std::string& name, const BenchmarkRow& row, const std::string& field) {
    if (!row.contains(picture.x) || !row[picture.x].is_number() || !row.contains(field) || !row[field].is_number())
      return;
    auto found = std::find_if(curves.begin(), curves.end(), [&](const auto& each) { return each.first == name; });
    if (found == curves.end()) found = curves.insert(curves.end(), {name, {}});
    found->second[row[picture.x].get<double>()] = row[field].get<double>();
  };
  for (const auto& row : measured.rows) {
    const auto name = curve_name(picture, row);
    add(name + (name.empty() ? "here" : ", here"), row, picture.y);
    add(name + (name.empty() ? "paper" : ", paper"), row, "paper");
  }
  const bool has_line =
      std::any_of(curves.begin(), curves.end(), [](const auto& each) { return each.second.size() > 1; });
  if (!has_line) return std::nullopt;
  LinePlot plot(title_of(measured.listed), picture.x_title, picture.y_title);
  for (const auto& [name, points] : curves) {
    const auto curve = plot.curve(name);
    for (const auto& [x, y] : points) plot.add(curve, x, y);
  }
  return plot;
}

// The middle of the ratios to the paper's figures; none without.
std::optional<double> middle_ratio(const std::vector<BenchmarkRow>& rows) {
  std::vector<double> ratios;
  for (const auto& row : rows)
    if (row.contains("ratio") && row["ratio"].is_number() && row.contains("paper") && row["paper"].is_number())
      ratios.push_back(row["ratio"].get<double>());
  if (ratios.empty()) return std::nullopt;
  std::sort(ratios.begin(), ratios.end());
  return ratios[ratios.size() / 2];
}

void add_overview(Page& page, const std::vector<MeasuredTable>& tables) {
  page.heading(2, "Overview");
  page.paragraph(
      "Here over paper is the middle of a table's ratios: of times, less than 1 is faster than the paper's machine; of "
      "rates and speed-ups, more than 1.");
  std::vector<std::vector<std::string>> rows;
  for (const auto& each : tables) {
    const auto ended = std::count_if(each.rows.begin(), each.rows.end(),
                                     [](const BenchmarkRow& row) { return row["ended"].get<bool>(); });
    const auto middle = middle_ratio(each.rows);
    rows.push_back({title_of(each.listed), each.device, fmt::format("{} of {}", ended, each.rows.size()),
                    middle ? fmt::format("{:.3g}", *middle) : "-"});
  }
  page.table({"table", "device", "rows with a figure", "here over paper"}, rows);
}

void add_table(Page& page, const MeasuredTable& measured) {
  const auto& table = measured.listed.table;
  page.heading(3, title_of(measured.listed));
  page.paragraph(fmt::format("On {}; {}.", measured.device, measured.runs));
  std::vector<std::string> titles;
  for (const auto& column : table.columns) titles.push_back(column.title);
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : measured.rows) {
    rows.emplace_back();
    for (const auto& column : table.columns) rows.back().push_back(shown(column, row));
  }
  page.table(titles, rows);
  if (!table.remarks.empty()) page.list(table.remarks);
  if (const auto plot = plot_of(measured)) page.picture(plot->draw().str(), title_of(measured.listed));
}

}  // namespace

void check_report(const std::string& file) {
  if (!is_html(file) && !file.ends_with(".md"))
    throw InvalidInput(fmt::format("--report is '{}'; give FILE.html or FILE.md", printable(file)));
}

std::string write_report(const std::string& file, const std::vector<MeasuredTable>& tables,
                         const std::vector<std::shared_ptr<Device>>& devices) {
  const auto title = fmt::format("The papers' tables, measured by clopt {}", version());
  const auto page = is_html(file) ? html_page(title) : markdown_page(title);
  page->heading(2, "Hardware");
  std::vector<std::vector<std::string>> rows;
  for (const auto& device : devices) {
    const auto& info = device->info();
    rows.push_back({info.id, info.name, info.platform, info.version, std::to_string(info.compute_units),
                    readable_bytes(info.global_memory_bytes)});
  }
  page->table({"device", "name", "platform", "version", "compute units", "memory"}, rows);
  page->paragraph(fmt::format("The host has {} threads.", std::thread::hardware_concurrency()));
  add_overview(*page, tables);
  std::string_view solver;
  for (const auto& each : tables) {
    if (each.listed.solver != solver) page->heading(2, each.listed.solver);
    solver = each.listed.solver;
    add_table(*page, each);
  }
  return write_file(file, page->str());
}

}  // namespace clopt::apps::bench
