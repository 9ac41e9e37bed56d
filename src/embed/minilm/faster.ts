import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE_FILE = fileURLToPath(new URL('../../../package.json', import.meta.url))
const WHY =
  'npm leaves it out in silence when its install script cannot fetch GPU files, which nothing here uses. Until it is there, the same model runs slower.'

export function fasterAdvice(): string {
  return `It runs many times faster on onnxruntime-node: ${installCommand(PACKAGE_FILE)}. ${WHY}`
}

export function installCommand(packageFile: string): string {
  const root = dirname(packageFile)
  if (existsSync(join(root, 'package-lock.json'))) return `npm ci --prefix ${quoted(root)}` // a clone: npm never packs this file
  const { optionalDependencies } = JSON.parse(readFileSync(packageFile, 'utf8')) as { optionalDependencies: Record<string, string> }
  const wanted = `onnxruntime-node@${optionalDependencies['onnxruntime-node']}`
  const own = existsSync(join(root, 'node_modules', 'better-sqlite3'))
  // A global install has dependencies below the package, a local one beside it.
  const target = own || basename(dirname(root)) !== 'node_modules' ? root : dirname(dirname(root))
  const flags = target === root ? '--no-save --omit=dev ' : ''
  return `ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix ${quoted(target)} ${flags}${wanted}`
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`
}
