/** The command that resumes a session in its folder. Ids and folders come from logs: untrusted. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import { resolveAny, type SessionRow } from '../ledgers/resolve.ts'
import type { Store } from '../store/store.ts'
import type { ResumeAnswer } from './browse.ts'
import { redactText } from './redact-stored.ts'
import { HARNESSES, PAGES, PLAIN_ID, shellWord } from './resume-commands.ts'

const DEEPEST = 50
/** Harnesses that can resume a session written by Mnemonic. */
const FORKED_INTO: ReadonlySet<string> = new Set(['claude-code', 'codex', 'pi'])

/** `id` names a session or anything in it. A subagent resolves to its root session. Throws NOT_FOUND, AMBIGUOUS_ID or NOT_SUPPORTED. */
export async function resumeCommand(store: Store, id: string, agentId: string | undefined): Promise<ResumeAnswer> {
  const found = await resolveAny(store, id, agentId)
  if (found === undefined) throw notFound(id)
  const session = await rootOf(store, found.session)
  const argv = await argvOf(store, session)
  const folder = folderOf(session)
  const words = argv.map(shellWord).join(' ')
  return {
    session_id: session.id,
    subagent_id: session.id === found.session.id ? null : found.session.id,
    harness: session.source,
    folder,
    folder_exists: folder !== null && existsSync(folder) && statSync(folder).isDirectory(),
    argv,
    command: folder === null ? words : `cd ${shellWord(folder)} && ${words}`,
  }
}

async function rootOf(store: Store, session: SessionRow): Promise<SessionRow> {
  let at = session
  for (let steps = 0; steps < DEEPEST && at.is_subagent === 1 && at.parent_session_id !== null; steps++) {
    const parent = await store.read.selectFrom('agent_sessions').selectAll().where('id', '=', at.parent_session_id).executeTakeFirst()
    if (parent === undefined) break
    at = parent
  }
  return at
}

async function argvOf(store: Store, session: SessionRow): Promise<readonly string[]> {
  const { source, native_id } = session
  const harness = Object.hasOwn(HARNESSES, source) ? HARNESSES[source] : undefined
  if (harness === undefined) {
    const page =
      Object.hasOwn(PAGES, source) && PLAIN_ID.test(native_id) ? `Open ${PAGES[source]}${native_id} in a browser, or read` : 'Read'
    throw notSupported(session, `${source} has no command that takes up a session again`, page)
  }
  if (session.is_subagent === 1) throw notSupported(session, 'it is a subagent, and the session that started it is not in the ledger')
  if (source === 'cursor' && !(await isOfCli(store, native_id)))
    throw notSupported(session, 'it is a conversation of the Cursor editor, which only the editor opens')
  const argv = harness.argv(session)
  const name = argv?.at(-1)?.replace(/^--resume=/, '')
  if (argv === undefined || name === undefined || !PLAIN_ID.test(name))
    throw notSupported(session, `it has no name that ${harness.name} takes`)
  if (await isLogGone(store, session)) throw logGone(session, harness.name)
  return argv
}

/** True if all its files are gone: harnesses delete old logs. A shared database tells nothing. */
async function isLogGone(store: Store, { id, source }: SessionRow): Promise<boolean> {
  const units = await store.read
    .selectFrom('sync_state')
    .select('path')
    .where('session_id', '=', id)
    .where('adapter', '=', source)
    .execute()
  return units.length > 0 && !units.some(({ path }) => existsSync(path))
}

function logGone(session: SessionRow, name: string): MnemonicError {
  const id = PLAIN_ID.test(session.id) ? session.id : 'ID'
  const into = FORKED_INTO.has(session.source) ? ` --into ${session.source}` : ''
  return new MnemonicError('NOT_SUPPORTED', `this session cannot be resumed: its log is gone, and ${name} needs it`, {
    details: { session_id: session.id, harness: session.source, instead: `mnemonic fork --session ${id} --query "…"${into}` },
    hint: `Go on in a new session with what it knows: mnemonic fork --session ${id} --query "…"${into}. Or read it: mnemonic show ${id}`,
  })
}

/** A session of Cursor's CLI has its own database, in a folder of its name. */
async function isOfCli(store: Store, nativeId: string): Promise<boolean> {
  const rows = await store.read.selectFrom('sync_state').select('path').where('adapter', '=', 'cursor').execute()
  return rows.some(({ path }) => basename(path) === 'store.db' && basename(dirname(path)) === nativeId)
}

/** Null if unknown. Never prints a folder with a secret or a line break in its name. */
function folderOf(session: SessionRow): string | null {
  const folder = session.workspace_path ?? session.project
  if (folder === null || !isAbsolute(folder)) return null
  if (redactText(folder) !== folder || /[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(folder))
    throw notSupported(session, 'the name of its folder holds what must not be printed')
  return folder
}

function notSupported(session: SessionRow, why: string, instead = 'Read'): MnemonicError {
  return new MnemonicError('NOT_SUPPORTED', `this session cannot be resumed: ${why}`, {
    details: { session_id: session.id, harness: session.source },
    hint: `${instead} it: mnemonic show ${PLAIN_ID.test(session.id) ? session.id : 'ID'}`,
  })
}

function notFound(id: string): MnemonicError {
  const shown = id.length > 200 ? `${id.slice(0, 200)}…` : id
  return new MnemonicError('NOT_FOUND', `no session or turn is called ${shown}`, {
    details: { id: shown },
    hint: 'List sessions with mnemonic sessions.',
  })
}
