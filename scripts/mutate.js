// Applies small breaking changes one by one and lists those that no test notices: npm run test:mutations
// mutations.json has for each: a name, text that occurs once in a file, its replacement, and the tests that must fail. Keep the text short,
// so that it stays unique. Works in a temporary copy; only reads the working tree.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HELP = `node scripts/mutate.js [--only NAME]… [--list] [--from FILE]

  --only NAME   only mutations whose name holds NAME; may be given several times
  --list        print the names, run nothing
  --from FILE   another list than scripts/mutations.json
`
// These tests may start the compiled program.
const NEEDS_BUILD = /^test\//
// Affects the database that tests copy, made when their process starts.
const NEEDS_START = /^src\/store\//
// Some changes cause an endless loop, beyond the limits of a test.
const LONGEST_MS = 10 * 60_000

const { values: options } = parseArgs({
  options: { only: { type: 'string', multiple: true }, list: { type: 'boolean' }, from: { type: 'string' }, help: { type: 'boolean' } },
})
if (options.help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const all = JSON.parse(readFileSync(options.from ?? join(ROOT, 'scripts', 'mutations.json'), 'utf8'))
const chosen = all.filter(({ name }) => options.only === undefined || options.only.some((part) => name.includes(part)))
if (options.list) {
  for (const { name, file } of chosen) console.log(`${name}  (${file})`)
  process.exit(0)
}
if (chosen.length === 0) {
  console.error('no mutation has such a name; --list prints all of them')
  process.exit(2)
}

const copy = mkdtempSync(join(tmpdir(), 'mnemonic-mutate-'))
// As root, some tests run the program as another user, who needs access.
chmodSync(copy, 0o755)
const running = new Set()
process.on('exit', () => {
  for (const child of running) end(child)
  rmSync(copy, { recursive: true, force: true })
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => process.exit(code))
}

/** In its own process group, so that all of it can be killed. */
function start(args, stdio) {
  const child = spawn('node', args, { cwd: copy, env: { ...process.env, MNEMONIC_TEST_SKIP_BUILD: '1' }, detached: true, stdio })
  running.add(child)
  child.on('close', () => running.delete(child))
  return child
}

function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error // it has ended by itself
  }
}

/** Tracked and untracked files, without ignored ones. */
function copyTree() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  for (const path of list.split('\0')) {
    if (path !== '' && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  // Some tests need a repository.
  execFileSync('git', ['init', '-q', copy])
}

/** Ignores type errors: a change may leave an unused name. */
const compile = (project) => succeeds('node_modules/typescript/bin/tsc', '-p', project, '--noCheck')
const bundle = () => succeeds('scripts/bundle-hook.js')

async function succeeds(...args) {
  const child = start(args, ['ignore', 'pipe', 'pipe'])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the copy cannot be built:\n${output}`)
}

// The last step of a build replaces these, and reads them as the compiler wrote them.
const REPLACED = ['dist/cli/bin.js', 'dist/core/redact.js']
const compiled = (path) => join(copy, `compiled-${basename(path)}`)
const BUNDLE = 'dist/bundle'

async function buildAll() {
  await compile('tsconfig.build.json')
  for (const path of REPLACED) cpSync(join(copy, path), compiled(path))
  await succeeds('scripts/copy-sql.js')
  await bundle()
}

