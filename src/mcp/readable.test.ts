import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { given } from '../core/given.ts'
import { readable } from './readable.ts'

async function over(text: string) {
  const home = testHome()
  mkdirSync(join(home.root, 'workspace'), { recursive: true })
  writeFileSync(join(home.root, 'workspace', 'long.md'), text)
  const mnemonic = await home.open()
  await mnemonic.sync({ embed: false, adapters: ['memory'] })
  return (from?: number) => readable(mnemonic, { path: 'long.md', ...given({ from }) })
}

it('pages put together are a long document, each of them short enough', async () => {
  const text = Array.from({ length: 4000 }, (_, i) => `line ${i} of a long document that somebody wrote\n`).join('')
  const read = await over(text)
  let all = ''
  for (let from: number | null = 1; from !== null; ) {
    const page = await read(from)
    expect(page.text.length).toBeLessThanOrEqual(60_000)
    all += page.text
    from = page.next_from
  }
  expect(all).toBe(text)
})

it('of a line that no answer can carry, the beginning is given, and the page goes on behind it', async () => {
  const read = await over(`# Title\n${'word, '.repeat(60_000)}\nthe end\n`)
  expect(await read()).toMatchObject({ text: '# Title\n', next_from: 2 })
  const page = await read(2)
  expect(page).toMatchObject({ from: 2, lines: 1, next_from: 3 })
  expect(page.text.length).toBeLessThan(61_000)
  expect(page.text).toMatch(/^word, word,.*…\n\[cut: this line has 360001 characters\]\n$/s)
  expect(await read(3)).toMatchObject({ text: 'the end\n', next_from: null })
})
