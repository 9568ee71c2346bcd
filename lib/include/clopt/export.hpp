/// \file
/// What the library lets others link to: everything else of it is hidden.
#pragma once

/// Stands before each function and class of the public headers that the library defines.
#define CLOPT_API __attribute__((visibility("default")))
