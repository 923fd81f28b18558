// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completion/completion_script.h"

namespace millrace::cli {

// bash splits words at = and :, and replaces only what follows the last of them; the program prints
// that part. Candidates are quoted: names of experiments are any text.
std::string bashCompletion() {
  return R"text(# Made by `millrace completion bash`.
_millrace() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf %q "$word")")
  done < <("${COMP_WORDS[0]}" __complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=.:] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o bashdefault -o default -F _millrace millrace
)text";
}

std::string zshCompletion() {
  return R"text(#compdef millrace
# Made by `millrace completion zsh`.
_millrace() {
  local -a found
  found=("${(@f)$("$words[1]" __complete zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("${(@)found:#}")
  compadd -S '' -- "${(@M)found:#*[=.:]}"
  compadd -- "${(@)found:#*[=.:]}"
  [[ $words[CURRENT] == -* ]] || _files
}
if [[ $funcstack[1] == _millrace ]]; then _millrace; else compdef _millrace millrace; fi
)text";
}

std::string fishCompletion() {
  return R"text(# Made by `millrace completion fish`.
complete -c millrace -a '(millrace __complete fish -- (commandline -opc)[2..-1] (commandline -ct))'
)text";
}

}  // namespace millrace::cli
