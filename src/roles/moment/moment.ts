/**
 * Memory at a tool call: earlier fixes, rules for the file, working command forms. Up to three lines, each once per session, ten times per
 * session. Exact lookups only; no search, no model.
 */
import { shellKey } from '../../analyze/failures/command-key.ts'
import { knownFix } from '../../browse/fix/known-fix.ts'
import { passingForm } from '../../browse/fix/passing-form.ts'
import type { AgentMemory } from '../../config/agent-memory.ts'
import type { Clock } from '../../core/clock.ts'
import { shortHash } from '../../core/hash.ts'
import type { ToolEvent } from '../../core/hook-gate.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { GivenPiece } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'
import type { HookedTool } from '../hooks/hook-call.ts'
import { placeAt } from '../reader/place.ts'
import { holdsForFile } from './holds-for-file.ts'

export interface MomentRequest {
  readonly agent: string
  readonly harness: string
  readonly event: ToolEvent
  readonly tool: HookedTool
  /** The harness's session id. Required, unless `notes` is false. */
  readonly session?: string
  readonly folder?: string
  /** False: preview only. */
  readonly notes?: boolean
}

export interface MomentOptions {
  readonly store: () => Promise<Store>
  readonly clock: Clock
  readonly settings: AgentMemory['read']
}

export const MOST_MOMENTS = 10
const DAY = 86_400_000
const KEPT_DAYS = 30
const PATIENCE_MS = 100
const LONGEST_LINE = 300

interface Found {
  /** The first one must not be repeated in a session. */
  readonly pieces: readonly GivenPiece[]
  readonly lines: readonly string[]
  readonly turnId: string | null
}

interface Asked extends MomentRequest {
  readonly scope: ProjectScope | undefined
}

export async function atMoment(request: MomentRequest, { store: open, clock, settings }: MomentOptions): Promise<string> {
  const { agent, harness, session, folder, event, tool, notes = true } = request
  if (!settings.enabled || !isOn(event, tool, settings) || (notes && session === undefined)) return ''
  const store = await open()
  const { scope } = await placeAt(store, agent, folder)
  const found = await look(store, { ...request, scope }, settings)
  if (found === undefined) return ''
  if (notes && session !== undefined) {
    const now = clock()
    const note = { agent_id: agent, harness, session, pieces: found.pieces, given_at: now, expired_before: now - KEPT_DAYS * DAY }
    if (!(await store.noteMoment({ ...note, most: MOST_MOMENTS }, { patienceMs: PATIENCE_MS }))) return ''
  }
  const id = found.turnId === null ? undefined : (await shortTurnIds(store, [found.turnId])).get(found.turnId)
  const lines = found.lines.map((line) => line.replace(/\s+/g, ' ').slice(0, LONGEST_LINE).toWellFormed())
  return id === undefined ? lines.join('\n') : [`${lines[0]} [${id}]`, ...lines.slice(1)].join('\n')
}

function isOn(event: ToolEvent, { command, files }: HookedTool, { on_failure, on_edit, on_command }: AgentMemory['read']): boolean {
  if (event === 'tool_failed') return on_failure
  return (on_command && command !== undefined) || (on_edit && files.length > 0)
}

async function look(store: Store, asked: Asked, { on_edit, on_command }: AgentMemory['read']): Promise<Found | undefined> {
  const { event, tool } = asked
  if (event === 'tool_failed') return fixFor(store, asked)
  if (tool.command !== undefined) return on_command ? formOf(store, asked, tool.command) : undefined
  return on_edit ? holdsFor(store, asked) : undefined
}

async function fixFor(store: Store, { agent: agentId, tool, scope, harness, session }: Asked): Promise<Found | undefined> {
  const own = session === undefined ? undefined : (await store.reader.session(harness, session, 1))?.id
  const { name, command, output = '' } = tool
  const fix = await knownFix(store, { agentId, project: scope, tool: name, command, text: output, session: own })
  if (fix === undefined) return undefined
  return { pieces: [{ kind: 'failure', id: fix.signature, part: '' }], lines: fix.lines, turnId: fix.turnId }
}

async function formOf(store: Store, { agent: agentId, scope }: Asked, command: string): Promise<Found | undefined> {
  const form = await passingForm(store, { agentId, project: scope, command })
  const key = shellKey(command)?.key
  if (form === undefined || key === undefined) return undefined
  const day = new Date(form.lastAt).toISOString().slice(0, 10)
  const line = `This command failed here before; this form passed (${form.times === 1 ? day : `${form.times} times, last ${day}`}): ${form.form}`
  return { pieces: [{ kind: 'command', id: key, part: '' }], lines: [line], turnId: form.turnId }
}

async function holdsFor(store: Store, { agent, tool, scope, folder }: Asked): Promise<Found | undefined> {
  if (scope === undefined) return undefined
  for (const file of tool.files) {
    const held = await holdsForFile(store, { agent, scope, folder, file })
    if (held === undefined) continue
    const pieces: GivenPiece[] = [
      { kind: 'file', id: shortHash(16, 'file\n', file), part: '' },
      { kind: 'decision', id: held.eventId, part: '' },
    ]
    return { pieces, lines: [held.line], turnId: held.turnId }
  }
  return undefined
}
