/// \file
/// Genes as a caller has them, doubles, and as a device keeps them.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <genetic/plan.hpp>

namespace clopt::genetic {

/// Element as in operations.hpp.
template <class Element>
class Genes {
 public:
  explicit Genes(const Plan& plan) : plan_(plan), settings_(plan.settings) {}

  /// Individuals as the device has them. \throws InvalidInput for a gene that is not allowed where it is.
  std::vector<Element> pack(const std::vector<double>& genes) const {
    const auto count = genes.size() / settings_.genes;
    std::vector<Element> elements(count * settings_.row);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const double> own(&genes[i * settings_.genes], settings_.genes);
      require(own, i);
      for (std::uint32_t gene = 0; gene < settings_.genes; ++gene) {
        if (settings_.kind == GENETIC_BITS) {
          if (own[gene] != 0) set_bit(elements[i * settings_.row + gene / 32], gene % 32);
        } else {
          elements[i * settings_.row + gene] = static_cast<Element>(own[gene]);
        }
      }
    }
    return elements;
  }

  /// Appends an individual's genes. \param row its elements.
  void unpack(std::span<const Element> row, std::vector<double>& genes) const {
    for (std::uint32_t gene = 0; gene < settings_.genes; ++gene) {
      if (settings_.kind == GENETIC_BITS)
        genes.push_back(static_cast<std::uint32_t>(row[gene / 32]) >> (gene % 32) & 1U);
      else
        genes.push_back(static_cast<double>(row[gene]));
    }
  }

  /// Whether an individual is one that a run can have. \param row its elements.
  bool is_sound(std::span<const Element> row) const {
    return settings_.kind == GENETIC_PERMUTATION ? are_permutations(row) : is_allowed(row);
  }

  /// Refuses a checkpoint with an individual that a run cannot have: an objective may rely on what genes are.
  void require_genes(const Checkpoint& checkpoint, std::span<const Element> individuals) const {
    if (settings_.kind == GENETIC_PERMUTATION) {
      if (!are_permutations(individuals))
        checkpoint.refuse("an individual of its 'population' or 'best' is not a permutation");
      return;
    }
    for (std::size_t i = 0; i < individuals.size() / settings_.row; ++i)
      if (!is_allowed(individuals.subspan(i * settings_.row, settings_.row)))
        checkpoint.refuse("an individual of its 'population' or 'best' has a gene out of its bounds");
  }

 private:
  bool are_permutations(std::span<const Element> population) const {
    std::vector<std::uint64_t> seen(settings_.genes);
    for (std::uint64_t i = 0; i < population.size() / settings_.row; ++i)
      for (std::uint32_t gene = 0; gene < settings_.genes; ++gene) {
        const auto value = static_cast<std::uint64_t>(population[i * settings_.row + gene]);
        if (value >= settings_.genes || seen[value] == i + 1) return false;
        seen[value] = i + 1;
      }
    return true;
  }

  // Reals of single precision may lie beside a bound, by its rounding.
  bool is_allowed(std::span<const Element> row) const {
    if (settings_.kind == GENETIC_BITS && settings_.genes % 32 != 0)
      return static_cast<std::uint32_t>(row[settings_.genes / 32]) >> settings_.genes % 32 == 0;
    for (std::uint32_t gene = 0; settings_.kind != GENETIC_BITS && gene < settings_.genes; ++gene) {
      const auto bounds = GENETIC_BOUNDS + (settings_.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
      const auto least = static_cast<Element>(plan_.numbers[bounds]);
      const auto most = static_cast<Element>(plan_.numbers[bounds + 1]);
      if (!(row[gene] >= least && row[gene] <= most)) return false;
    }
    return true;
  }

  static void set_bit(Element& element, std::uint32_t bit) {
    element = static_cast<Element>(static_cast<std::uint32_t>(element) | std::uint32_t{1} << bit);
  }

  void require(std::span<const double> genes, std::size_t individual) const {
    std::vector<bool> seen(settings_.kind == GENETIC_PERMUTATION ? settings_.genes : 0);
    for (std::uint32_t gene = 0; gene < settings_.genes; ++gene) {
      const double value = genes[gene];
      const auto bounds = GENETIC_BOUNDS + (settings_.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
      bool right = false;
      if (settings_.kind == GENETIC_BITS) right = value == 0 || value == 1;
      if (settings_.kind == GENETIC_REALS || settings_.kind == GENETIC_INTEGERS)
        right = value >= plan_.numbers[bounds] && value <= plan_.numbers[bounds + 1];
      if (settings_.kind == GENETIC_INTEGERS) right = right && value == std::rint(value);
      if (settings_.kind == GENETIC_PERMUTATION) {
        right = value >= 0 && value < settings_.genes && value == std::rint(value) &&
                !seen[static_cast<std::size_t>(value)];
        if (right) seen[static_cast<std::size_t>(value)] = true;
      }
      if (!right)
        throw InvalidInput(fmt::format("`initial`: gene {} of individual {} is {}; give {}", gene, individual, value,
                                       allowed(bounds)));
    }
  }

  std::string allowed(std::size_t bounds) const {
    if (settings_.kind == GENETIC_BITS) return "0 or 1";
    if (settings_.kind == GENETIC_PERMUTATION) return fmt::format("each of 0 to {} once", settings_.genes - 1);
    return fmt::format("a {} from {} to {}", settings_.kind == GENETIC_INTEGERS ? "whole number" : "number",
                       plan_.numbers[bounds], plan_.numbers[bounds + 1]);
  }

  const Plan& plan_;
  const Settings& settings_;
};

}  // namespace clopt::genetic
