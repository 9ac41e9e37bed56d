/**
 * Loads a script with its V8 code cache from an earlier process: compiling takes a hook longer than a search. Node's own cache exists only
 * from 22.1 on and lives in the temporary folder. The cache key covers source, Node version and architecture; the cache contains no user
 * data. V8 runs the bytes as they are: a file must have a fitting hash and be writable by this user alone. Anything else is a cache miss.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readOwnFile, writeOwnFile } from '../../core/own-file.ts'

export const CODE_FOLDER = 'code'
const UNUSED_MS = 30 * 86_400_000
const HASH_BYTES = 32

export interface KeptCode {
  /** Stores the code with all functions called so far, unless it came from the cache. Never throws. */
  keep(): void
}

interface Where {
  readonly home: string | undefined
  /** Each kind of hook calls its own functions, and caches those. */
  readonly kind: string
}

/** Puts the module into the cache of `require`. */
export function keptCode(file: string, { home, kind }: Where): KeptCode {
  // Not imported: a call that ends at the gate must not load these.
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

/** V8 trusts the bytes: truncated or foreign data must not reach it. */
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
    return // another process deletes the same files
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
