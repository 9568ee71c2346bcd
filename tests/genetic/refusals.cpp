/// \file
/// Input that is refused, and what the refusal says.
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <clopt/genetic_problems.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace clopt;

struct Fault {
  std::function<void(genetic::Problem&, genetic::Options&)> make;
  std::string message;
};

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

const std::vector<Fault>& faults() {
  using P = genetic::Problem;
  using O = genetic::Options;
  const auto sphere = [](const std::vector<double>& lower, const std::vector<double>& upper) {
    return [=](P& problem, O&) { problem = {Objective::named("sphere"), 5, lower, upper}; };
  };
  static const std::vector<Fault> all{
      {[](P& p, O&) {
         p = genetic::tour(std::vector<double>(16, 1));
         auto table = p.objective.table_values();
         table.back() = -1;
         p.objective.set_table_values(std::move(table));
       },
       "the lists of near cities name cities that there are not"},
      {[](P& p, O&) { p.genes = 0; }, "`genes` is 0; give an integer from 1 to 67108864"},
      {[](P& p, O&) { p.genes = (1U << 26) + 1; }, "`genes` is 67108865; give an integer from 1 to 67108864"},
      {[](P&, O& o) { o.population = 0; }, "`population` is 0; give an integer from 1 to 67108864"},
      {[](P&, O& o) { o.population = 1; }, "`population` is 1, of which nothing can be bred; give 2 or more"},
      {[](P&, O& o) { o.crossover = 2; }, "`crossover` is 2; give a number from 0 to 1"},
      {[](P&, O& o) { o.crossover = not_a_number; }, "`crossover` is nan; give a number from 0 to 1"},
      {[](P&, O& o) { o.mutation = -0.1; }, "`mutation` is -0.1; give a number from 0 to 1"},
      {[](P&, O& o) { o.mutation = not_a_number; }, "`mutation` is nan; give a number from 0 to 1"},
      {[](P&, O& o) { o.individuals_per_group = 0; }, "`individuals_per_group` is 0; give an integer from 1 to 32"},
      {[](P&, O& o) { o.individuals_per_group = 33; }, "`individuals_per_group` is 33; give an integer from 1 to 32"},
      {[](P&, O& o) { o.group_size = 1025; }, "`group_size` is 1025; give an integer from 0 to 1024"},
      {[](P&, O& o) { o.elites = 49; }, "`elites` is 49; give an integer from 0 to 48"},
      {[](P&, O& o) { o.islands = 0; }, "`islands` is 0; give an integer from 1 to 65536"},
      {[](P&, O& o) {
         o.islands = 65536;
         o.population = 65536;
       },
       "`islands` is 65536 and `population` 65536; give at most 2147483648 individuals in all"},
      {[](P&, O& o) { o.migrants = 25; }, "`migrants` is 25; give an integer from 1 to 24"},
      {[](P&, O& o) { o.selection = "lottery"; },
       "there is no `selection` 'lottery'; choose one of auto, roulette, roulette-walk, tournament, rank, sus"},
      {[](P&, O& o) { o.crossover_kind = "half"; },
       "there is no `crossover_kind` 'half'; choose one of auto, one-point, two-point, uniform, line, "
       "simulated-binary, order"},
      {[](P&, O& o) { o.crossover_kind = "line"; },
       "`crossover_kind` is 'line', which is not for genes of the kind 'bits'; give one-point, two-point or uniform"},
      {[](P&, O& o) { o.mutation_kind = "flop"; },
       "there is no `mutation_kind` 'flop'; choose one of auto, flip, step, gaussian, polynomial, swap, inversion"},
      {[](P&, O& o) { o.mutation_kind = "gaussian"; },
       "`mutation_kind` is 'gaussian', which is not for genes of the kind 'bits'; give flip"},
      {[](P&, O& o) { o.granularity = "warp"; },
       "there is no `granularity` 'warp'; choose one of auto, thread, group, gene, subgroup, subgroups, hybrid, fused"},
      {[](P&, O& o) { o.preset = "best"; }, "there is no `preset` 'best'; choose one of auto, paper"},
      {[](P&, O& o) { o.improve = "three-opt"; },
       "there is no `improve` 'three-opt'; choose one of auto, none, two-opt, iterated"},
      {[](P&, O& o) { o.improve = "two-opt"; },
       "`improve` is 'two-opt', which is for tours that are minimised, and the objective is 'onemax'"},
      {[](P&, O& o) { o.restart = 4294967295; }, "`restart` is 4294967295; give an integer from 0 to 4294967294"},
      {[](P&, O& o) { o.precision = "half"; }, "there is no `precision` 'half'; choose one of auto, float, double"},
      {[](P&, O& o) { o.tournament = 0; }, "`tournament` is 0; give an integer from 1 to 65536"},
      {[](P&, O& o) { o.rank_pressure = not_a_number; }, "`rank_pressure` is nan; give a number from 1 to 2"},
      {[](P&, O& o) { o.line_extension = -1; }, "`line_extension` is -1; give a number from 0 to 1000"},
      {[](P&, O& o) { o.distribution_index = -1; }, "`distribution_index` is -1; give a number from 0 to 1000"},
      {[](P&, O& o) { o.mutation_index = 1001; }, "`mutation_index` is 1001; give a number from 0 to 1000"},
      {[](P&, O& o) { o.step = -1; }, "`step` is -1; give a number from 0 to 1e+30"},
      {[](P&, O& o) { o.target = not_a_number; }, "`target` is nan; give a finite number"},
      {[](P&, O& o) { o.stagnation = std::uint64_t{1} << 32; },
       "`stagnation` is 4294967296; give an integer from 0 to 4294967294"},
      {[](P&, O& o) { o.generations = 4294967295; },
       "`generations` is 4294967295; give an integer from 0 to 4294967294"},
      {[](P&, O& o) { o.evaluations = 48; },
       "`evaluations` is 48, and the start population takes 49; give as many or more"},
      {[](P&, O& o) {
         o.initial = {0, 1, 1};
       },
       "`initial` has 3 values, which are not whole individuals of 20 genes"},
      {[](P&, O& o) { o.initial.assign(1000, 1.0); },
       "`initial` has 50 individuals, and the run has 49; give a larger `population`"},
      {[](P&, O& o) { o.initial.assign(20, 2.0); }, "`initial`: gene 0 of individual 0 is 2; give 0 or 1"},
      {[](P& p, O&) { p.lower = {0}; }, "genes of the kind 'bits' have no `lower`; leave it out"},
      {[](P& p, O&) { p.upper = {0}; }, "genes of the kind 'bits' have no `upper`; leave it out"},
      {sphere({3}, {2}), "`lower` of gene 0 is 3, above `upper`, 2; give bounds in order"},
      {sphere({1, 2}, {3}), "`lower` has 2 numbers for 5 genes; give one, or one for each"},
      {sphere({1}, {3, 3, 3}), "`upper` has 3 numbers for 5 genes; give one, or one for each"},
      {sphere({-1e38}, {3}), "`lower` and `upper` of gene 0 are -1e+38 and 3; give bounds within +-1e+37"},
      {[](P& p, O&) {
         p = {Objective::from_text("// clopt: integers\nint objective_count(individual x, uint i) { return 1; }"),
              3,
              {0.5},
              {2}};
       },
       "`lower` and `upper` of gene 0 are 0.5 and 2; give whole numbers for integers"},
      {[](P& p, O&) {
         p = {Objective::from_text("// clopt: reals\nreal objective(individual x) { return 1; }", "mine"), 3, {}, {}};
       },
       "the objective mine has no bounds of its own; give `lower` and `upper`"},
      {[](P& p, O& o) {
         p = {Objective::named("sphere"), 2, {}, {}};
         o.initial = {0, 2000};
       },
       "`initial`: gene 1 of individual 0 is 2000; give a number from"},
      {[](P& p, O& o) {
         p = {Objective::from_text("// clopt: permutation\nint objective_count(individual x, uint i) { return 1; }"),
              3,
              {},
              {}};
         o.initial = {0, 1, 1};
       },
       "`initial`: gene 2 of individual 0 is 1; give each of 0 to 2 once"}};
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_refusals)

