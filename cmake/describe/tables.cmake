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

macro(begin_tables)
  file(WRITE ${OUTPUT}/options.md "# All options of the program

`tools/option-tables` makes this page of `clopt --describe`; manuals (`man clopt-genetic`) and the completions of bash
and zsh are made of the same.
")
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
  file(APPEND ${OUTPUT}/options.md
    "\n## clopt ${name}\n\n```text\nclopt ${name} ${usage_lines}\n```\n\n${list_of_text}| option | meaning | default |\n|---|---|---|\n")
endmacro()

macro(row_of_option)
  cell("${help}" cell_help)
  cell("${usual}" cell_usual)
  set(cell_option "--${option}")
  if(NOT value STREQUAL "")
    string(APPEND cell_option " ${value}")
    string(REPLACE "|" "\\|" cell_option "${cell_option}")
  endif()
  if(NOT option STREQUAL "help")
    file(APPEND ${OUTPUT}/options.md "| `${cell_option}` | ${cell_help} | ${cell_usual} |\n")
  endif()
endmacro()
