// For `node --import`: prints `LOADED` and the package or path of every loaded module to stderr.
import { writeSync } from 'node:fs'
import { createRequire, register } from 'node:module'

const hook = `import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  writeSync(2, 'LOADED ' + url + '\\n')
  return next(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
process.on('exit', () => {
  for (const path of Object.keys(createRequire(import.meta.url).cache)) writeSync(2, `LOADED ${path}\n`)
})
