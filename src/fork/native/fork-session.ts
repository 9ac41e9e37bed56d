/** Writes a fork as a resumable session: a new file, atomically. Never touches the source. */
import { dirname, join, resolve } from 'node:path'
import { HARNESSES, shellWord } from '../../browse/resume-commands.ts'
import { isExisting, removeLeftovers, writeAtomic } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { oneLine } from '../../core/text.ts'
import { uuid5 } from '../../core/uuid5.ts'
import { describeSource } from '../../ingest/capture/descriptions.ts'
import { noteCopies } from '../../store/copies.ts'
import { buildFork, type ForkOptions } from '../build-fork.ts'
import type { DraftTurn } from '../draft.ts'
import type { ForkTurn } from '../fork-context.ts'
import { claudeCodeForm } from './claude-code.ts'
import { codexForm } from './codex.ts'
import { FORK_HARNESSES, type ForkedSession, type ForkHarness, type ForkSessionRequest } from './forked-session.ts'
import { type NativeForm, type NativeSession, newestTime, noteOf, readText } from './native-form.ts'
import { piForm } from './pi.ts'
import { saidIn } from './said.ts'

const FORMS: Readonly<Record<ForkHarness, NativeForm>> = { 'claude-code': claudeCodeForm, codex: codexForm, pi: piForm }
const LONGEST_TITLE = 80

export async function forkSession(request: ForkSessionRequest, options: ForkOptions): Promise<ForkedSession> {
  const { into } = request
  if (!FORK_HARNESSES.includes(into))
    throw new MnemonicError('USAGE', `no session of ${String(into)} can be written`, {
      details: { into },
      hint: `One of ${FORK_HARNESSES.join(', ')}.`,
    })
  const folder = resolve(request.folder ?? process.cwd())
  const form = FORMS[into]
  const session = (query: string, turns: readonly ForkTurn[], drafts: readonly DraftTurn[]) =>
    sessionOf(query, turns, { drafts, into, folder })
  const built = await buildFork(request, (drafts) => ({ text: (query, turns) => readText(form, session(query, turns, drafts)) }), options)
  const { query, total_tokens, relevant_turns } = built
  const context = { query, total_tokens, relevant_turns, into, folder }
  if (relevant_turns.length === 0) return { ...context, path: null, session: null, messages: 0, existed: false, argv: [], command: null }
  const made = session(query, relevant_turns, built.drafts)
  const path = request.out ?? join(sessionsFolder(into), form.place(made))
  const lines = form.records(made).map((record) => `${JSON.stringify(record)}\n`)
  const existed = !(await writeOnce(path, lines, options))
  const argv = HARNESSES[into]?.argv({ native_id: made.id, session_key: null }) ?? []
  const command = `cd ${shellWord(folder)} && ${argv.map(shellWord).join(' ')}`
  return { ...context, path, session: made.id, messages: made.said.length, existed, argv, command }
}

function sessionOf(
  query: string,
  turns: readonly ForkTurn[],
  { drafts, into, folder }: { readonly drafts: readonly DraftTurn[]; readonly into: ForkHarness; readonly folder: string },
): NativeSession {
  const said = saidIn(turns, drafts, into)
  const content = said.map(({ origin, text, calls }) => [origin, text, calls.map((call) => [call.origin, call.input, call.result])])
  return {
    id: uuid5('fork', into, query, JSON.stringify(content)),
    folder,
    title: oneLine(`Fork: ${query}`, LONGEST_TITLE),
    note: noteOf(query, turns),
    said,
    forkedAt: newestTime(said),
  }
}

function sessionsFolder(into: ForkHarness): string {
  const [folder] = describeSource(into).defaultPaths()
  if (folder === undefined)
    throw new MnemonicError('NOT_SUPPORTED', `${into} has no folder of sessions`, { hint: 'Name a file with --out.' })
  return folder
}

/**
 * Returns false if the file exists: its name is a content hash, and a user may have continued it. Records the path first, so that forget
 * can find the file.
 */
async function writeOnce(path: string, lines: readonly string[], { store }: ForkOptions): Promise<boolean> {
  await store.write((tx) => noteCopies(tx, 'forks', [path]))
  removeLeftovers(dirname(path), Date.now())
  try {
    await writeAtomic(path, lines, { exclusive: true })
    return true
  } catch (error) {
    if (!isExisting(error)) throw error
    return false
  }
}
