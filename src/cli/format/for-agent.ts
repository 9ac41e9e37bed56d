import type { Hints } from '../../library/index.ts'

export const commandHints = (command: string): Hints => ({
  read: (id, from, around) => `${command} show ${quoted(id)}${option('from', from)}${option('around', around)}`,
  before: (to, id) => (id === undefined ? `--to ${to}` : `${command} show ${quoted(id)} --to ${to}`),
  readHit: (_number, id) => `${command} show ${quoted(id)} [--budget TOKENS] [--around TURNS]`,
  nearest: '--nearest',
})

function option(name: string, value: number | undefined): string {
  return value === undefined ? '' : ` --${name} ${value}`
}

export function quoted(id: string): string {
  return /^[\w./:#@-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`
}
