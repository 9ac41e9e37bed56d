// Breaks the program on purpose, one small change at a time, and says which changes no test noticed. Run by hand: npm run test:mutations
// The changes stand in mutations.json: a name in plain words, the text that is found exactly once in a file and what stands there instead,
// and the tests that must notice. Keep the text short, so that it stays unique and outlives its surroundings.
// Everything happens in a copy under the system's temp folder; the working tree is only read.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
let child
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    if (child?.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    process.exit(code)
  })
}

/** Runs a program in the copy, in a process group of its own so that all of it can be ended. Gives its exit code and what it printed. */
function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, { cwd: copy, env: { ...process.env, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const add = (text) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', add)
    child.stderr.setEncoding('utf8').on('data', add)
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), LONGEST_MS)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output })
    })
  })
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

/** A change may leave an unused name behind: the compiler complains, and writes its output all the same. */
async function build() {
  await run('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'])
  for (const script of ['scripts/copy-sql.js', 'scripts/bundle-hook.js']) {
    const { code, output } = await run('node', [script])
    if (code !== 0) throw new Error(`the copy cannot be built:\n${output}`)
  }
}

/** Gives the first test that failed; `broken` where something failed that is no test, as a file that cannot be read. */
async function test(files) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...files]
  const { code, output } = await run('node', args, { MNEMONIC_TEST_SKIP_BUILD: '1' })
  if (code === 0) return { passed: true }
  if (code === null) return { passed: false, failed: `the tests did not come to an end within ${LONGEST_MS / 60_000} minutes`, output }
  const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
  const failed = results.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed')
  const said = failed === undefined ? results.map(({ message }) => message) : failed.failureMessages
  return { passed: false, failed: failed?.fullName.trim(), output: said.join('\n') || output }
}

/** The tests that need no build first: most changes are noticed there. */
async function testAll(files) {
  const [slow, fast] = [files.filter((file) => NEEDS_BUILD.test(file)), files.filter((file) => !NEEDS_BUILD.test(file))]
  const first = fast.length === 0 ? { passed: true } : await test(fast)
  if (!first.passed || slow.length === 0) return first
  await build()
  return test(slow)
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
  try {
    const { passed, failed, output } = await testAll(tests)
    if (passed) return { outcome: 'survived', why: tests.join(', ') }
    return failed === undefined ? { outcome: 'broken', why: output.slice(-2000) } : { outcome: 'killed', why: failed }
  } finally {
    writeFileSync(path, text)
  }
}

copyTree()
await build()
const before = await test([...new Set(chosen.flatMap(({ tests }) => tests))])
if (!before.passed) {
  console.error(`without any change a test fails already: ${before.failed ?? ''}\n${before.output}`)
  process.exit(1)
}

const counts = { killed: 0, survived: 0, stale: 0, broken: 0 }
for (const mutation of chosen) {
  const { outcome, why } = await tryOne(mutation)
  counts[outcome] += 1
  console.log(`${outcome.padEnd(8)}  ${mutation.name}\n          ${why}`)
}
console.log(
  `${chosen.length} mutations: ${Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')}`,
)
process.exitCode = counts.killed === chosen.length ? 0 : 1
