/**
 * Loads a script with the code that an earlier process compiled of it. To compile the program takes a hook longer than a search; Node keeps
 * compiled code by itself only from 22.1 on, and only for as long as the temporary folder keeps it. Kept in `code/` in the home, by what it was made of:
 * a script that changed, or another Node, has code of its own. No text of anybody is in it. The engine runs what it is given: so it is taken
 * only where this user wrote it and nobody else could change it, with a hash of it and of what it was made of. What is not so, or is refused
 * by the engine, is as if it were not there.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readOwnFile, writeOwnFile } from '../../core/own-file.ts'

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
  const made = sha256(`${process.version} ${process.arch} ${kind} `, source)
  const path = home === undefined ? undefined : join(home, CODE_FOLDER, `${kind}-${made.toString('hex').slice(0, 16)}.bin`)
  const cachedData = path === undefined ? undefined : readWhole(path, made)
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
      if (path !== undefined && !taken) write(path, made, script.createCachedData())
    },
  }
}

/** The engine takes the bytes as they are: what was cut off, or made of anything else, must not reach it. */
function readWhole(path: string, made: Buffer): Buffer | undefined {
  const bytes = readOwnFile(path)
  if (bytes === undefined) return undefined
  const [hash, code] = [bytes.subarray(0, HASH_BYTES), bytes.subarray(HASH_BYTES)]
  return hash.equals(sha256(made, code)) ? code : undefined
}

function write(path: string, made: Buffer, code: Buffer): void {
  if (!writeOwnFile(path, Buffer.concat([sha256(made, code), code]))) return
  try {
    for (const name of readdirSync(dirname(path))) removeUnused(join(dirname(path), name))
  } catch {
    return // another process removes the same
  }
}

function removeUnused(path: string): void {
  if (Date.now() - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { force: true })
}

function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
