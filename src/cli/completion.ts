/** `matchd completion`: a shell's completions for `matchd`, printed from the tree of commands. */

import type { Command } from 'commander';
import { type Answer, wrongUsage } from './terminal/answer.ts';

/** A command as a shell meets it. */
interface Word {
  /** The names that lead to it, with spaces between; empty: `matchd` itself. */
  readonly path: string;
  readonly subcommands: readonly Described[];
  readonly options: readonly OptionWord[];
}

interface Described {
  readonly name: string;
  readonly means: string;
}

interface OptionWord extends Described {
  /** The word after it is its value. */
  readonly takesValue: boolean;
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
export const SHELL_NAMES = SHELLS.join(', ');
type Shell = (typeof SHELLS)[number];

const PRINTERS: Readonly<Record<Shell, (words: readonly Word[]) => string>> = {
  bash: printBash,
  zsh: printZsh,
  fish: printFish,
};

export function printCompletion(program: Command, name: string): Answer {
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined) return wrongUsage(`There is no shell "${name}". Valid: ${SHELL_NAMES}`);
  const script = PRINTERS[shell](readWords(program, []));
  return { json: { shell, script }, text: script };
}

function readWords(command: Command, names: readonly string[]): readonly Word[] {
  const help = command.createHelp();
  const word: Word = {
    path: names.join(' '),
    subcommands: command.commands.map((each) => ({
      name: each.name(),
      means: each.description(),
    })),
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description, required, optional }) =>
        long ? [{ name: long, means: description, takesValue: required || optional }] : [],
      ),
  };
  const below = command.commands.flatMap((each) => readWords(each, [...names, each.name()]));
  return [word, ...below];
}

function namesOf(words: readonly Described[]): string {
  return words.map(({ name }) => name).join(' ');
}

/** Paths and names are made of letters, digits and hyphens, so they need no quotes. */
const pathsOf = (words: readonly Word[]): string =>
  words
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join('|');

const valued = (words: readonly Word[]): readonly string[] => [
  ...new Set(
    words.flatMap(({ options }) =>
      options.filter(({ takesValue }) => takesValue).map(({ name }) => name),
    ),
  ),
];

/** What walks the words in `typed` to the command they name; in Bash and Zsh alike. */
const walk = (words: readonly Word[]): string => `  local at='' word skip=''
  for word in "\${typed[@]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${valued(words).join('|')}) skip=1 ;;
      -*) ;;
      *) case "\${at:+$at }$word" in
           ${pathsOf(words)}) at="\${at:+$at }$word" ;;
         esac ;;
    esac
  done`;

function printBash(words: readonly Word[]): string {
  const cases = words.map(
    ({ path, subcommands, options }) =>
      `    '${path}') commands='${namesOf(subcommands)}' options='${namesOf(options)}' ;;`,
  );
  return `# matchd completion for Bash: source it, or put it into /etc/bash_completion.d/matchd
_matchd() {
  local current=\${COMP_WORDS[COMP_CWORD]} commands='' options=''
  local -a typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk(words)}
  COMPREPLY=()
  # The value of an option: a file's name, as far as the shell knows.
  [[ -n $skip ]] && return
  case $at in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}
complete -o default -F _matchd matchd`;
}

function printZsh(words: readonly Word[]): string {
  const list = (described: readonly Described[]): string =>
    described.map(({ name, means }) => quote(`${name}:${means}`)).join(' ');
  const cases = words.map(
    ({ path, subcommands, options }) =>
      `    '${path}') commands=(${list(subcommands)}); options=(${list(options)}) ;;`,
  );
  return `#compdef matchd
# matchd completion for Zsh: source it after compinit, or put it into a folder of fpath as _matchd
_matchd() {
  local -a commands options typed
  typed=("\${(@)words[2,CURRENT-1]}")
${walk(words)}
  if [[ -n $skip ]]; then _files; return; fi
  case $at in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
if [[ $funcstack[1] == _matchd ]]; then _matchd "$@"; else compdef _matchd matchd; fi`;
}

function printFish(words: readonly Word[]): string {
  const lines = words.flatMap(({ path, subcommands, options }) => {
    const at = `-n '__matchd_at "${path}"'`;
    return [
      ...(subcommands.length > 0 ? [`complete -c matchd ${at} -f`] : []),
      ...subcommands.map(
        ({ name, means }) => `complete -c matchd ${at} -a ${name} -d ${fishQuote(means)}`,
      ),
      ...options.map(({ name, means, takesValue }) => {
        const value = takesValue ? ' -r' : '';
        return `complete -c matchd ${at} -l ${name.slice(2)}${value} -d ${fishQuote(means)}`;
      }),
    ];
  });
  const paths = words.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `# matchd completion for Fish: put it into ~/.config/fish/completions/matchd.fish
function __matchd_at
  set -l at ''
  set -l skip ''
  for word in (commandline -opc)[2..-1]
    if test -n "$skip"
      set skip ''
      continue
    end
    switch $word
      case ${valued(words).join(' ')}
        set skip 1
      case '-*'
      case '*'
        set -l next (string trim "$at $word")
        contains -- $next ${paths.join(' ')}; and set at $next
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}

/** For Bash and Zsh. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
