// Builds dist/bundle/: the modules of a hook in a few files, since loading them singly takes longer than the answer. Deferred imports stay
// deferred. The output is CommonJS: Node caches compiled code only for scripts (src/cli/hook/kept-code.ts).
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const OUT = resolve(DIST, 'bundle')

const ENTRY = resolve(DIST, 'library/hook-at-once.js')
const FIRST = resolve(DIST, 'library/hook-first.js')
const WORKER = resolve(DIST, 'embed/minilm/worker.js')
const BIN = resolve(DIST, 'cli/bin.js')
const REDACTOR = resolve(DIST, 'core/redact.js')

/** Static imports of the entries; each belongs to the first entry that needs it. */
const first = new Set()
const atOnce = new Set()
const gathered = {
  name: 'gathered',
  buildEnd() {
    for (const [entry, into] of [
      [FIRST, first],
      [ENTRY, atOnce],
    ]) {
      const waiting = [entry]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (first.has(id) || atOnce.has(id) || !id.startsWith(DIST)) continue
        into.add(id)
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    }
  },
}

/** Modules still find files beside themselves. */
const foundFrom = (folder) => ({
  name: 'found-from',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined
    const from = relative(folder, id).split(sep).join('/')
    const here = `new URL(${JSON.stringify(from)}, import.meta.url).href`
    return { code: code.replaceAll('import.meta.url', here), map: null }
  },
})
/** Bundles its 280 files. */
const QUERY_BUILDER = 'query-builder.cjs'
const builtAtOnce = {
  name: 'built-at-once',
  transform(code, id) {
    return code.includes("require('kysely')")
      ? { code: code.replace("require('kysely')", `require('${from(id)}${QUERY_BUILDER}')`), map: null }
      : undefined
  },
}
/** Starts faster as one script. */
const MODEL_WORKER = 'model-worker.cjs'
const startsScript = {
  name: 'starts-script',
  transform(code, id) {
    return code.includes("'./worker.js'") ? { code: code.replace("'./worker.js'", `'${from(id)}${MODEL_WORKER}'`), map: null } : undefined
  },
}
const required = {
  name: 'required',
  transform(code) {
    const loads = "await import('onnxruntime-node')"
    return code.includes(loads) ? { code: code.replace(loads, "{ default: require('onnxruntime-node') }"), map: null } : undefined
  },
}

const from = (id) => `${relative(dirname(id), OUT).split(sep).join('/')}/`

/** Keeps names: errors show their function. */
const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } }
const external = (id, importer) => importer !== undefined && !id.startsWith('.') && !id.startsWith(dirname(DIST))

rmSync(OUT, { recursive: true, force: true })
const builder = await rolldown({ input: fileURLToPath(import.meta.resolve('kysely')), platform: 'node' })
await builder.write({ file: resolve(OUT, QUERY_BUILDER), format: 'cjs' })
await builder.close()

// The redactor is twenty files, which nothing else imports and every command loads: in the build it is one.
const isRedactor = (id) => /[\\/]core[\\/]redact(?:-[\w-]+)?\.js$/.test(id)
const redactor = await rolldown({
  input: REDACTOR,
  platform: 'node',
  external: (id, importer) => importer !== undefined && !isRedactor(id.startsWith('.') ? resolve(dirname(importer), id) : id),
})
await redactor.write({ file: `${REDACTOR}.bundled`, format: 'esm', codeSplitting: false })
await redactor.close()
renameSync(`${REDACTOR}.bundled`, REDACTOR)

// Inlines the gate: loading another file takes longer than the gate.
const inGate = (id) => id === BIN || id.startsWith(resolve(DIST, 'cli/hook')) || id.startsWith(resolve(DIST, 'core'))
const bin = await rolldown({
  input: BIN,
  platform: 'node',
  external: (id, importer) => importer !== undefined && !inGate(id.startsWith('.') ? resolve(dirname(importer), id) : id),
  plugins: [foundFrom(dirname(BIN))],
})
await bin.write({ file: `${BIN}.bundled`, format: 'esm', codeSplitting: false, minify })
await bin.close()
chmodSync(`${BIN}.bundled`, 0o755)
renameSync(`${BIN}.bundled`, BIN)

const worker = await rolldown({ input: WORKER, platform: 'node', external, plugins: [required, foundFrom(OUT)] })
await worker.write({ dir: OUT, format: 'cjs', minify, entryFileNames: MODEL_WORKER, chunkFileNames: 'model-[name].cjs' })
await worker.close()

const bundle = await rolldown({
  input: { 'hook-first': FIRST, 'answer-hook': ENTRY },
  platform: 'node',
  external,
  plugins: [gathered, builtAtOnce, startsScript, foundFrom(OUT)],
  checks: { ineffectiveDynamicImport: false },
})
await bundle.write({
  dir: OUT,
  format: 'cjs',
  minify,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  codeSplitting: {
    groups: [
      { name: 'first', test: (id) => first.has(id) },
      { name: 'at-once', test: (id) => atOnce.has(id) },
    ],
  },
})
await bundle.close()
