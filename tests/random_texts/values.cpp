/// \file
/// random_text_values DEVICE float|double TEXT...: evaluates the individuals of TEXT.genes, one a line, by each text,
/// and prints a line for it: `TEXT refused REASON` or `TEXT values V V ...` with `TEXT warned REASON` before it. The
/// values are hexadecimal; those that differ between the layouts of individuals, or from the plain reading, have all
/// three.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <objective/operations.hpp>
#include <objective/program.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace clopt;

using Individuals = std::vector<std::vector<double>>;

Individuals read_individuals(const std::string& file) {
  Individuals all;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::vector<double> genes;
    for (std::string word; words >> word;) genes.push_back(std::strtod(word.c_str(), nullptr));
    all.push_back(genes);
  }
  if (all.empty()) throw InvalidInput(file + " has no individuals");
  return all;
}

template <class Real>
std::vector<Real> evaluate(Device& device, const Objective& objective, const Individuals& all, bool side_by_side,
                           bool is_exact) {
  using Kernel = objective::operations::Evaluate<Real, Real>;
  const std::size_t genes = all[0].size();
  std::vector<Real> elements(all.size() * genes);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < genes; ++j)
      elements[side_by_side ? j * all.size() + i : i * genes + j] = static_cast<Real>(all[i][j]);
  Program program;
  objective::prepare(program, objective, sizeof(Real) == 8);
  if (is_exact) program.defines.set("OBJECTIVE_EXACT", true);
  const auto kernel = objective::build<Kernel>(device, program, objective);
  const auto queue = device.queue();
  const auto tables = objective::upload_tables<Real>(device, *queue, objective);
  const auto gene_buffer = device.buffer<Real>("genes", elements.size());
  const auto rows = device.buffer<Real>("rows", 1);
  const auto values = device.buffer<Real>("values", all.size());
  queue->write(gene_buffer, elements);
  queue->launch(kernel, Range::of_items(all.size()),
                {.elements = gene_buffer,
                 .rows = rows,
                 .tables = tables,
                 .values = values,
                 .count = std::uint64_t{all.size()},
                 .individual_step = std::uint64_t{side_by_side ? 1 : genes},
                 .row_step = std::uint64_t{0},
                 .gene_step = static_cast<std::uint32_t>(side_by_side ? all.size() : 1),
                 .gene_count = static_cast<std::uint32_t>(genes),
                 .column_count = 0U});
  return queue->read_all(values);
}

std::string written(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%a", value);
  return std::isnan(value) ? "nan" : text;
}

template <class Real>
void evaluate_text(Device& device, const std::string& file) {
  const auto objective = Objective::from_file(file).table("tab", {3, 1, 4, 1.5, -9, 2, 6}).constant("SCALE", 0.3);
  objective::require_device(device, objective, sizeof(Real) == 8);
  const auto all = read_individuals(file + ".genes");
  const auto side = evaluate<Real>(device, objective, all, true, false);
  const auto alone = evaluate<Real>(device, objective, all, false, false);
  const auto exact = device.info().launches_are_calls ? evaluate<Real>(device, objective, all, false, true) : alone;
  if (const auto warning = objective.warning(); !warning.empty()) std::cout << file << " warned " << warning << "\n";
  std::cout << file << " values";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto value = written(side[i]);
    std::cout << ' ' << value;
    if (written(alone[i]) != value || written(exact[i]) != value)
      std::cout << '/' << written(alone[i]) << '/' << written(exact[i]);
  }
  std::cout << std::endl;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  const auto device = open_device(words[1], {.threads = 1, .force = true, .self_test = false});
  for (int i = 3; i < count; ++i) try {
      std::string(words[2]) == "double" ? evaluate_text<double>(*device, words[i])
                                        : evaluate_text<float>(*device, words[i]);
    } catch (const InvalidInput& error) {
      std::string what = error.what();
      for (auto& c : what) c = c == '\n' ? '|' : c;
      std::cout << words[i] << " refused " << what << std::endl;
    } catch (const std::exception& error) {
      std::string what = error.what();
      for (auto& c : what) c = c == '\n' ? '|' : c;
      std::cout << words[i] << " failed " << what << std::endl;
    }
  return 0;
}
