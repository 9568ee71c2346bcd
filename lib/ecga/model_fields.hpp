/// \file
/// Models as arrays of checkpoints and slices.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/error.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace clopt::ecga {

/// A model as the number of loci of each group, and the loci.
struct ModelArrays {
  std::vector<std::uint32_t> sizes{};
  std::vector<std::uint32_t> loci{};

  void add(const Model& model) {
    for (const auto& group : model) {
      sizes.push_back(static_cast<std::uint32_t>(group.size()));
      loci.insert(loci.end(), group.begin(), group.end());
    }
  }

  /// \throws InvalidInput where there are more or fewer loci than the groups have.
  Model model() const {
    Model model;
    auto locus = loci.begin();
    for (const auto size : sizes) {
      if (size > static_cast<std::size_t>(loci.end() - locus)) throw InvalidInput("its model has too few loci");
      model.emplace_back(locus, locus + size);
      locus += size;
    }
    if (locus != loci.end()) throw InvalidInput("its model has loci that are in no group");
    return model;
  }
};

template <class Archive>
void model_fields(Archive& archive, const char* sizes, const char* loci, Model& model) {
  ModelArrays arrays;
  if constexpr (Archive::is_reader) {
    archive(sizes, arrays.sizes)(loci, arrays.loci);
    model = arrays.model();
  } else {
    arrays.add(model);
    archive(sizes, std::move(arrays.sizes))(loci, std::move(arrays.loci));
  }
}

/// Models of several generations, one behind the other.
template <class Archive>
void models_fields(Archive& archive, std::vector<GenerationModel>& models) {
  std::vector<std::uint64_t> generations;
  std::vector<std::uint64_t> groups;
  ModelArrays all;
  if constexpr (Archive::is_reader) {
    archive("models_generations", generations)("models_groups", groups)("models_sizes", all.sizes);
    archive("models_loci", all.loci);
    auto rest = all.model();
    auto group = rest.begin();
    for (std::size_t i = 0; i < generations.size(); ++i) {
      if (i >= groups.size() || groups[i] > static_cast<std::uint64_t>(rest.end() - group))
        throw InvalidInput("its models have too few groups");
      const auto end = group + static_cast<std::ptrdiff_t>(groups[i]);
      models.push_back({generations[i], {std::make_move_iterator(group), std::make_move_iterator(end)}});
      group = end;
    }
    if (group != rest.end() || groups.size() != generations.size())
      throw InvalidInput("its models have groups of no generation");
  } else {
    for (const auto& [generation, model] : models) {
      generations.push_back(generation);
      groups.push_back(model.size());
      all.add(model);
    }
    archive("models_generations", std::move(generations))("models_groups", std::move(groups));
    archive("models_sizes", std::move(all.sizes))("models_loci", std::move(all.loci));
  }
}

}  // namespace clopt::ecga
