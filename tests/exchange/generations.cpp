/// \file
/// Generations of umda, against an oracle that makes them gene by gene from the paper's words and shares no code with
/// the library: Philox, tournaments, marginals, mutation, replacement.
#include "networks.hpp"

#include <device/solver_devices.hpp>
#include <exchange/umda/fitness.hpp>
#include <exchange/umda/umda.hpp>
#include <support/device.hpp>
#include <support/philox.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace clopt;
using namespace clopt::exchange;

using Words = std::array<std::uint32_t, 4>;

std::uint32_t below(std::uint32_t word, std::uint32_t n) {
  return static_cast<std::uint32_t>(std::uint64_t{word} * n >> 32);
}

enum Purpose : std::uint32_t {
  pairing = 0x45585550,
  selection = 0x45585553,
  trial = 0x45585554,
  mutating = 0x45585555,
  sampling = 0x4558554d
};

/// A transfer's time and way.
struct Allele {
  std::uint32_t slot, path;
  bool operator==(const Allele&) const = default;
};
using Individual = std::vector<Allele>;

/// A population and how it breeds.
struct Oracle {
  std::vector<std::vector<std::set<std::uint16_t>>> ways;  ///< of each gene, of each path: its links
  std::uint32_t slots;
  Options options;
  std::uint32_t generation = 0;
  std::vector<Individual> individuals = {};
  std::vector<std::uint64_t> fitness = {};

  Words words(Purpose purpose, std::uint32_t y, std::uint32_t z) const {
    return test::philox({generation, y, z, purpose}, options.seed);
  }
  std::size_t genes() const { return ways.size(); }

  std::size_t met_links(const Individual& own, std::size_t gene, Allele value, std::size_t other) const {
    if (own[other].slot != value.slot) return 0;
    const auto& its = ways[other][own[other].path];
    const auto& links = ways[gene][value.path];
    return static_cast<std::size_t>(
        std::count_if(links.begin(), links.end(), [&](auto link) { return its.contains(link); }));
  }
  std::uint64_t cost(const Individual& own, std::size_t gene, Allele value) const {
    std::uint64_t sum = 0;
    for (std::size_t other = 0; other < genes(); ++other)
      if (other != gene) sum += met_links(own, gene, value, other);
    return sum;
  }
  // Each pair is met from both sides.
  std::uint64_t conflicts(const Individual& own) const {
    std::uint64_t sum = 0;
    for (std::size_t gene = 0; gene < genes(); ++gene) sum += cost(own, gene, own[gene]);
    return sum / 2;
  }

  // Two contestants of each draw, four words for two parents.
  std::size_t select(std::uint32_t chunk, std::uint32_t parent) const {
    std::vector<std::size_t> contestants;
    for (std::uint32_t round = 0; contestants.size() < options.tournament; ++round) {
      const auto drawn = words(selection, chunk, (round << 20) + parent / 2);
      for (const std::uint32_t i : {0U, 1U})
        contestants.push_back(below(drawn[parent % 2 * 2 + i], options.population));
    }
    contestants.resize(options.tournament);
    return *std::min_element(contestants.begin(), contestants.end(),
                             [&](auto a, auto b) { return fitness[a] < fitness[b]; });
  }

  Individual sample(std::uint32_t k) const {
    Individual own(genes());
    const std::uint32_t chunk = k / 8, in_chunk = k % 8;
    for (std::uint32_t gene = 0; gene < genes(); ++gene) {
      const auto word = words(sampling, chunk, gene / 2)[in_chunk / 4 * 2 + gene % 2];
      const auto parent = [&](std::uint32_t shift) {
        const auto number = word >> (shift + in_chunk % 4 * 4) & 7;
        return individuals[select(chunk, gene / 128 * 8 + number)][gene];
      };
      own[gene] = {parent(0).slot, parent(16).path};
    }
    return own;
  }

  Allele any(std::uint32_t slot_word, std::uint32_t path_word, std::size_t gene) const {
    return {below(slot_word, slots), below(path_word, static_cast<std::uint32_t>(ways[gene].size()))};
  }
  std::uint32_t any_gene(std::uint32_t k, std::uint32_t i) const {
    return below(words(mutating, k, i)[0], static_cast<std::uint32_t>(genes()));
  }

  void mutate_as_the_paper(std::uint32_t k, Individual& own) const {
    for (std::uint32_t i = 0; i < options.mutations; ++i) {
      const auto drawn = words(mutating, k, i);
      const auto gene = any_gene(k, i);
      own[gene] = any(drawn[1], drawn[2], gene);
    }
  }

  void mutate(std::uint32_t k, Individual& own) const {
    std::size_t gene = any_gene(k, 0);
    for (std::uint32_t i = 0; i < options.mutations; ++i) {
      std::vector<std::pair<std::uint64_t, Allele>> values;
      for (std::uint32_t n = 0; n < options.tries; ++n) {
        const auto drawn = words(trial, k, (i * 64 + n) / 2);
        const auto value = any(drawn[n % 2 * 2], drawn[n % 2 * 2 + 1], gene);
        if (value != own[gene]) values.emplace_back(cost(own, gene, value), value);
      }
      if (values.empty()) return;
      const auto [least, value] = *std::min_element(values.begin(), values.end(),
                                                    [](const auto& a, const auto& b) { return a.first < b.first; });
      own[gene] = value;
      if (least == 0 || i + 1 == options.mutations) return;
      auto next = std::size_t{any_gene(k, i + 1)};
      while (next == gene || met_links(own, gene, value, next) == 0) next = (next + 1) % genes();
      gene = next;
    }
  }

