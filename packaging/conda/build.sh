#!/bin/bash
set -euo pipefail
# shellcheck disable=SC2086 # CMAKE_ARGS are words
cmake -S . -B build-conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DCMAKE_INSTALL_LIBDIR=lib -DCLOPT_BUILD_TESTS=OFF
cmake --build build-conda --parallel "${CPU_COUNT:-1}"
cmake --install build-conda
