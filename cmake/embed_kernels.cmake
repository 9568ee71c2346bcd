# Embeds the kernels: cmake -D ROOT=kernels_cl -D RANDOM123=folder -D OUTPUT=folder [-D WITHOUT=folder,...]
#   -P embed_kernels.cmake
# WITHOUT names the folders of solvers that are not built.
#
# Writes to OUTPUT
#   kernel_texts.cpp    every file of ROOT, and the files of Random123 that kernels include
#   kernel_entries.hpp  every kernel: folder/name, file
#   operations/FOLDER.hpp  for every kernel of the folder a struct of its arguments, by their names in the kernel, with
#                       the comment above the kernel
#   twins.inc           CLOPT_TWIN(folder, name) for every kernel that needs a twin in backends/openmp:
#                       all but those of the folder probes, which ask a device what it can do
#   objectives.inc      CLOPT_OBJECTIVE(name) for every text of the folder builtin_objectives
#   builtin_objectives.inc  the same texts as C++: defines what each is, then includes openmp/objective/both_precisions.hpp
cmake_policy(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.cl ${ROOT}/*.h)
list(SORT files)
if(WITHOUT)
  string(REPLACE "," "|" without "${WITHOUT}")
  list(FILTER files EXCLUDE REGEX "^(${without})/")
endif()
set(texts "")
set(entries "")
set(twins "")
set(seen "")

function(add_text name file)
  file(READ ${file} text)
  string(APPEND texts "    {\"${name}\", R\"clopt_text(${text})clopt_text\"sv},\n")
  set(texts "${texts}" PARENT_SCOPE)
endfunction()

# What C++ calls a type of OpenCL C's.
set(cpp_uchar std::uint8_t)
set(cpp_ushort std::uint16_t)
set(cpp_uint std::uint32_t)
set(cpp_ulong std::uint64_t)
set(cpp_int std::int32_t)
set(cpp_long std::int64_t)
set(cpp_float float)
set(cpp_double double)
# The structures that kernels share with the host, and where they are defined.
foreach(file IN LISTS files)
  if(file MATCHES "^shared/")
    file(STRINGS ${ROOT}/${file} structures REGEX "^struct [a-z0-9_]+ {")
    foreach(structure IN LISTS structures)
      string(REGEX REPLACE "^struct ([a-z0-9_]+) .*" "\\1" structure "${structure}")
      set(cpp_${structure} shared::${structure})
      set(header_of_${structure} ${file})
    endforeach()
  endif()
endforeach()

# snake_case as CamelCase.
function(camel_case text result)
  string(REPLACE "_" ";" words "${text}")
  set(camel "")
  foreach(word IN LISTS words)
    string(SUBSTRING "${word}" 0 1 first)
    string(SUBSTRING "${word}" 1 -1 rest)
    string(TOUPPER "${first}" first)
    string(APPEND camel "${first}${rest}")
  endforeach()
  set(${result} "${camel}" PARENT_SCOPE)
endfunction()

# The struct of a kernel's arguments, appended to operations_FOLDER.
function(add_operation folder name file comment parameters)
  string(REGEX REPLACE "[ \n]+" " " parameters "${parameters}")
  string(REPLACE "," ";" parameters "${parameters}")
  set(templates "")
  set(generics "")
  set(members "")
  set(list "")
  set(from "")
  set(number 0)
  foreach(parameter IN LISTS parameters)
    string(STRIP "${parameter}" parameter)
    if(NOT parameter MATCHES "^((global|local|const|volatile) )*([a-z0-9_]+) ?(\\* ?)?(restrict )?([a-zA-Z0-9_]+)$")
      message(FATAL_ERROR "${file}: the parameter '${parameter}' of ${name} is not understood")
    endif()
    set(type ${CMAKE_MATCH_3})
    set(member ${CMAKE_MATCH_6})
    if(DEFINED cpp_${type})
      set(cpp ${cpp_${type}})
      if(DEFINED header_of_${type})
        set_property(GLOBAL APPEND PROPERTY headers_${folder} ${header_of_${type}})
      endif()
    else()
      # Any other name stands for one of several types.
      camel_case(${type} cpp)
      if(NOT "class ${cpp}" IN_LIST templates)
        list(APPEND templates "class ${cpp}")
        list(APPEND generics "generic<${cpp}>(\"${type}\")")
      endif()
    endif()
    if(parameter MATCHES "^global const ")
      set(cpp "In<${cpp}>")
    elseif(parameter MATCHES "^global ")
      set(cpp "InOut<${cpp}>")
    elseif(parameter MATCHES "^local ")
      set(cpp "Local<${cpp}>")
    else()
      set(cpp "Value<${cpp}>")
    endif()
    string(APPEND members "  ${cpp} ${member};\n")
    list(APPEND list "${member}.argument()")
    list(APPEND from ".${member} = ${cpp}::of(erased[${number}])")
    math(EXPR number "${number} + 1")
  endforeach()
  camel_case(${name} struct)
  list(JOIN templates ", " templates)
  list(JOIN generics ", " generics)
  list(JOIN list ", " list)
  list(JOIN from ", " from)
  set(text "${comment}/// Kernel ${name} in kernels_cl/${file}.\n")
  if(NOT templates STREQUAL "")
    string(APPEND text "template <${templates}>\n")
  endif()
  string(APPEND text "struct ${struct} {\n"
    "  static constexpr OperationInfo info{\"${folder}/${name}\", {${generics}}}@@\n  ByName by_name{}@@\n${members}"
    "  std::array<Argument, ${number}> arguments() const { return {${list}}@@ }\n"
    "  static ${struct} of(std::span<const Argument> erased) { return {${from}}@@ }\n}@@\n\n")
  string(REPLACE ";" "@@" text "${text}")
  set_property(GLOBAL APPEND_STRING PROPERTY operations_${folder} "${text}")
endfunction()

foreach(file IN LISTS files)
  add_text(${file} ${ROOT}/${file})
  get_filename_component(folder ${file} DIRECTORY)
  file(READ ${ROOT}/${file} text)
  # What would part a list of CMake's.
  string(REPLACE ";" "@semicolon@" text "${text}")
  string(REPLACE "[" "@open@" text "${text}")
  string(REPLACE "]" "@close@" text "${text}")
  string(REGEX MATCHALL "(\n/\\*([^*]|\\*[^/])*\\*/)?\nkernel [^(]*void [a-z0-9_]+\\([^)]*\\)" kernels "${text}")
  foreach(kernel IN LISTS kernels)
    string(FIND "${kernel}" "\nkernel " begin)
    string(SUBSTRING "${kernel}" 0 ${begin} comment)
    string(SUBSTRING "${kernel}" ${begin} -1 kernel)
    string(REGEX REPLACE "^\nkernel [^(]*void ([a-z0-9_]+)\\(.*" "\\1" name "${kernel}")
    if("${folder}/${name}" IN_LIST seen)
      message(FATAL_ERROR "two kernels are called ${folder}/${name}")
    endif()
    list(APPEND seen ${folder}/${name})
    list(APPEND folders ${folder})
    string(REGEX REPLACE "\n/\\* ?" "\n" comment "${comment}")
    string(REGEX REPLACE " *\\*/$" "" comment "${comment}")
    string(REGEX REPLACE "\n ?\\*? ?" "\n/// " comment "${comment}")
    string(REPLACE "@semicolon@" "@@" comment "${comment}")
    string(REPLACE "@open@" "[" comment "${comment}")
    string(REPLACE "@close@" "]" comment "${comment}")
    string(REGEX REPLACE "^\n(.+)$" "\\1\n" comment "${comment}")
    string(REGEX REPLACE "^[^(]*\\(([^)]*)\\)$" "\\1" signature "${kernel}")
    add_operation(${folder} ${name} ${file} "${comment}" "${signature}")
    string(APPEND entries "    {\"${folder}/${name}\", \"${file}\"},\n")
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
  unset(form_number)
  unset(kind_number)
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
  if(NOT DEFINED form_number OR NOT DEFINED kind_number)
    message(FATAL_ERROR "${file} defines no objective, or its first comment does not say of which genes")
  endif()
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
#include <device/kernels/kernel_list.hpp>