  void advance() {
    ++generation;
    const std::uint32_t n = options.population;
    std::vector<Individual> made;
    for (std::uint32_t k = 0; k < n / 2; ++k) {
      made.push_back(sample(k));
      if (options.tries == 1)
        mutate_as_the_paper(k, made.back());
      else
        mutate(k, made.back());
    }
    const auto drawn = words(pairing, 0, 0);
    std::uint64_t step = 1 + below(drawn[0], n - 1);
    while (std::gcd(step, std::uint64_t{n}) != 1) step = step % (n - 1) + 1;
    const auto before = fitness;
    for (std::uint32_t k = 0; k < n / 2; ++k) {
      const auto place = [&](std::uint64_t i) { return (step * i + below(drawn[1], n)) % n; };
      const auto a = place(2 * k), b = place(2 * k + 1);
      const auto worse = before[b] < before[a] ? a : b;
      fitness[worse] = conflicts(made[k]);
      individuals[worse] = std::move(made[k]);
    }
  }
};

std::vector<Individual> individuals_of(const UmdaState& state, std::size_t genes) {
  std::vector<Individual> individuals(state.fitness.size());
  for (std::size_t i = 0; i < state.genes.size(); ++i)
    individuals[i / genes].push_back({state.genes[i] >> 16, state.genes[i] & 0xffff});
  return individuals;
}

/// How a population breeds.
struct Breeding {
  std::uint32_t population, tournament, mutations, tries;
  std::uint32_t symmetries = 1;
};

void check_generations(const std::string& topology, std::uint32_t slots, Breeding breeding, std::uint64_t seed) {
  const auto problem = test::complete_exchange(topology);
  const Network network(problem.topology);
  const auto table = make_symmetric_gene_table(problem, network, Paths(network), breeding.symmetries, seed);
  BOOST_TEST_REQUIRE(table.group.order() == breeding.symmetries);
  Oracle oracle{.ways = {}, .slots = slots, .options = {}};
  for (const auto& gene : table.genes) {
    auto& paths = oracle.ways.emplace_back(gene.paths);
    for (std::size_t i = 0; i < paths.size() * gene.hops; ++i) paths[i / gene.hops].insert(table.paths[gene.first + i]);
  }
  auto& options = oracle.options;
  options.seed = seed;
  options.population = breeding.population;
  options.tournament = breeding.tournament;
  options.mutations = breeding.mutations;
  options.tries = breeding.tries;
  const auto population = population_of(table, slots, options);
  const std::vector<std::shared_ptr<Device>> devices{non_owning(test::device())};
  FitnessTeam team(devices, table, population, Method::links, population.individuals);
  const auto host = make_host_umda(team, table, population);
  const auto device = make_device_umda(devices.front(), table, population);
  host->start(nullptr);
  device->start(nullptr);
  const auto first = host->state();
  oracle.individuals = individuals_of(first, table.genes.size());
  oracle.fitness = first.fitness;
  BOOST_TEST_REQUIRE(!host->has_found());
  for (std::uint32_t generation = 1; generation <= 4 && !host->has_found(); ++generation) {
    oracle.advance();
    for (Umda* const run : {host.get(), static_cast<Umda*>(device.get())}) {
      run->begin(generation);
      run->finish();
      const auto state = run->state();
      BOOST_TEST_CONTEXT(topology << ", " << slots << " slots, " << breeding.population << " individuals, tournament "
                                  << breeding.tournament << ", mutations " << breeding.mutations << ", tries "
                                  << breeding.tries << ", symmetries " << breeding.symmetries << ", seed " << seed
                                  << ", generation " << generation
                                  << (run == host.get() ? " on the host" : " on the device")) {
        BOOST_TEST_REQUIRE(state.fitness == oracle.fitness, boost::test_tools::per_element());
        BOOST_TEST_REQUIRE((individuals_of(state, table.genes.size()) == oracle.individuals));
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(generations, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(are_those_of_the_oracle) {
  // The smallest and odd populations, one slot, more slots than tries, and genes with the same value in all tries.
  check_generations("mesh:3x3", 6, {49, 4, 3, 32}, 1);
  check_generations("mesh:3x3", 1, {7, 3, 49, 64}, 2);
  check_generations("mesh:4x4", 260, {18, 1, 2, 7}, 3);
  check_generations("mesh:3x3", 6, {2, 2, 3, 5}, 9);
  check_generations("circulant:7:1,2", 3, {33, 7, 64, 2}, 5);
  check_generations("mesh:2x6", 20, {35, 64, 4, 33}, 6);
}

// A path of the oracle's is then the links of all images, so that it needs to know nothing of symmetries.
BOOST_AUTO_TEST_CASE(share_genes_by_symmetries) {
  check_generations("mesh:3x3", 6, {49, 4, 3, 32, 2}, 11);
  check_generations("hypercube:3", 3, {33, 4, 3, 32, 8}, 12);
  check_generations("torus:4x4", 7, {26, 2, 2, 1, 16}, 13);
}

BOOST_AUTO_TEST_CASE(are_those_of_the_paper_s_text) {
  check_generations("mesh:3x3", 6, {49, 2, 2, 1}, 7);
  check_generations("ring:7", 2, {7, 2, 49, 1}, 8);
  check_generations("mesh:3x3", 6, {26, 2, 0, 1}, 9);
  check_generations("mesh:3x3", 6, {26, 2, 0, 9}, 10);
}

BOOST_AUTO_TEST_SUITE_END()
