/** docs/architecture.md follows a prompt and a forgetting by file and function: each of them is where the page says. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')

describe.each(['One prompt, from its log line to a hit', 'One forget'])('%s', (title) => {
  const section = page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  // A file, and the functions named after it up to the next file.
  const steps = [...section.matchAll(/`([\w/-]+\.ts)`((?:,? `\w+`)*)/g)].map(([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  }))

  it('names files', () => expect(steps.length).toBeGreaterThan(15))

  it.each(steps)('$file has $names', ({ file, names }) => {
    const url = new URL(`../../src/${file}`, import.meta.url)
    expect(existsSync(url), `src/${file}`).toBe(true)
    const code = readFileSync(url, 'utf8')
    for (const name of names)
      expect(code, `${name} in src/${file}`).toMatch(new RegExp(`(?:function\\*? |^ +(?:async )?)${name}\\b ?[(<:]`, 'm'))
  })
})