BOOST_AUTO_TEST_CASE(bad_input_is_refused) {
  for (const auto& [make, message] : faults()) {
    genetic::Problem problem{Objective::named("onemax"), 20, {}, {}};
    genetic::Options options;
    options.preset = "paper";
    options.population = 49;
    options.generations = 1;
    make(problem, options);
    BOOST_TEST_CONTEXT(message) {
      std::string found = "nothing was refused";
      try {
        genetic::solve(problem, options, test::device());
      } catch (const InvalidInput& error) {
        found = error.what();
      }
      BOOST_TEST(found.substr(0, message.size()) == message);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_time_limit_that_is_none_is_refused) {
  for (const double limit : {-1.0, not_a_number}) {
    RunControl control;
    control.time_limit = limit;
    BOOST_CHECK_EXCEPTION(
        genetic::solve({Objective::named("onemax"), 20, {}, {}}, {}, test::device(), control), InvalidInput,
        [](const InvalidInput& error) { return std::string(error.what()).find("`time_limit` is ") == 0; });
  }
}

BOOST_AUTO_TEST_CASE(a_population_that_does_not_fit_is_refused_with_the_sizes) {
  genetic::Options options;
  options.preset = "paper";
  options.population = std::uint64_t{1} << 26;
  options.generations = 0;
  BOOST_CHECK_EXCEPTION(genetic::solve({Objective::named("onemax"), 1U << 26, {}, {}}, options, test::device()),
                        InvalidInput, [](const InvalidInput& error) {
                          const std::string message = error.what();
                          return message.find("the population takes 562949953421312 bytes, twice") == 0 &&
                                 message.find("`population`") != message.npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
