import { expect, it } from 'vitest'
import { seeded } from '../../../test/helpers/hostile-text.ts'
import { simpleCommands } from './shell-words.ts'

it.each(['\u00a0', '\ufeff', '\u000b', '\u000c', '\u2028', '\u3000', '\u0085', '\0'])(
  'a space that no shell knows is a part of the word: %j',
  (space) => {
    expect(simpleCommands(`cat a${space}b c`)?.map(({ words }) => words.map(({ text }) => text))).toEqual([['cat', `a${space}b`, 'c']])
    expect(simpleCommands(`${space}cat > ${space}x`)?.[0]?.redirects[0]?.target.text).toBe(`${space}x`)
  },
)

it('comes to an end with whatever is typed', () => {
  const random = seeded(11)
  const signs = [
    ...' \t\r\n\v\f\0\\\'"`$(){}[]<>|&;#*?!~=-0129ab',
    '\u00a0',
    '\ufeff',
    '\u2028',
    '\u3000',
    '<<',
    '<<-',
    '<<<',
    '$((',
    '$(',
    '\\\n',
    '\ud800',
    '💡',
  ]
  for (let i = 0; i < 20_000; i++) {
    const command = Array.from({ length: Math.floor(random() * 24) }, () => signs[Math.floor(random() * signs.length)]).join('')
    const commands = simpleCommands(command)
    expect(commands?.length ?? 0).toBeLessThanOrEqual(command.length)
  }
})
