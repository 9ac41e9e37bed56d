/** Who may import whom, for every form of import: static, type, dynamic, `export from`, `import('…').Type`, and the file of a worker. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

interface Boundaries {
  readonly ORDER: readonly string[]
  readonly FRONTS: readonly string[]
  readonly ROOMS: Readonly<Record<string, readonly string[]>>
  readonly ENGINE: { readonly folder: string; readonly openedBy: readonly string[] }
  withBoundaries(config: object): object
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SRC = join(ROOT, 'src')
const boundaries: string = new URL('../../scripts/boundaries.js', import.meta.url).href
const { ORDER, FRONTS, ROOMS, ENGINE, withBoundaries } = (await import(boundaries)) as Boundaries

const FORMS = [
  /\b(?:import|export)\s[^'"`;()]*?\bfrom\s*['"](\.[^'"]+)['"]/g,
  /\bimport\s*['"](\.[^'"]+)['"]/g,
  /\bimport\(\s*['"](\.[^'"]+)['"]/g,
  /\bnew URL\(\s*['"](\.[^'"]+\.[jt]s)['"],\s*import\.meta\.url/g,
]

/** The paths, relative to src/, that a text at `path` imports. */
function importsOf(path: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return FORMS.flatMap((form) => [...code.matchAll(form)])
    .map(([, name = '']) => resolve(SRC, dirname(path), name).replace(/\.js$/, '.ts'))
    .map((file) => relative(SRC, file).split(sep).join('/'))
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
const imports = new Map(files.map((path) => [path, importsOf(path, readFileSync(join(SRC, path), 'utf8'))]))

/** Why `from` may not import `to`; undefined where it may. */
function refusal(from: string, to: string): string | undefined {
  const [layer = '', room = ''] = from.split('/')
  const [target = '', targetRoom = ''] = to.split('/')
  if (to.startsWith('..')) return undefined // package.json, samples/
  const no = (why: string) => `${from} imports ${to}: ${why}`
  if (to.startsWith(`${ENGINE.folder}/`) && !ENGINE.openedBy.includes(layer)) return no('only the store and the library open the engine')
  if (layer === target) {
    const rooms = ROOMS[layer] ?? []
    const [own, other] = [rooms.indexOf(room), rooms.indexOf(targetRoom)]
    return own !== -1 && other > own ? no(`within ${layer}, ${targetRoom} stands right of ${room}`) : undefined
  }
  if (FRONTS.includes(layer)) {
    if (target === 'core' || to === 'library/index.ts' || (layer === 'cli' && FRONTS.includes(target))) return undefined
    return no('it may call the public library and core')
  }
  return ORDER.includes(target) && ORDER.indexOf(target) < ORDER.indexOf(layer) ? undefined : no(`${target} stands right of ${layer}`)
}

const refusals = () => [...imports].flatMap(([from, all]) => all.map((to) => refusal(from, to)).filter((why) => why !== undefined))

/** The files that import themselves by way of others, whether values or types. */
function inCircles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  return [...graph.keys()].filter((file) => {
    const seen = new Set<string>()
    const waiting = [...(graph.get(file) ?? [])]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === file) return true
      if (!seen.has(next)) waiting.push(...(graph.get(next) ?? []))
      seen.add(next)
    }
    return false
  })
}

describe('the import order', () => {
  it('has a layer for every file of src/', () => {
    expect(files.filter((path) => ![...ORDER, ...FRONTS].includes(path.split('/')[0] ?? ''))).toEqual([])
    expect(files.filter((path) => !path.includes('/'))).toEqual([])
  })

  it('leads every import to a file that is there', () => {
    const lost = [...imports].flatMap(([from, all]) => all.filter((to) => !existsSync(join(SRC, to))).map((to) => `${from}: ${to}`))
    expect(lost).toEqual([])
    expect([...imports.values()].flat().length).toBeGreaterThan(files.length)
  })

  it('is kept by every import, types included', () => {
    expect(refusals()).toEqual([])
  })

  it('has no circle, types included', () => {
    expect(inCircles(imports)).toEqual([])
  })

  it('keeps the index off the disk', () => {
    const disk = /['"](?:node:(?:fs|child_process)[^'"]*|[./]*core\/atomic-file\.ts)['"]/
    const touching = files.filter((path) => path.startsWith('index/') && disk.test(readFileSync(join(SRC, path), 'utf8')))
    expect(touching).toEqual([])
  })

  it('is what the linter is told', () => {
    const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as object
    expect(withBoundaries(config)).toEqual(config)
  })

  it('would be broken by each of these', () => {
    const forms = [
      "import { searcher } from '../search/search.ts'",
      "import type { Home } from '../library/open-home.ts'",
      "import {\n  type A,\n  b,\n} from '../search/search.ts'",
      "import '../search/search.ts'",
      "export type { SearchAnswer } from '../search/result.ts'",
      "export * from '../search/result.ts'",
      "const x = await import('../search/search.ts')",
      "type Y = import('../index/indexer.ts').Indexer",
      "new Worker(new URL('../mcp/sync-worker.js', import.meta.url))",
    ]
    for (const form of forms) {
      const [to = ''] = importsOf('ledgers/x.ts', form)
      expect(refusal('ledgers/x.ts', to), form).toContain('stands right of ledgers')
    }
    expect(refusal('search/x.ts', 'store/sqlite/open.ts')).toContain('only the store and the library')
    expect(refusal('mcp/x.ts', 'library/reading.ts')).toContain('the public library')
    expect(refusal('mcp/x.ts', 'cli/main.ts')).toContain('the public library')
    expect(refusal('artifacts/format/x.ts', 'artifacts/publish/journal.ts')).toContain('within artifacts')
    expect(refusal('cli/x.ts', 'mcp/serve.ts')).toBeUndefined()
    const graph = { a: ['b'], b: ['c'], c: ['b'], d: [] }
    expect(inCircles(new Map(Object.entries(graph)))).toEqual(['b', 'c'])
  })
})
