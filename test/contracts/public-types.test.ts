/** Every type that a public signature names can be imported from the package. Read from the declarations that are published. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const INDEX = fileURLToPath(new URL('../../dist/library/index.d.ts', import.meta.url))

interface Declarations {
  /** The text of what a file declares, by name. */
  readonly declared: ReadonlyMap<string, string>
  /** Where a name that it imports or passes on comes from: a file, or a package. */
  readonly from: ReadonlyMap<string, string>
  /** Files of which it passes on everything. */
  readonly all: readonly string[]
}

const read = new Map<string, Declarations>()

function declarationsOf(file: string): Declarations {
  const known = read.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const target = (path: string) => (path.startsWith('.') ? resolve(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')) : path)
  const from = new Map<string, string>()
  for (const [, names = '', path = ''] of text.matchAll(/\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g))
    for (const [name] of names.matchAll(/[\w$]+(?=\s*(?:,|$))/g)) from.set(name, target(path))
  const all = [...text.matchAll(/\bexport\s+(?:type\s+)?\*\s*from\s*['"]([^'"]+)['"]/g)].map(([, path = '']) => target(path))
  const declared = new Map<string, string>()
  const starts = [...text.matchAll(/^(?:export )?(?:declare )?(?:interface|type|class|function|const|abstract class) ([A-Za-z_$][\w$]*)/gm)]
  for (const [i, { 1: name = '', index }] of starts.entries()) declared.set(name, text.slice(index, starts[i + 1]?.index))
  const found = { declared, from, all }
  read.set(file, found)
  return found
}

/** What the package exports: names with the file that declares them. */
function exported(file: string): Map<string, string> {
  const { from, all, declared } = declarationsOf(file)
  const own = file === INDEX ? [] : [...declared.keys()].map((name) => [name, file] as const)
  const passed = file === INDEX ? [...from] : []
  return new Map([...all.flatMap((other) => [...exported(other)]), ...own, ...passed])
}

/** The file that declares a name which `file` declares, imports or passes on; undefined for a package's, and for what is no name of a type. */
function homeOf(name: string, file: string): string | undefined {
  const { declared, from } = declarationsOf(file)
  if (declared.has(name)) return file
  const next = from.get(name)
  return next?.endsWith('.d.ts') ? homeOf(name, next) : undefined
}

it('no public signature names a type that is not exported', () => {
  const names = exported(INDEX)
  expect(names.size).toBeGreaterThan(50)
  const missing = new Set<string>()
  for (const [name, passedBy] of names) {
    const file = homeOf(name, passedBy)
    if (file === undefined) throw new Error(`${name} is not declared in ${passedBy}`)
    // What a value's type is, the compiler writes out.
    const text = declarationsOf(file)
      .declared.get(name)
      ?.replace(/\btypeof [\w$]+/g, '')
    for (const used of new Set(text?.match(/\b[A-Z][\w$]*/g))) {
      const home = homeOf(used, file)
      const offered = names.get(used)
      if (home === undefined || (offered !== undefined && homeOf(used, offered) === home)) continue
      missing.add(`${used} (${home.replace(/.*\/dist\//, '')}), named by ${name}`)
    }
  }
  expect([...missing].sort()).toEqual([])
})
