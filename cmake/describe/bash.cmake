# Completions for bash: words of the command line are split at white space alone, since values hold colons.

macro(begin_bash)
  set(bash_names "")
  set(bash_cases "")
endmacro()

macro(bash_subcommand)
  string(APPEND bash_names " ${name} ${short_name}")
  set(bash_options "")
  set(bash_values "")
endmacro()

macro(bash_option)
  string(APPEND bash_options " --${option}")
  set(bash_reply "")
  if(NOT choices STREQUAL "")
    set(bash_reply "words=\"${choices}\"")
  elseif(NOT offers STREQUAL "")
    set(bash_reply "words=\"${offers}\"")
    if(value MATCHES "FILE")
      string(APPEND bash_reply " files=1")
    endif()
  elseif(value MATCHES "FILE")
    set(bash_reply "files=1")
  elseif(option STREQUAL "device")
    set(bash_reply "words=\"all openmp:0 opencl:0\"")
  elseif(NOT value STREQUAL "")
    set(bash_reply "return")
  endif()
  if(NOT bash_reply STREQUAL "")
    string(APPEND bash_values "        --${option}) ${bash_reply} ;;\n")
  endif()
endmacro()

macro(end_bash_subcommand)
  set(bash_argument ":")
  if(argument MATCHES "FILE")
    set(bash_argument "files=1")
  elseif(NOT argument STREQUAL "")
    set(bash_argument "words=\"${argument}\"")
  endif()
  string(STRIP "${bash_options}" bash_options)
  set(bash_called "${name}")
  if(NOT short_name STREQUAL "")
    string(APPEND bash_called "|${short_name}")
  endif()
  string(APPEND bash_cases "    ${bash_called})\n      options=\"${bash_options}\"\n      case $option in\n${bash_values}"
    "        *) if [[ $current == -* ]]; then words=$options; else ${bash_argument}; fi ;;\n      esac\n      ;;\n")
endmacro()

macro(end_bash)
  string(STRIP "${bash_names}" bash_names)
  file(WRITE ${OUTPUT}/bash/clopt "# Completions of clopt ${version} for bash, made of `clopt --describe`.
_clopt() {
  local line=\${COMP_LINE:0:COMP_POINT} given options words files option current
  COMPREPLY=()
  read -ra given <<<\"$line\"
  [[ $line != *[[:space:]] ]] || given+=('')
  current=\${given[-1]}
  if [ \${#given[@]} -le 2 ]; then
    COMPREPLY=(\$(compgen -W \"${bash_names} --help --version\" -- \"$current\"))
    return
  fi
  option=\${given[-2]}
  # --option=value is one word.
  if [[ $current == --*=* ]]; then
    option=\${current%%=*}
    current=\${current#*=}
  fi
  case \${given[1]} in
${bash_cases}    *) return ;;
  esac
  [ ! \"$words\" ] || COMPREPLY=(\$(compgen -W \"$words\" -- \"$current\"))
  if [ \"$files\" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=(\$(compgen -f -- \"$current\"))
  fi
  # The rest of the value follows a colon.
  [[ \${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null
  # The line editor has split the word at colons, and replaces what follows the last one.
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=(\"\${COMPREPLY[@]#\"\${current%:*}:\"}\")
  fi
}
complete -F _clopt clopt
")
endmacro()
