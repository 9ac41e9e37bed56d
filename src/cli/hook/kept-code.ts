/**
 * Loads a script with the code that an earlier process compiled of it. To compile the program takes a hook longer than a search; Node keeps
 * compiled code by itself only from 22.1 on, and only for as long as the temporary folder keeps it. Kept in `code/` in the home, by what it was made of:
 * a script that changed, or another Node, has code of its own. No text of anybody is in it. What is damaged, or refused by the engine, is as
 * if it were not there.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dropFile } from '../../core/drop-file.ts'

/** In the home. */
export const CODE_FOLDER = 'code'
/** What another version or another Node left, and used no more. */
const UNUSED_MS = 30 * 86_400_000
const HASH_BYTES = 32

export interface KeptCode {
  /** Leaves the code for the next process, with all functions that were called by now. Nothing where it was taken over. Never throws. */
  keep(): void
}

interface Where {
  /** Undefined: nothing is kept. */
  readonly home: string | undefined
  /** What the process does: each kind calls functions of its own, and keeps those compiled. */
  readonly kind: string
}

/** From then on `require` gives the script, as if it had loaded it. */
export function keptCode(file: string, { home, kind }: Where): KeptCode {
  // Not imported: what the gate stops needs none of them, and its process is to be as light as Node itself.
  const { createRequire, Module } = process.getBuiltinModule('node:module')
  const { constants, Script } = process.getBuiltinModule('node:vm')
  const source = Module.wrap(readFileSync(file, 'utf8'))
  const made = sha256(`${process.version} ${process.arch} ${source}`).toString('hex').slice(0, 16)
  const path = home === undefined ? undefined : join(home, CODE_FOLDER, `${kind}-${made}.bin`)
  const cachedData = path === undefined ? undefined : readWhole(path)
  const script = new Script(source, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const require = createRequire(file)
  const module = new Module(file)
  module.filename = file
  require.cache[file] = module
  script.runInThisContext()(module.exports, require, module, file, dirname(file))
  module.loaded = true
  const taken = cachedData !== undefined && script.cachedDataRejected === false
  return {
    keep() {
      if (path !== undefined && home !== undefined && !taken) write(home, path, script.createCachedData())
    },
  }
}

/** The engine takes the bytes as they are: a file that was cut off must not reach it. */
function readWhole(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path)
    const [hash, code] = [bytes.subarray(0, HASH_BYTES), bytes.subarray(HASH_BYTES)]
    return hash.equals(sha256(code)) ? code : undefined
  } catch {
    return undefined // none yet, or none that can be read: the script is compiled
  }
}

function write(home: string, path: string, code: Buffer): void {
  const temporary = `${path}.${process.pid}`
  try {
    statSync(home) // without a home there is no memory, and nothing is made
    mkdirSync(dirname(path), { mode: 0o700, recursive: true })
    writeFileSync(temporary, Buffer.concat([sha256(code), code]), { mode: 0o600 })
    renameSync(temporary, path)
    for (const name of readdirSync(dirname(path))) removeUnused(join(dirname(path), name))
  } catch {
    dropFile(temporary) // a full or read-only disk: the next process compiles it again
  }
}

function removeUnused(path: string): void {
  if (Date.now() - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { force: true })
}

function sha256(content: string | Buffer): Buffer {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest()
}
