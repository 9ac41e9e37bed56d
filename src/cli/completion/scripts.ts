/** Unescaped: names of commands and options are constants of this program. */
import type { CommandWords, OptionWords } from './commands.ts'

const name = (path: readonly string[]) => ['mnemonic', ...path].join(' ')
const flagsOf = (options: readonly OptionWords[]) => options.flatMap(({ flags }) => flags)

/** Does not need the bash-completion package. */
export function bashScript(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ path, options, words }) => {
    const valued = options.filter(({ takesValue }) => takesValue)
    const values = valued.map(({ flags, values: known, isPath }) => {
      const reply =
        known.length > 0
          ? `COMPREPLY=($(compgen -W "${known.join(' ')}" -- "$cur"))`
          : isPath
            ? 'COMPREPLY=($(compgen -f -- "$cur"))'
            : 'COMPREPLY=()'
      return `        ${flags.join('|')}) ${reply}; return ;;`
    })
    return [
      `    "${name(path)}")`,
      ...(values.length === 0 ? [] : ['      case "$prev" in', ...values, '      esac']),
      `      words="${words.map(({ word }) => word).join(' ')}"`,
      `      options="${flagsOf(options).join(' ')}"`,
      '      ;;',
    ].join('\n')
  })
  const known = commands.filter(({ path }) => path.length > 0).map(({ path }) => `"${name(path)}"`)
  return `# Completion of mnemonic for bash, made by: mnemonic completion bash
_mnemonic() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="mnemonic" words="" options="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${known.join('|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur"))
  else COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -o default -F _mnemonic mnemonic
`
}

export function zshScript(commands: readonly CommandWords[]): string {
  const described = (word: string, summary: string) => `'${word.replaceAll(':', '\\:')}${summary === '' ? '' : `:${summary}`}'`
  const cases = commands.map(({ path, options, words }) => {
    const valued = options.filter(({ takesValue }) => takesValue)
    const values = valued.map(({ flags, values: known, isPath }) => {
      const reply = known.length > 0 ? `compadd -- ${known.join(' ')}` : isPath ? '_files' : '_message value'
      return `        ${flags.join('|')}) ${reply}; return ;;`
    })
    return [
      `    '${name(path)}')`,
      ...(values.length === 0 ? [] : ['      case "$words[CURRENT-1]" in', ...values, '      esac']),
      `      choices=(${words.map(({ word, summary }) => described(word, summary)).join(' ')})`,
      `      options=(${options.flatMap(({ flags, summary }) => flags.map((flag) => described(flag, summary))).join(' ')})`,
      '      ;;',
    ].join('\n')
  })
  const known = commands.filter(({ path }) => path.length > 0).map(({ path }) => `'${name(path)}'`)
  return `#compdef mnemonic
# Completion of mnemonic for zsh, made by: mnemonic completion zsh
_mnemonic() {
  local at=mnemonic i
  local -a choices options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      ${known.join('|')}) at="$at $words[i]" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then _describe option options
  elif (( $#choices )); then _describe command choices
  else _files
  fi
}
compdef _mnemonic mnemonic
`
}

export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, options, words }) => {
    const when = `-n '__mnemonic_at "${name(path)}"'`
    const said = (summary: string) => (summary === '' ? '' : ` -d '${summary}'`)
    return [
      ...words.map(({ word, summary }) => `complete -c mnemonic -f ${when} -a '${word}'${said(summary)}`),
      ...options.map(({ flags, summary, takesValue, values, isPath }) => {
        const spelled = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ')
        const value = !takesValue ? '' : values.length > 0 ? ` -x -a '${values.join(' ')}'` : isPath ? ' -r -F' : ' -x'
        return `complete -c mnemonic ${when} ${spelled}${value}${said(summary)}`
      }),
    ]
  })
  const known = commands.filter(({ path }) => path.length > 0).map(({ path }) => `'${name(path)}'`)
  return `# Completion of mnemonic for fish, made by: mnemonic completion fish
function __mnemonic_at
  set -l at mnemonic
  set -l tokens (commandline -opc)
  for token in $tokens[2..-1]
    switch "$at $token"
      case ${known.join(' ')}
        set at "$at $token"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}