namespace clopt {

std::span<const KernelText> embedded_kernel_texts() {
  // A literal with its length: clang counts the characters of the others one by one, and gives up.
  using namespace std::string_view_literals;
  static constexpr KernelText texts[] = {
@texts@  };
  return texts;
}

}  // namespace clopt
")
file(CONFIGURE OUTPUT ${OUTPUT}/kernel_entries.hpp @ONLY CONTENT
"// Made by cmake/embed_kernels.cmake.
#pragma once
#include <device/kernels/kernel_list.hpp>

namespace clopt::generated {

inline constexpr KernelEntry kernel_entries[] = {
@entries@};

}  // namespace clopt::generated
")
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  get_property(operations GLOBAL PROPERTY operations_${folder})
  string(REPLACE "@@" ";" operations "${operations}")
  get_property(headers GLOBAL PROPERTY headers_${folder})
  list(REMOVE_DUPLICATES headers)
  set(includes "#include <clopt/operation.hpp>\n")
  foreach(header IN LISTS headers)
    string(APPEND includes "#include <${header}>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${OUTPUT}/operations/${folder}.hpp @ONLY CONTENT
"// Made by cmake/embed_kernels.cmake of kernels_cl/@folder@.
#pragma once
@includes@
#include <array>
#include <cstdint>
#include <span>

namespace clopt::@folder@::operations {

@operations@}  // namespace clopt::@folder@::operations
")
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT}/twins.inc @ONLY CONTENT "// Made by cmake/embed_kernels.cmake.\n@twins@")
file(CONFIGURE OUTPUT ${OUTPUT}/objectives.inc @ONLY CONTENT "// Made by cmake/embed_kernels.cmake.\n@objectives@")
file(CONFIGURE OUTPUT ${OUTPUT}/builtin_objectives.inc @ONLY CONTENT
  "// Made by cmake/embed_kernels.cmake.\n@builtins@")
