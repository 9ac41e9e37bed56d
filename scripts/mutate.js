// Breaks the program on purpose, one small change at a time, and says which changes no test noticed. Run by hand: npm run test:mutations
// The changes stand in mutations.json: a name in plain words, the text that is found exactly once in a file and what stands there instead,
// and the tests that must notice. Keep the text short, so that it stays unique and outlives its surroundings.
// Everything happens in a copy under the system's temp folder; the working tree is only read.
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
// Tests of these folders may start the compiled program, so it is compiled again for them.
const NEEDS_BUILD = /^test\//
// From these the database is made that tests copy, when the process that runs them starts.
const NEEDS_START = /^src\/store\//
// Some changes make a loop that never ends, which no test's own limit can stop.
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
// As root some tests run the program as somebody else, who would not get in.
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

/** Starts a program in the copy, in a process group of its own so that all of it can be ended. */
function start(args, stdio) {
  const child = spawn('node', args, { cwd: copy, env: { ...process.env, MNEMONIC_TEST_SKIP_BUILD: '1' }, detached: true, stdio })
  running.add(child)
  child.on('close', () => running.delete(child))
  return child
}

function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** What is committed, and what will be: files that git ignores are left out. */
function copyTree() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  for (const path of list.split('\0')) {
    if (path !== '' && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  // Some tests are about a project, and this folder is one.
  execFileSync('git', ['init', '-q', copy])
}

/** The types do not matter: a change may leave an unused name behind. */
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

/** Runs `work` with the program built from the copy as it is, where only one file changed: the compiler looks at each file alone. */
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
/** Since the last tests. */
const changed = new Set()

function stopRunner() {
  if (runner !== undefined) end(runner)
  runner = undefined
}

/** Gives the first test that failed and its file; `failed` is missing where something failed that is no test, as a file that cannot be read. */
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

/** The tests that need no build first: most changes are noticed there. */
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
    // On a busy machine that may be no sign of the change.
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
/** The names of the changes that a file of tests noticed. */
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
// What fails without any change has noticed nothing.
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
