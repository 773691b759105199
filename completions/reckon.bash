# Completion of reckon for bash. Commands and options come from --help, so this file need not know them.
_reckon_below() {  # the commands below these words
  reckon "$@" --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\) .*/\1/p'
}
_reckon() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word sub=() below
  COMPREPLY=()
  below=$(_reckon_below)
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -- ]] && return  # a build command or compiler flags: the shell's own business
    if [[ -n $below && $word != -* ]]; then
      sub+=("$word")
      below=$(_reckon_below "${sub[@]}")
    fi
  done
  # --option=value arrives in three words
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  case $prev in
    --format)
      mapfile -t COMPREPLY < <(compgen -W "$(reckon check --help 2>/dev/null | sed -n 's/^ *--format FORMAT \.\.\. *\([a-z, ]*\)$/\1/p' | tr -d ,)" -- "$cur")
      return ;;
    --severity) mapfile -t COMPREPLY < <(compgen -W "note low medium high" -- "$cur"); return ;;
    --dump) mapfile -t COMPREPLY < <(compgen -W "model summary states" -- "$cur"); return ;;
    --domain) mapfile -t COMPREPLY < <(compgen -W "python r linux glib openssl attribute" -- "$cur"); return ;;
    --confidence) mapfile -t COMPREPLY < <(compgen -W "low medium high" -- "$cur"); return ;;
    --trigger) mapfile -t COMPREPLY < <(compgen -W "normal input outside race memory" -- "$cur"); return ;;
    --place) mapfile -t COMPREPLY < <(compgen -W "run teardown init" -- "$cur"); return ;;
    --fail-on) mapfile -t COMPREPLY < <(compgen -W "note low medium high never" -- "$cur"); return ;;
    --sort|--only) mapfile -t COMPREPLY < <(compgen -W "confirmed" -- "$cur"); return ;;
    --checks|explain)
      [[ $prev == explain && $cur == -* ]] || {
      mapfile -t COMPREPLY < <(compgen -W "$(reckon list-checks 2>/dev/null | sed -n 's/^\([a-z][a-z-]*\)  .*/\1/p')" -- "$cur")
      return; } ;;
    --changed-since|--new-since)
      mapfile -t COMPREPLY < <(compgen -W "$(git for-each-ref --format='%(refname:short)' 2>/dev/null)" -- "$cur")
      return ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "--help --help-all $(reckon "${sub[@]}" --help-all 2>/dev/null |
      grep -oE -- '^ +-[^ ]+' | grep -oE -- '--?[a-z][a-z-]*')" -- "$cur")
  elif [[ -n $below ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$below" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -o bashdefault -F _reckon reckon
