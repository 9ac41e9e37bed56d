import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { sha256 } from '../../core/hash.ts'
import type { Store } from '../../store/store.ts'
import { merged, type Part } from './kept-part.ts'
import { schemaMd } from './schema-md.ts'
import { queriesMd, ROLES, type SkillPlace, type SkillRole, searchScript, skillBody, skillHead, writeScript } from './skill-texts.ts'

export interface WriteSkillsRequest {
  readonly dir: string
  /** One role: `skills/cortex/` below the folder. Undefined: both, each in a folder named after it. */
  readonly role?: string | undefined
  readonly dryRun?: boolean | undefined
}

export interface SkillFile {
  readonly path: string
  /** `kept`: our part was edited, and the old file is now `kept_as`. */
  readonly status: 'written' | 'unchanged' | 'kept' | 'removed'
  readonly kept_as: string | null
}

export interface SkillsReport {
  readonly skills: readonly { readonly role: SkillRole; readonly folder: string; readonly files: readonly SkillFile[] }[]
  readonly dry_run: boolean
}

const FOLDER = ['skills', 'cortex'] as const
const RECORD = '.mnemonic-skill.json'
const SCRIPT = 0o755

export async function writeSkills(store: Store, place: SkillPlace, request: WriteSkillsRequest): Promise<SkillsReport> {
  const { dir, dryRun = false } = request
  const role = request.role === undefined ? undefined : checkedRole(request.role)
  const schema = await schemaMd(store)
  const skills: SkillsReport['skills'][number][] = []
  for (const one of role === undefined ? ROLES : [role]) {
    const folder = join(dir, ...(role === undefined ? [one] : []), ...FOLDER)
    skills.push({ role: one, folder, files: await writeFolder(folder, filesOf(one, { schema, place }), dryRun) })
  }
  return { skills, dry_run: dryRun }
}

function checkedRole(name: string): SkillRole {
  const role = ROLES.find((one) => one === name)
  if (role !== undefined) return role
  throw new MnemonicError('USAGE', `there is no role ${JSON.stringify(name)}`, {
    details: { role: name },
    hint: `One of: ${ROLES.join(', ')}.`,
  })
}

function filesOf(
  role: SkillRole,
  { schema, place }: { readonly schema: string; readonly place: SkillPlace },
): Map<string, Part | undefined> {
  const plain = (body: string): Part => ({ head: '', body, isMarked: false })
  const marked = (body: string, head = ''): Part => ({ head, body, isMarked: true })
  return new Map([
    ['SKILL.md', marked(skillBody(role), skillHead(role))],
    ['SCHEMA.md', marked(schema)],
    ['QUERIES.md', marked(queriesMd(place.agent))],
    ['DB_PATH', plain(`${place.database}\n`)],
    ['cortex-search.sh', plain(searchScript(place))],
    // Removes the script if the other role left it here.
    ['cortex-write.sh', role === 'memory-writer' ? plain(writeScript(place)) : undefined],
  ])
}

async function writeFolder(folder: string, files: ReadonlyMap<string, Part | undefined>, dryRun: boolean): Promise<SkillFile[]> {
  const record = readRecord(folder)
  const hashes: Record<string, string> = {}
  const done: SkillFile[] = []
  if (!dryRun) mkdirSync(folder, { recursive: true })
  for (const [name, part] of files) {
    const path = join(folder, name)
    const before = readOwn(path)
    if (part === undefined) {
      if (before === undefined || record[name] === undefined) continue
      const kept = sha256(before) === record[name] ? null : freeName(folder, name)
      if (!dryRun && kept !== null) await writeAtomic(join(folder, kept), [before])
      if (!dryRun) rmSync(path)
      done.push({ path, status: 'removed', kept_as: kept })
      continue
    }
    const { text, hash, keep } = merged(part, before, record[name])
    hashes[name] = hash
    const isScript = name.endsWith('.sh')
    if (text === before && !(isScript && !isExecutable(path))) {
      done.push({ path, status: 'unchanged', kept_as: null })
      continue
    }
    const kept = keep && before !== undefined ? freeName(folder, name) : null
    if (!dryRun) {
      if (kept !== null && before !== undefined) await writeAtomic(join(folder, kept), [before])
      await writeAtomic(path, [text])
      if (isScript) chmodSync(path, SCRIPT)
    }
    done.push({ path, status: kept === null ? 'written' : 'kept', kept_as: kept })
  }
  const text = `${JSON.stringify({ version: 1, files: hashes }, null, 2)}\n`
  if (!dryRun && readOwn(join(folder, RECORD)) !== text) await writeAtomic(join(folder, RECORD), [text])
  return done
}

/** Refuses links: we must not write to their targets. */
function readOwn(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (stat.isFile()) return readFileSync(path, 'utf8')
  throw new MnemonicError('VALIDATION_ERROR', `${path} is no plain file`, {
    details: { path },
    hint: 'Move it away, or name another folder.',
  })
}

function isExecutable(path: string): boolean {
  return ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) === 0o111
}

function freeName(folder: string, name: string): string {
  const at = name.lastIndexOf('.')
  const [stem, end] = at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at)]
  for (let n = 1; ; n++) {
    const free = `${stem}.kept${n === 1 ? '' : `-${n}`}${end}`
    if (!existsSync(join(folder, free))) return free
  }
}

function readRecord(folder: string): Readonly<Record<string, string>> {
  const text = readOwn(join(folder, RECORD))
  if (text === undefined) return {}
  try {
    const { files } = JSON.parse(text) as { files?: Record<string, string> }
    return files ?? {}
  } catch {
    return {} // unreadable record: nothing counts as ours, so every file is kept
  }
}
