# Embeds the kernels: cmake -D ROOT=kernels_cl -D RANDOM123=folder -D OUTPUT=folder -P embed_kernels.cmake
#
# Writes to OUTPUT
#   kernel_texts.cpp    every file of ROOT, and the files of Random123 that kernels include
#   kernel_entries.hpp  every kernel: folder/name, file, types of its parameters
#   twins.inc           CLOPT_TWIN(folder, name) for every kernel that needs a twin in backends/openmp:
#                       all but those of the folder probes, which ask a device what it can do
cmake_policy(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.cl ${ROOT}/*.h)
list(SORT files)
set(texts "")
set(entries "")
set(twins "")
set(seen "")

function(add_text name file)
  file(READ ${file} text)
  string(APPEND texts "    {\"${name}\", R\"clopt_text(${text})clopt_text\"},\n")
  set(texts "${texts}" PARENT_SCOPE)
endfunction()

foreach(file IN LISTS files)
  add_text(${file} ${ROOT}/${file})
  get_filename_component(folder ${file} DIRECTORY)
  file(READ ${ROOT}/${file} text)
  string(REPLACE ";" " " text "${text}")
  string(REGEX MATCHALL "\nkernel [^(]*void [a-z0-9_]+\\([^)]*\\)" kernels "${text}")
  foreach(kernel IN LISTS kernels)
    string(REGEX REPLACE "^\nkernel [^(]*void ([a-z0-9_]+)\\(.*" "\\1" name "${kernel}")
    string(REGEX REPLACE "^[^(]*\\(([^)]*)\\)$" "\\1" parameters "${kernel}")
    string(REGEX REPLACE "[ \n]+" " " parameters "${parameters}")
    string(REPLACE ", " "," parameters "${parameters}")
    string(REPLACE " restrict" "" parameters "${parameters}")
    string(REPLACE " *" "* " parameters "${parameters}")
    string(REGEX REPLACE " ?[a-zA-Z0-9_]+(,|$)" "\\1" parameters "${parameters}")
    if("${folder}/${name}" IN_LIST seen)
      message(FATAL_ERROR "two kernels are called ${folder}/${name}")
    endif()
    list(APPEND seen ${folder}/${name})
    string(APPEND entries "    {\"${folder}/${name}\", \"${file}\", \"${parameters}\"},\n")
    if(NOT folder STREQUAL "probes")
      string(APPEND twins "CLOPT_TWIN(${folder}, ${name})\n")
    endif()
  endforeach()
endforeach()

foreach(file philox.h array.h features/compilerfeatures.h features/openclfeatures.h features/sse.h)
  add_text(Random123/${file} ${RANDOM123}/Random123/${file})
endforeach()

file(CONFIGURE OUTPUT ${OUTPUT}/kernel_texts.cpp @ONLY CONTENT
"// Made by cmake/embed_kernels.cmake.
#include <device/kernel_list.hpp>

namespace clopt {

std::span<const KernelText> embedded_kernel_texts() {
  static constexpr KernelText texts[] = {
@texts@  };
  return texts;
}

}  // namespace clopt
")
file(CONFIGURE OUTPUT ${OUTPUT}/kernel_entries.hpp @ONLY CONTENT
"// Made by cmake/embed_kernels.cmake.
#pragma once
#include <device/kernel_list.hpp>

namespace clopt::generated {

inline constexpr KernelEntry kernel_entries[] = {
@entries@};

}  // namespace clopt::generated
")
file(CONFIGURE OUTPUT ${OUTPUT}/twins.inc @ONLY CONTENT "// Made by cmake/embed_kernels.cmake.\n@twins@")
