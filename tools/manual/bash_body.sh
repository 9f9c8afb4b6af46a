# Completion of PROGRAM for bash, made from the definition of its --help.

# Sets commands, options, valued (options that take a value) and choices (of these values) of the command in $1.
PROGRAM_FUNCTION_tables() {
  case $1 in
    TABLES
  esac
}

PROGRAM_FUNCTION() {
  local current=${COMP_WORDS[COMP_CWORD]} path=PROGRAM commands options valued choices expecting= i word one
  PROGRAM_FUNCTION_tables "$path"
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == = ]]; then  # bash splits --option=value there
      expecting=${COMP_WORDS[i - 1]}
    elif [[ -n $expecting ]]; then
      expecting=
    elif [[ $valued == *" $word "* ]]; then
      expecting=$word
    elif [[ $word != -* && " $commands " == *" $word "* ]]; then
      path+=" $word"
      PROGRAM_FUNCTION_tables "$path"
    fi
  done
  if [[ $current == = ]]; then
    expecting=${COMP_WORDS[COMP_CWORD - 1]} current=
  fi
  COMPREPLY=()
  if [[ -n $expecting ]]; then
    for one in $choices; do
      [[ ${one%%=*} != "$expecting" ]] || { one=${one#*=}; mapfile -t COMPREPLY < <(compgen -W "${one//,/ }" -- "$current"); }
    done
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
  fi
}
# Where it finds nothing, bash completes names of files.
complete -o bashdefault -o default -F PROGRAM_FUNCTION PROGRAM
