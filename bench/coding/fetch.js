/**
 * Fetches the sessions from the repository where their owners published them:
 * node bench/coding/fetch.js FOLDER [--repository URL-OR-PATH]
 * Writes one file per session. If no version has the checksum of `sessions.json`, it takes a later one and names it, since answers may
 * differ.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const REPOSITORY = 'https://github.com/entireio/cli'
const BRANCH = 'entire/checkpoints/v1'
const LARGEST = 2 ** 30

const { values, positionals } = parseArgs({ allowPositionals: true, options: { repository: { type: 'string', default: REPOSITORY } } })
const [folder] = positionals
if (folder === undefined) {
  console.error('usage: node bench/coding/fetch.js FOLDER [--repository URL-OR-PATH]')
  process.exit(2)
}

/** @type {{ id: string, bytes: number, sha256: string }[]} */
const sessions = JSON.parse(readFileSync(new URL('./sessions.json', import.meta.url), 'utf8'))
const wanted = new Map(sessions.map((session) => [session.id, session]))
const clone = mkdtempSync(join(tmpdir(), 'mnemonic-coding-'))
try {
  console.error(`cloning ${BRANCH} of ${values.repository} …`)
  const from = existsSync(values.repository) ? resolve(values.repository) : values.repository
  execFileSync('git', ['clone', '--quiet', '--bare', '--single-branch', '--branch', BRANCH, from, clone], { stdio: 'inherit' })
  mkdirSync(folder, { recursive: true })
  const { kept, other } = extract(folder)
  const missing = sessions.filter(({ id }) => !kept.has(id))
  console.error(`${kept.size} of ${sessions.length} sessions in ${folder}`)
  if (other.length > 0) console.error(`${other.length} differ from those that were asked about: ${other.join(', ')}`)
  if (missing.length > 0) console.error(`${missing.length} are not there: ${missing.map(({ id }) => id).join(', ')}`)
  process.exitCode = missing.length + other.length === 0 ? 0 : 3
} finally {
  rmSync(clone, { recursive: true, force: true })
}

/** A checkpoint holds all transcripts so far. Writes the version with the right checksum, else the longest. */
function extract(into) {
  const kept = new Map()
  for (const object of transcripts()) {
    const text = git(['cat-file', 'blob', object])
    const session = wanted.get(sessionOf(text))
    if (session === undefined) continue
    const exact = createHash('sha256').update(text).digest('hex') === session.sha256
    const known = kept.get(session.id)
    if (known?.exact || (known !== undefined && !exact && known.bytes >= text.length)) continue
    writeFileSync(join(into, `${session.id}.jsonl`), text)
    kept.set(session.id, { exact, bytes: text.length })
  }
  return { kept, other: [...kept].filter(([, { exact }]) => !exact).map(([id]) => id) }
}

/** Every version of every transcript on the branch, deduped. */
function transcripts() {
  const objects = git(['rev-list', '--objects', BRANCH]).toString('utf8').split('\n')
  return objects.flatMap((line) => (line.endsWith('/full.jsonl') ? [line.slice(0, line.indexOf(' '))] : []))
}

/** The most frequent id: a resumed session begins with lines of another. */
function sessionOf(transcript) {
  const counts = new Map()
  for (const [, id] of transcript.toString('utf8').matchAll(/"sessionId":"([\w-]+)"/g)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

function git(args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: clone, maxBuffer: LARGEST })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}
