/** The documentation names files and functions: each of them exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'

const filesBelow = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
const DOCUMENTS = ['README.md', 'SECURITY.md', ...filesBelow('docs').filter((path) => path.endsWith('.md'))]
/** A file of another program, which the specifications name. */
const FOREIGN = 'manager.ts'
/** Comes later. */
const NOT_THERE = new Set(['src/graph/'])
const isExample = (path: string) => NOT_THERE.has(path) || /(?:^|\/)acme\.|[<>*{}]/.test(path)

const NAMES = new Set(['src', 'test', 'scripts', 'bench'].flatMap(filesBelow).map((file) => basename(file)))
const FOLDERS = readdirSync('src')

/** A path in backticks, from the root or from `src/`; a name without a folder may belong to any file. */
function fileOf(code: string): string | undefined {
  if (/^(?:src|test|scripts|bench|docs)\/[\w./-]+$/.test(code)) return code
  const [folder = ''] = code.split('/')
  return FOLDERS.includes(folder) && /^[\w./-]+\/[\w.-]*$/.test(code) ? join('src', code) : undefined
}

const codes = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

it.each(DOCUMENTS)('%s names files that exist', (document) => {
  const text = readFileSync(document, 'utf8')
  const missing = codes(text).filter((code) => {
    if (isExample(code)) return false
    const file = fileOf(code)
    if (file !== undefined) return !existsSync(file) && !existsSync(join('src/ingest', code))
    return /^[\w.-]+\.ts$/.test(code) && code !== FOREIGN && !NAMES.has(code)
  })
  expect(missing).toEqual([])
})

it('the ways of a prompt and of a forget name functions that their files have', () => {
  const tables = readFileSync('docs/architecture.md', 'utf8').split('## One prompt')[1]?.split('## How the tests')[0] ?? ''
  const named = [...tables.matchAll(/`([\w./-]+\.ts)` `(\w+)`/g)].map(([, file = '', name = '']) => ({ file, name }))
  expect(named.length).toBeGreaterThan(30)
  const absent = named.filter(({ file, name }) => !new RegExp(`\\b${name}\\b`).test(readFileSync(join('src', file), 'utf8')))
  expect(absent).toEqual([])
})

it('nothing sends a reader to another program: on npm, this one is called agent-mnemonic', () => {
  const shipped = ['src', 'docs', 'samples', 'scripts'].flatMap(filesBelow).filter((file) => /\.(?:ts|js|md|json|jsonl|sh)$/.test(file))
  const wrong = ['README.md', 'SECURITY.md', 'package.json', ...shipped].filter((file) =>
    /\bnp(?:x|m exec|m i(?:nstall)?)(?: -+[\w-]+)* mnemonic\b/.test(readFileSync(file, 'utf8')),
  )
  expect(wrong).toEqual([])
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> }
  expect(bin['agent-mnemonic']).toBe(bin.mnemonic)
})