/** Compiles only the changed file. */
async function withBuilt(file, work) {
  const built = join(copy, file.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js'))
  const saved = new Map([built, ...REPLACED.map((path) => join(copy, path))].map((path) => [path, readFileSync(path)]))
  cpSync(join(copy, BUNDLE), join(copy, 'saved-bundle'), { recursive: true })
  try {
    for (const path of REPLACED) cpSync(compiled(path), join(copy, path))
    if (file.endsWith('.ts')) {
      const project = { extends: './tsconfig.build.json', files: [file], include: [], compilerOptions: { noResolve: true } }
      writeFileSync(join(copy, 'tsconfig.one.json'), JSON.stringify(project))
      await compile('tsconfig.one.json')
    } else cpSync(join(copy, file), built)
    await bundle()
    return await work()
  } catch (error) {
    return { passed: false, output: error.message }
  } finally {
    for (const [path, content] of saved) writeFileSync(path, content)
    rmSync(join(copy, BUNDLE), { recursive: true, force: true })
    renameSync(join(copy, 'saved-bundle'), join(copy, BUNDLE))
  }
}

let runner
const changed = new Set()

function stopRunner() {
  if (runner !== undefined) end(runner)
  runner = undefined
}

/** First failing test and its file; `failed` is absent if no test failed, as for an unreadable file. */
async function test(tests) {
  const ended = AbortSignal.timeout(LONGEST_MS)
  try {
    if (runner === undefined) {
      runner = start(['scripts/mutate-tests.js'], ['ignore', 'ignore', 'ignore', 'ipc'])
      await answer(ended)
    }
    runner.send({ tests, changed: [...changed] })
    changed.clear()
    return await answer(ended)
  } catch (error) {
    stopRunner()
    if (ended.aborted)
      return { passed: false, failed: `the tests did not come to an end within ${LONGEST_MS / 60_000} minutes`, output: '' }
    return { passed: false, output: error.message }
  }
}

async function answer(signal) {
  const child = runner
  const stop = new AbortController()
  const [message] = await Promise.race([
    once(child, 'message', { signal: AbortSignal.any([signal, stop.signal]) }),
    once(child, 'exit', { signal: stop.signal }).then(() => Promise.reject(new Error('the process that runs the tests ended'))),
  ]).finally(() => stop.abort())
  return message
}

/** Tests without a build first: they notice most changes. */
async function testAll(file, tests) {
  const [slow, fast] = [tests.filter((path) => NEEDS_BUILD.test(path)), tests.filter((path) => !NEEDS_BUILD.test(path))]
  const first = fast.length === 0 ? { passed: true } : await test(fast)
  return !first.passed || slow.length === 0 ? first : withBuilt(file, () => test(slow))
}

async function tryOne({ file, find, replace, tests }) {
  const path = join(copy, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const times = text.split(find).length - 1
  if (times !== 1) return { outcome: 'stale', why: `its text stands ${times} times in ${file}` }
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
  changed.add(file)
  if (NEEDS_START.test(file)) stopRunner()
  try {
    const { passed, failed, file: by, output } = await testAll(file, tests)
    if (passed) return { outcome: 'survived', why: tests.join(', ') }
    if (failed === undefined) return { outcome: 'broken', why: output.slice(0, 2000) }
    // On a busy machine a timeout may have another cause.
    return { outcome: 'killed', why: /timed out in \d+ms/.test(output) ? `${failed} (it timed out)` : failed, by }
  } finally {
    writeFileSync(path, text)
    changed.add(file)
    if (NEEDS_START.test(file)) stopRunner()
  }
}

copyTree()
await buildAll()

const counts = { killed: 0, survived: 0, stale: 0, broken: 0 }
const noticed = new Map()
function tell(outcome, name, why) {
  counts[outcome] += 1
  console.log(`${outcome.padEnd(8)}  ${name}\n          ${why}`)
}
for (const mutation of chosen) {
  const { outcome, why, by } = await tryOne(mutation)
  tell(outcome, mutation.name, why)
  if (by !== undefined) noticed.set(by, [...(noticed.get(by) ?? []), mutation.name])
}
// A test that fails without any change notices nothing.
for (const [file, names] of noticed) {
  const { passed, failed, output } = await test([file])
  if (passed) continue
  counts.killed -= names.length
  for (const name of names) tell('broken', name, `${file} fails without any change: ${failed ?? output}`)
}
console.log(
  `${chosen.length} mutations: ${Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')}`,
)
process.exit(counts.killed === chosen.length ? 0 : 1)
