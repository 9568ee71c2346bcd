# Completions for zsh, by _arguments (zshcompsys(1)).

# A text between the brackets of a specification, within single quotes.
function(zsh_text text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "'" "'\\''" text "${text}")
  string(REPLACE "[" "\\[" text "${text}")
  string(REPLACE "]" "\\]" text "${text}")
  string(REPLACE ":" "\\:" text "${text}")
  string(REPLACE "\n" " " text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

macro(begin_zsh)
  set(zsh_names "")
  set(zsh_cases "")
endmacro()

macro(zsh_subcommand)
  zsh_text("${subcommand_summary}" zsh_summary)
  string(APPEND zsh_names "        '${name}:${zsh_summary}'\n")
  set(zsh_called "${name}")
  if(NOT short_name STREQUAL "")
    string(APPEND zsh_names "        '${short_name}:${zsh_summary}'\n")
    string(APPEND zsh_called "|${short_name}")
  endif()
  string(APPEND zsh_cases "        ${zsh_called})\n          _arguments \\\n")
endmacro()

macro(zsh_option)
  zsh_text("${help}" zsh_help)
  zsh_text("${value}" zsh_value)
  set(zsh_many "")
  if(repeatable)
    set(zsh_many "*")
  endif()
  if(NOT choices STREQUAL "")
    set(zsh_action "(${choices})")
  elseif(NOT offers STREQUAL "")
    string(REPLACE ":" "\\:" zsh_offers "${offers}")
    set(zsh_action "{_clopt_offers ${zsh_offers}}")
    if(value MATCHES "FILE")
      string(REPLACE "}" "; _files}" zsh_action "${zsh_action}")
    endif()
  elseif(value MATCHES "FILE")
    set(zsh_action "_files")
  elseif(option STREQUAL "device")
    set(zsh_action "(all openmp\\:0 opencl\\:0)")
  else()
    set(zsh_action " ")
  endif()
  if(value STREQUAL "")
    string(APPEND zsh_cases "            '${zsh_many}--${option}[${zsh_help}]' \\\n")
  else()
    string(APPEND zsh_cases "            '${zsh_many}--${option}=[${zsh_help}]:${zsh_value}:${zsh_action}' \\\n")
  endif()
endmacro()

macro(end_zsh_subcommand)
  if(argument MATCHES "FILE")
    string(APPEND zsh_cases "            '1:${argument}:_files'\n")
  elseif(NOT argument STREQUAL "")
    string(APPEND zsh_cases "            '1:action:(${argument})'\n")
  else()
    string(APPEND zsh_cases "            '*: :'\n")
  endif()
  string(APPEND zsh_cases "          ;;\n")
endmacro()

macro(end_zsh)
  file(WRITE ${OUTPUT}/zsh/_clopt "#compdef clopt
# Completions of clopt ${version} for zsh, made of `clopt --describe`.
# Values that have more behind a colon, and others.
_clopt_offers() {
  compadd -S '' -- \${(M)@:#*:}
  compadd -- \${@:#*:}
}
_clopt() {
  local curcontext=\"$curcontext\" state line
  local -a subcommands
  _arguments -C '(- *)--help[print this help]' '(- *)--version[print the version]' '1:subcommand:->subcommand' \\
    '*::argument:->argument'
  case $state in
    subcommand)
      subcommands=(
${zsh_names}      )
      _describe subcommand subcommands
      ;;
    argument)
      case $words[1] in
${zsh_cases}      esac
      ;;
  esac
}
_clopt \"$@\"
")
endmacro()
