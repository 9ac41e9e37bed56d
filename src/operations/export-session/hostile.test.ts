import { expect, it } from 'vitest'
import type { ShownMessage, ShownTurn } from '../../browse/browse.ts'
import { htmlTurn } from './html.ts'
import { markdownTurn } from './markdown.ts'

const IMAGE = '<img src="https://evil.example/x" onerror="steal()">'

function turn(text: string, more: Partial<ShownMessage> = {}): ShownTurn {
  const message = { role: 'user', speaker: 'user', text, trust: 'owner', tool_calls: [], ...more } as unknown as ShownMessage
  return { id: 'c010174c:1', timestamp: '2026-01-14T10:00:00.000Z', messages: [message] } as unknown as ShownTurn
}
const said = (text: string) => markdownTurn(turn(text)).split('**user**\n\n')[1] as string

it.each([
  ['plain', IMAGE, `> &lt;img`],
  ['after an unpaired run of another length', `\`\`${IMAGE}\``, '> ``&lt;img'],
  ['between escaped backticks', `\\\`${IMAGE}\``, '&lt;img'],
  ['after code that began a line above', `a \` b\nc \` ${IMAGE} \` d`, '&lt;img'],
  ['beside code', `\`<b>\` ${IMAGE}`, '> `<b>` &lt;img'],
])('markdown: a tag %s is text', (_name, text, shown) => {
  expect(said(text)).toContain(shown)
  expect(said(text)).not.toContain('<img')
})

it.each([
  ['whose first line is none', '```x`y\n'],
  ['in a list, which ends before it', '- a\n  ```\n'],
  ['in a list, at once', '- ```\n'],
  ['closed by an indented one', '```\ncode\n  ```\n'],
  ['closed before another one opens', 'x\n  ```\n```\n'],
])('markdown: a fence %s hides nothing: all is shown as code', (_name, before) => {
  const lines = said(`${before}${IMAGE}\n`).trimEnd().split('\n')
  const fence = lines[0]?.slice(2) ?? ''
  expect(fence).toMatch(/^`{3,}$/)
  expect(lines.at(-1)).toBe(`> ${fence}`)
  expect(lines.slice(1, -1).some((line) => line.includes(fence))).toBe(false)
  expect(lines).toContain(`> ${IMAGE}`)
})

it('markdown: code stays as it was written, and pictures become text', () => {
  expect(said('see\n```ts\nconst a: Map<string, T> = b\n```\nand `Set<T>`, ``a`<b>`` ![x](https://evil.example)')).toBe(
    '> see\n> ```ts\n> const a: Map<string, T> = b\n> ```\n> and `Set<T>`, ``a`<b>`` !\\[x](https://evil.example)\n',
  )
})

it('a tool’s name, parameters and result cannot end their block', () => {
  const tool_calls = [{ tool: '</summary><script>', status: 'error', params: '```\n</details>', result: '````' }]
  const more = { tool_calls: tool_calls as unknown as ShownMessage['tool_calls'] }
  expect(markdownTurn(turn('', more))).toContain('`````\n````\n`````')
  expect(markdownTurn(turn('', more))).not.toContain('<script>')
  const html = htmlTurn(turn(`${IMAGE}</pre>&lt;`, { ...more, speaker: '<b onclick="x">' } as Partial<ShownMessage>))
  expect(html.replace(/<\/?(?:h2 id="c010174c:1"|h2|section class="user"|section|strong|pre|details|summary)>/g, '')).not.toMatch(/[<>]/)
  expect(html).toContain('&#38;lt;')
})
