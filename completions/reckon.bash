# Completion of reckon for bash. Subcommands and options come from --help, so this file need not know them.
_reckon() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word sub=()
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      --) return ;;  # a build command or compiler flags: the shell's own business
      init|doctor|check|run|r|confirm|dump|pack|annotate|mine|compdb|linux|import|gir|spec|show|words|list-checks|explain|diff|lsp) sub+=("$word") ;;
    esac
  done
  # --option=value arrives in three words
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  case $prev in
    --format)
      mapfile -t COMPREPLY < <(compgen -W "$(reckon check --help 2>/dev/null | sed -n 's/^ *--format FORMAT \.\.\. *\([a-z, ]*\);.*/\1/p' | tr -d ,)" -- "$cur")
      return ;;
    --severity) mapfile -t COMPREPLY < <(compgen -W "note low medium high" -- "$cur"); return ;;
    --dump) mapfile -t COMPREPLY < <(compgen -W "model summary states" -- "$cur"); return ;;
    --domain)
      mapfile -t COMPREPLY < <(compgen -W "python r linux glib" -- "$cur"); return ;;
    --confidence) mapfile -t COMPREPLY < <(compgen -W "low medium high" -- "$cur"); return ;;
    --trigger) mapfile -t COMPREPLY < <(compgen -W "normal input outside race memory" -- "$cur"); return ;;
    --place) mapfile -t COMPREPLY < <(compgen -W "run teardown init" -- "$cur"); return ;;
    --fail-on) mapfile -t COMPREPLY < <(compgen -W "note low medium high never" -- "$cur"); return ;;
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
      grep -E '^ +-' | grep -oE -- '(^| |,)--?[a-z][a-z-]*' | tr -d ' ,')" -- "$cur")
  elif [[ ${#sub[@]} -eq 0 || ${sub[*]} == spec || ${sub[*]} == compdb || ${sub[*]} == import ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(reckon "${sub[@]}" --help 2>/dev/null |
      sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\) .*/\1/p')" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -o bashdefault -F _reckon reckon
