/// \file
/// The names of subset-sum's enumerations, in the order in which messages list them.
#pragma once

#include <clopt/subset_sum.hpp>

#include <array>

#include <support/names.hpp>

namespace clopt::subset_sum {

/// What a result names in place of a method, where none had to run.
inline constexpr std::string_view preprocessing = "preprocessing";
/// What `auto` is called where none was chosen.
inline constexpr Method usual_method = Method::k3_32;

inline constexpr Names<Method, 13> method_names{{{{Method::automatic, "auto"},
                                                  {Method::bellman, "bellman"},
                                                  {Method::bbe, "bbe"},
                                                  {Method::balsub, "balsub"},
                                                  {Method::decomp, "decomp"},
                                                  {Method::yanasse_soma, "yanasse-soma"},
                                                  {Method::meet_in_the_middle, "meet-in-the-middle"},
                                                  {Method::k1, "k1"},
                                                  {Method::k2, "k2"},
                                                  {Method::k3_16, "k3-16"},
                                                  {Method::k3_32, "k3-32"},
                                                  {Method::k3_64, "k3-64"},
                                                  {Method::sparse, "sparse"}}}};
/// Those that need no device.
inline constexpr std::array methods_of_host{Method::bellman, Method::bbe, Method::balsub, Method::decomp,
                                            Method::yanasse_soma};
inline constexpr Names<Barrier, 2> barrier_names{{{{Barrier::xiao_feng, "xiao-feng"}, {Barrier::cyclic, "cyclic"}}}};
inline constexpr Names<Recovery, 4> recovery_names{{{{Recovery::automatic, "auto"},
                                                     {Recovery::table, "table"},
                                                     {Recovery::checkpoints, "checkpoints"},
                                                     {Recovery::host, "host"}}}};
inline constexpr Names<Proof, 5> proof_names{{{{Proof::none, "none"},
                                               {Proof::everything_fits, "everything-fits"},
                                               {Proof::capacity_reached, "capacity-reached"},
                                               {Proof::divisor, "divisor"},
                                               {Proof::exhaustive, "exhaustive"}}}};

}  // namespace clopt::subset_sum
