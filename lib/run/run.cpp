#include <clopt/run.hpp>
#include <support/names.hpp>

namespace clopt {

std::string_view name_of(Ending ending) {
  static constexpr Names<Ending, 7> names{{{{Ending::complete, "complete"},
                                            {Ending::target, "target"},
                                            {Ending::generations, "generations"},
                                            {Ending::evaluations, "evaluations"},
                                            {Ending::time, "time"},
                                            {Ending::stagnation, "stagnation"},
                                            {Ending::interrupted, "interrupted"}}}};
  return names.of(ending);
}

}  // namespace clopt
