/// \file
/// What the library lets others link to: everything else of it is hidden.
#pragma once

#if !defined(__cplusplus) || __cplusplus <= 201703L
#error "clopt's headers are C++20: compile with -std=c++20 or newer"
#endif

/// Stands before each function and class of the public headers that the library defines.
#define CLOPT_API __attribute__((visibility("default")))
