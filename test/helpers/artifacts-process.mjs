// Publishes in a process that can be killed, or whose disk can fail, between steps and around each workspace change. Prints JSON: results,
// points passed, names in the workspace, opened artifacts. Usage: node artifacts-process.mjs JSON
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { database, workspace, clock, action = 'publish', sessions, agentId = 'main', killAt, refuse } = JSON.parse(process.argv[2])
const points = []

function point(name) {
  points.push(name)
  if (points.length - 1 === killAt) process.kill(process.pid, 'SIGKILL')
}

const files = new Map()
const opened = new Set()
const real = { ...fs }
fs.readFileSync = (path, ...rest) => {
  opened.add(String(path))
  return real.readFileSync(path, ...rest)
}
fs.openSync = (path, flags, ...rest) => {
  opened.add(String(path))
  const file = real.openSync(path, flags, ...rest)
  if (flags === 'wx' && String(path).startsWith(workspace)) files.set(file, kindOf(path))
  return file
}
fs.writeSync = (file, ...rest) => {
  if (!files.has(file)) return real.writeSync(file, ...rest)
  if (refuse?.what === 'write' && files.get(file) === refuse.kind) {
    // A disk that accepts a part before it is full.
    real.writeSync(file, Buffer.from(rest[0]).subarray(0, 10))
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  }
  const written = real.writeSync(file, ...rest)
  point(`written ${files.get(file)}`)
  return written
}
fs.fsyncSync = (file) => {
  if (files.has(file)) point(`before fsync ${files.get(file)}`)
  return real.fsyncSync(file)
}
for (const call of ['linkSync', 'renameSync']) {
  fs[call] = (from, to, ...rest) => {
    if (!String(to).startsWith(workspace)) return real[call](from, to, ...rest)
    if (refuse?.what === 'rename' && kindOf(to) === refuse.kind) {
      throw Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), { code: 'ENOSPC', syscall: call.replace('Sync', '') })
    }
    point(`before ${call} ${kindOf(to)}`)
    const result = real[call](from, to, ...rest)
    point(`after ${call} ${kindOf(to)}`)
    return result
  }
}
fs.rmSync = (path, ...rest) => {
  const result = real.rmSync(path, ...rest)
  if (String(path).startsWith(workspace)) point(`after rm ${kindOf(path)}`)
  return result
}
syncBuiltinESMExports()

function kindOf(path) {
  return /(summary|transcript|compaction|manifest|MEMORY|LEDGER)\.md/.exec(String(path))?.[1] ?? 'other'
}

const { artifacts } = await import('../../dist/artifacts/artifacts.js')
const { openSqlite } = await import('../../dist/store/sqlite/open.js')
const time = clock === undefined ? Date.now : () => clock
const store = await openSqlite({ path: database, clock: time })
const memory = artifacts({
  ...{ store, workspace, clock: time, agentId },
  budget: { maxLines: 200, maxBytes: 25_600 },
  exclude: () => false,
  onStep: (step) => point(`step ${step}`),
})
const done = []
let error
try {
  if (action === 'recover') done.push(await memory.recover())
  else if (sessions === undefined) done.push(await memory.publish())
  else for (const session of sessions) done.push(await memory.publish({ session }))
} catch (caught) {
  error = { code: caught.code, message: caught.message, hint: caught.hint }
}
await store.close()
const names = fs.existsSync(workspace) ? fs.readdirSync(workspace, { recursive: true }).sort() : []
const artifactsOpened = [...opened].filter((path) => /--[a-z]+\.md$/.test(path))
process.stdout.write(JSON.stringify({ done, error, points, names, opened: artifactsOpened }))
