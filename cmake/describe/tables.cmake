# Tables of the options, for the documentation.

# A text within a cell.
function(cell text result)
  string(REPLACE "|" "\\|" text "${text}")
  string(REPLACE "\n" " " text "${text}")
  # Angle brackets and asterisks would be taken for marks.
  string(REPLACE "<" "&lt;" text "${text}")
  string(REPLACE "*" "\\*" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Options that several subcommands have stand in one table, where they mean the same.
set(options_of_several checkpoint resume statistics plot plot-background certificate device threads force seed time-limit
  json quiet)
set(table_head "| option | meaning | default |\n|---|---|---|\n")

macro(begin_tables)
  set(tables "")
  foreach(each IN LISTS options_of_several)
    set(several_${each} "")
  endforeach()
endmacro()

macro(table_of_subcommand)
  string(REPLACE "\n" "\n" usage_lines "${usage}")
  # What follows an empty line is a list.
  set(list_of_text "")
  string(FIND "${text}" "\n\n" end_of_words)
  if(end_of_words GREATER 0)
    string(SUBSTRING "${text}" ${end_of_words} -1 list_of_text)
    string(STRIP "${list_of_text}" list_of_text)
    set(list_of_text "```text\n${list_of_text}\n```\n\n")
  endif()
  string(APPEND tables "\n## clopt ${name}\n\n```text\nclopt ${name} ${usage_lines}\n```\n\n${list_of_text}")
  set(rows "")
  set(links "")
endmacro()

# A row with an anchor in it, `name-option`.
macro(make_row anchor)
  set(row "| <a id=\"${anchor}-${option}\"></a>`${cell_option}` | ${cell_help} | ${cell_usual} |\n")
endmacro()

macro(row_of_option)
  cell("${help}" cell_help)
  cell("${usual}" cell_usual)
  # The last column has the default.
  if(NOT cell_usual STREQUAL "")
    string(REPLACE "; default: ${cell_usual})" ")" cell_help "${cell_help}")
    string(REPLACE " (default: ${cell_usual})" "" cell_help "${cell_help}")
    string(REPLACE " (default ${cell_usual})" "" cell_help "${cell_help}")
  endif()
  set(cell_option "--${option}")
  if(NOT value STREQUAL "")
    string(APPEND cell_option " ${value}")
    string(REPLACE "|" "\\|" cell_option "${cell_option}")
  endif()
  if(option IN_LIST options_of_several)
    make_row(several)
    if(several_${option} STREQUAL "")
      set(several_${option} "${row}")
    endif()
  endif()
  if(option IN_LIST options_of_several AND row STREQUAL several_${option})
    list(APPEND links "[`--${option}`](#several-${option})")
  elseif(NOT option STREQUAL "help")
    make_row(${name})
    string(APPEND rows "${row}")
  endif()
endmacro()

macro(end_table_of_subcommand)
  if(NOT rows STREQUAL "")
    string(APPEND tables "${table_head}${rows}")
  endif()
  if(NOT links STREQUAL "")
    list(JOIN links ", " links)
    set(also "")
    if(NOT rows STREQUAL "")
      set(also "\nAnd ")
    endif()
    string(APPEND tables "${also}${links}.\n")
  endif()
endmacro()

macro(end_tables)
  set(several "")
  foreach(each IN LISTS options_of_several)
    string(APPEND several "${several_${each}}")
  endforeach()
  file(WRITE ${OUTPUT}/options.md "# All options of the program

`tools/option-tables` makes this page of `clopt --describe`; manuals (`man clopt-genetic`) and the completions of bash
and zsh are made of the same. Each subcommand has `--help`.

## Options of several subcommands

${table_head}${several}${tables}")
endmacro()
