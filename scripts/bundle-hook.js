// Makes dist/bundle/: all that a prompt hook loads, in a few files. A hook is a process that lives for one answer, and loading its modules one
// by one would take longer than the answer. What it does not need at once stays apart and is loaded when it is asked for, as in dist/.
import { rmSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const OUT = resolve(DIST, 'bundle')

const ENTRY = resolve(DIST, 'library/hook-at-once.js')

/** The modules that the entry imports at once, and what those import. */
const atOnce = new Set()
const gathered = {
  name: 'gathered',
  buildEnd() {
    const waiting = [ENTRY]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (atOnce.has(id) || !id.startsWith(DIST)) continue
      atOnce.add(id)
      waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
    }
  },
}

/** A module that finds a file beside itself goes on finding it there. */
const foundFromHere = {
  name: 'found-from-here',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined
    const from = relative(OUT, id).split(sep).join('/')
    return { code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(from)}, import.meta.url).href`), map: null }
  },
}

/** The query builder is 280 files; of a hook it is one. */
const QUERY_BUILDER = 'query-builder.cjs'
const builtAtOnce = {
  name: 'built-at-once',
  transform(code, id) {
    return code.includes("require('kysely')")
      ? { code: code.replace("require('kysely')", `require('${from(id)}${QUERY_BUILDER}')`), map: null }
      : undefined
  },
}
/** The way from a module of dist/ to the bundle. */
const from = (id) => `${relative(dirname(id), OUT).split(sep).join('/')}/`

rmSync(OUT, { recursive: true, force: true })
const builder = await rolldown({ input: fileURLToPath(import.meta.resolve('kysely')), platform: 'node' })
await builder.write({ file: resolve(OUT, QUERY_BUILDER), format: 'cjs' })
await builder.close()

const bundle = await rolldown({
  input: { 'answer-hook': ENTRY },
  platform: 'node',
  external: (id, importer) => importer !== undefined && !id.startsWith('.') && !id.startsWith(dirname(DIST)),
  plugins: [gathered, builtAtOnce, foundFromHere],
  checks: { ineffectiveDynamicImport: false },
})
await bundle.write({
  dir: OUT,
  format: 'esm',
  chunkFileNames: '[name].js',
  codeSplitting: { groups: [{ name: 'at-once', test: (id) => atOnce.has(id) }] },
})
await bundle.close()
