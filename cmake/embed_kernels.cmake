# Embeds the kernels: cmake -D ROOT=kernels_cl -D RANDOM123=folder -D OUTPUT=folder -P embed_kernels.cmake
#
# Writes to OUTPUT
#   kernel_texts.cpp    every file of ROOT, and the files of Random123 that kernels include
#   kernel_entries.hpp  every kernel: folder/name, file, types of its parameters
#   twins.inc           CLOPT_TWIN(folder, name) for every kernel that needs a twin in backends/openmp:
#                       all but those of the folder probes, which ask a device what it can do
#   objectives.inc      CLOPT_OBJECTIVE(name) for every text of the folder builtin_objectives
#   builtin_objectives.inc  the same texts as C++: defines what each is, then includes openmp/objective/both_precisions.hpp
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

# What the objectives' texts define, and of what genes.
set(objectives "")
set(builtins "")
foreach(file IN LISTS files)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${file} NAME_WE)
  if(NOT folder STREQUAL "builtin_objectives")
    continue()
  endif()
  file(READ ${ROOT}/${file} text)
  set(number 0)
  foreach(form objective objective_term objective_count objective_word)
    if(text MATCHES "\n(real|int) ${form}\\(")
      set(form_number ${number})
    endif()
    math(EXPR number "${number} + 1")
  endforeach()
  set(number 0)
  foreach(kind bits reals integers permutation)
    if(text MATCHES "^// clopt: ${kind}[,\n]")
      set(kind_number ${number})
    endif()
    math(EXPR number "${number} + 1")
  endforeach()
  set(finish 0)
  if(text MATCHES "\nreal objective_finish\\(")
    set(finish 1)
  endif()
  string(APPEND objectives "CLOPT_OBJECTIVE(${name})\n")
  string(APPEND builtins "#define OBJECTIVE_NAME ${name}\n#define OBJECTIVE_TEXT <${file}>\n"
    "#define OBJECTIVE_KIND ${kind_number}\n#define OBJECTIVE_FORM ${form_number}\n#define OBJECTIVE_FINISH ${finish}\n"
    "#include \"openmp/objective/both_precisions.hpp\"\n")
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
file(CONFIGURE OUTPUT ${OUTPUT}/objectives.inc @ONLY CONTENT "// Made by cmake/embed_kernels.cmake.\n@objectives@")
file(CONFIGURE OUTPUT ${OUTPUT}/builtin_objectives.inc @ONLY CONTENT
  "// Made by cmake/embed_kernels.cmake.\n@builtins@")
