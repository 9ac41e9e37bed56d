/** `remember`: takes a statement into the ledger, and makes at once what is read of it. What an agent states is kept as a proposal, and nothing is made of it. */
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { followDecisions } from '../analyze/history/follow-decisions.ts'
import { decisionCalled } from '../browse/decisions/decision-called.ts'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { cutMarked } from '../core/marked-text.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { REMEMBERED } from '../episodes/definitions.ts'
import { groupThread } from '../episodes/group-thread.ts'
import { checkEntityType, entityTypes } from '../graph/entity-types.ts'
import { entitiesNamed, findEntity } from '../graph/find-entity.ts'
import { type AliasType, normalAlias } from '../graph/normal-alias.ts'
import { namedSubject, removeRememberedRows } from '../graph/remembered-rows.ts'
import { settle } from '../graph/settle.ts'
import { projectCalled, projectKeysAt } from '../ingest/project-called.ts'
import { projectLocator } from '../ingest/project-of.ts'
import { DERIVED, replaceDerived } from '../ledgers/derived-events.ts'
import { putVerdict } from '../ledgers/owner-verdicts.ts'
import { countryOf } from '../ledgers/people/handle.ts'
import {
  type Corrected,
  putRemembered,
  REMEMBER_TYPES,
  type Remembered,
  type RememberedEntity,
  type RememberedProject,
  type RememberType,
  readRemembered,
  rememberedThread,
  type Statement,
  undoRemembered,
} from '../ledgers/remembered.ts'
import { runJob } from '../store/job.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { episodeOf, followRemembered } from './follow-remembered.ts'
import type { Stages } from './stages.ts'

export interface RememberRequest {
  readonly text: string
  /** A person who states it, or an agent: then it is a proposal, whatever it says. */
  readonly by: 'owner' | 'agent'
  /** Read from the text when absent. */
  readonly type?: RememberType | undefined
  /** The entity that it is about, by id, name or address; one that is not known is made, of the type `aboutType` or `entity`. */
  readonly about?: string | undefined
  readonly aboutType?: string | undefined
  /** A folder, or the name of a project. */
  readonly project?: string | undefined
  /** What it puts right: the id of something remembered, of a decision or of an observation. */
  readonly corrects?: string | undefined
  /** The text says what the entity is called or how it is reached, and this is it. */
  readonly alias?: { readonly type: string; readonly value: string } | undefined
  /** What the agent that proposes it calls itself. */
  readonly from?: string | undefined
}

export interface RememberedNow {
  readonly remembered: Remembered
  /** False where it stood already. */
  readonly isNew: boolean
  /** The entity was not known before. */
  readonly newEntity: boolean
  /** False where another process is at work: the next sync puts it into the index. */
  readonly searchable: boolean
  readonly warnings: readonly string[]
}

/** Longer than that it is a document: those have a place of their own. */
export const LONGEST_TEXT = 2000
const LONGEST_NAME = 200
const WAIT_MS = 2000

export type RememberStages = Pick<Stages, 'store' | 'config' | 'clock' | 'owner' | 'indexer'>

export async function remember(stages: RememberStages, request: RememberRequest): Promise<RememberedNow> {
  const { store, clock, config, owner } = stages
  const agentId = oneAgent(config.agent)
  const text = checkedText(request.text)
  const corrects = request.corrects === undefined ? null : await correctedCalled(store, request.corrects, agentId)
  const type = checkedType(request.type) ?? (corrects === null ? typeIn(text) : 'correction')
  const project = request.project === undefined ? null : await projectNamed(store, request.project)
  const country = countryOf(owner.phones)
  const put = await store.write(async (tx) => {
    const entity =
      request.about === undefined
        ? await correctedEntity(tx, corrects, agentId)
        : await entityNamed(tx, request, { agentId, added: config.graph.entity_types })
    const alias = request.alias === undefined ? null : checkedAlias(request.alias, entity, country)
    const statement: Statement = { text, type, entity, project, corrects, alias }
    const { by, from } = request
    const isKnown = entity === null || (await isThere(tx, entity.id))
    const put = await putRemembered(tx, statement, { agentId, now: clock(), by, from })
    if (put === undefined) throw forgotten()
    if (by === 'owner' && put.isNew) await makeOf(tx, put.id, stages, agentId)
    return { ...put, newEntity: put.isNew && !isKnown }
  })
  const remembered = await byId(store, put.id, agentId)
  return {
    ...{ remembered, isNew: put.isNew, newEntity: put.newEntity && request.by === 'owner' },
    searchable: remembered.by === 'owner' && (await settleReads(stages, remembered)),
    warnings: warningsOf(text, request),
  }
}

/** A person says that a proposal is so: it becomes their own statement. The proposal stays what it was, of trust `agent`. */
export async function confirmRemembered(stages: RememberStages, named: string): Promise<RememberedNow> {
  const { store, clock, config } = stages
  const proposal = await rememberedCalled(store, named, oneAgent(config.agent))
  const { agentId } = proposal
  if (proposal.status === 'undone') throw refused(`${shown(proposal)} was taken back`, 'State it again: mnemonic remember "…"')
  if (proposal.by === 'owner')
    throw refused(`${shown(proposal)} is no proposal: you stated it yourself`, 'mnemonic remember --list --proposed')
  const put = await store.write(async (tx) => {
    const entity =
      proposal.entity === null
        ? null
        : await entityNamed(
            tx,
            { about: proposal.entity.id ?? proposal.entity.name, aboutType: proposal.entity.type },
            { agentId, added: config.graph.entity_types },
          )
    const isKnown = entity === null || (await isThere(tx, entity.id))
    const put = await putRemembered(tx, { ...proposal, entity }, { agentId, now: clock(), by: 'owner', confirms: proposal.id })
    if (put === undefined) throw forgotten()
    if (put.isNew) await makeOf(tx, put.id, stages, agentId)
    return { ...put, newEntity: put.isNew && !isKnown }
  })
  const remembered = await byId(store, put.id, agentId)
  return { ...put, remembered, searchable: await settleReads(stages, remembered), warnings: [] }
}

/** Takes back exactly what was stated. An agent takes back proposals only. */
export async function takeBack(stages: RememberStages, named: string, by: 'owner' | 'agent'): Promise<Remembered> {
  const { store, clock, config } = stages
  const found = await rememberedCalled(store, named, oneAgent(config.agent))
  if (found.status === 'undone') throw refused(`${shown(found)} was taken back already`, 'To state it again: mnemonic remember "…"')
  if (by === 'agent' && found.status !== 'proposed')
    throw refused(`${shown(found)} is the owner’s`, 'An agent takes back proposals only; a person does the rest.')
  const { agentId } = found
  await store.write(async (tx) => {
    const one = found.confirmedBy === null ? found : await byIdIn(tx, found.confirmedBy, agentId)
    await undoRemembered(tx, one, { agentId, now: clock(), by })
    if (one.by === 'agent') return
    await removeRememberedRows(tx, one.id)
    await replaceDerived(tx, [{ kind: 'episode', unit: episodeOf(one) }], new Map())
    await groupThread(tx, rememberedThread(agentId), { definition: REMEMBERED, clock })
    while ((await settle(tx, { autoMerge: config.graph.auto_merge })) > 0);
  })
  await followDecisions(store, {})
  return byId(store, found.id, agentId)
}

/** In the same transaction as the event: whoever reads it sees all of it. */
async function makeOf(tx: WriteTx, id: string, { clock, owner, config }: RememberStages, agentId: string): Promise<void> {
  await groupThread(tx, rememberedThread(agentId), { definition: REMEMBERED, clock })
  while ((await followRemembered(tx, { now: clock(), owner, autoMerge: config.graph.auto_merge })) > 0);
  const { corrects } = await byIdIn(tx, id, agentId)
  const earlier = corrects === null ? undefined : await statementOf(tx, corrects)
  const later = await statementOf(tx, { kind: 'remembered', id })
  // What it puts right holds no longer: said by the owner, it counts above all rules.
  if (earlier !== undefined && later !== undefined) await putVerdict(tx, { earlier, later, says: 'join' }, { now: clock(), agentId })
}

async function statementOf(tx: WriteTx, { kind, id }: Corrected): Promise<string | undefined> {
  if (kind === 'observation') return undefined
  if (kind === 'decision') return id
  const row = await tx.db
    .selectFrom('derived_sources as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select('e.id')
    .where('d.message', '=', id)
    .where('e.source_adapter', '=', DERIVED)
    .executeTakeFirst()
  return row?.id
}

/** Decisions and the index. True where it can be searched now. */
async function settleReads({ store, indexer, clock }: RememberStages, one: Remembered): Promise<boolean> {
  await followDecisions(store, {})
  try {
    await runJob(store, { job: 'index', clock, waitMs: WAIT_MS }, (lease) => indexer.indexEpisodes([episodeOf(one)], { lease }))
    return true
  } catch (error) {
    // Another process writes the index: the episode waits, and the next sync takes it.
    if (asMnemonicError(error).code === 'JOB_RUNNING') return false
    throw error
  }
}

function oneAgent(agent: string): string {
  if (agent !== 'all') return agent
  throw new MnemonicError('USAGE', 'something is remembered for one agent', { details: { agent }, hint: 'Name it: --agent main' })
}

function checkedText(given: string): string {
  const text = cutMarked(given).replace(/\r\n?/g, '\n').trim()
  if (text === '')
    throw new MnemonicError('VALIDATION_ERROR', 'there is nothing to remember', {
      hint: 'Text that is marked <private> or <mnemonic-memory> is not kept; state the rest in your own words.',
    })
  if (text.length <= LONGEST_TEXT) return text
  throw new MnemonicError('VALIDATION_ERROR', `the text has ${text.length} characters; at most ${LONGEST_TEXT} can be remembered`, {
    details: { characters: text.length, most: LONGEST_TEXT },
    hint: 'Put longer texts into a markdown file of the workspace: they are indexed too.',
  })
}

function checkedType(type: string | undefined): RememberType | undefined {
  if (type === undefined) return undefined
  const known = REMEMBER_TYPES.find((one) => one === type)
  if (known !== undefined) return known
  throw new MnemonicError('USAGE', `there is no type ${JSON.stringify(type)}`, {
    details: { type },
    hint: `One of: ${REMEMBER_TYPES.join(', ')}.`,
  })
}

const BEGINNINGS: readonly (readonly [RememberType, RegExp])[] = [
  ['correction', /^(?:actually|correction)\b/i],
  ['decision', /^(?:we(?:['’]ve| have)? (?:decided|chosen|chose|agreed)\b|decision:)/i],
  [
    'preference',
    /^(?:please\s+)?(?:always|never|prefer|avoid|don['’]?t|do not|i (?:always |never |really )?(?:prefer|like|want|hate|dislike))\b/i,
  ],
]

/** How it begins says what it is; what says nothing is a fact. */
function typeIn(text: string): RememberType {
  return BEGINNINGS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'fact'
}

function checkedAlias(
  { type, value }: { readonly type: string; readonly value: string },
  entity: RememberedEntity | null,
  country: ReturnType<typeof countryOf>,
): Statement['alias'] {
  if (entity === null) throw new MnemonicError('USAGE', 'an alias is of an entity', { hint: 'Name it: --about NAME' })
  const { normalized, type: as } = normalAlias({ type: type as AliasType, value }, { entityType: entity.type, country })
  if (normalized === '') throw refused(`${JSON.stringify(value)} is no ${type}`, 'Give a name, an address or a number.')
  return { type: as, value: as === 'email' || as === 'phone' ? normalized : value.trim() }
}

async function isThere(tx: WriteTx, id: string | null): Promise<boolean> {
  return id !== null && (await tx.db.selectFrom('entities').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

async function entityNamed(
  tx: WriteTx,
  { about = '', aboutType }: Pick<RememberRequest, 'about' | 'aboutType'>,
  { agentId, added }: { readonly agentId: string; readonly added: readonly string[] },
): Promise<RememberedEntity> {
  const name = cutMarked(about).trim()
  if (name === '' || name.length > LONGEST_NAME)
    throw new MnemonicError('VALIDATION_ERROR', `the name of an entity has 1 to ${LONGEST_NAME} characters`, {
      hint: 'mnemonic entities list shows all that are known.',
    })
  if (aboutType !== undefined) checkEntityType(aboutType, entityTypes(added))
  const options = { agentId, type: aboutType }
  if ((await entitiesNamed(tx, name, options)).length === 0) return namedSubject(agentId, aboutType ?? 'entity', name)
  const { id, type, name: called, key } = await findEntity(tx, name, options)
  return { id, type, name: called, key }
}

/** What is corrected says whom it is about. */
async function correctedEntity(tx: WriteTx, corrects: Corrected | null, agentId: string): Promise<RememberedEntity | null> {
  if (corrects?.kind === 'remembered') return (await byIdIn(tx, corrects.id, agentId)).entity
  if (corrects?.kind !== 'observation') return null
  const row = await tx.db
    .selectFrom('relationships as r')
    .innerJoin('entities as e', 'e.id', 'r.subject_id')
    .select(['e.id', 'e.type', 'e.name', 'e.key'])
    .where('r.id', '=', corrects.id)
    .executeTakeFirst()
  return row ?? null
}

async function correctedCalled(store: Store, named: string, agentId: string): Promise<Corrected> {
  if (/^(?:d:|derived:)/.test(named)) {
    const { event_id } = await decisionCalled(store, named, { agentId, turnOf: async () => undefined })
    return { kind: 'decision', id: event_id }
  }
  if (/^[0-9a-f]{8}[0-9a-f-]{0,28}$/.test(named) && named.includes('-')) {
    const rows = await store.read
      .selectFrom('relationships')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('id', '>=', named)
      .where('id', '<', `${named}g`)
      .limit(2)
      .execute()
    if (rows.length === 1 && rows[0] !== undefined) return { kind: 'observation', id: rows[0].id }
  }
  const { id, status } = await rememberedCalled(store, named, agentId)
  if (status === 'undone') throw refused(`${named} was taken back: there is nothing to correct`, 'mnemonic remember --list')
  return { kind: 'remembered', id }
}

async function projectNamed(store: Store, named: string): Promise<RememberedProject> {
  const text = named.trim()
  const isPath = /^(?:\.{1,2}|~)?[\\/]|^\.{1,2}$|^~$|^[A-Za-z]:[\\/]/.test(text)
  const folder = text.startsWith('~') ? join(homedir(), text.slice(1)) : resolve(text)
  const located = isPath ? projectLocator()(folder) : undefined
  if (isPath && located === undefined)
    throw new MnemonicError('NOT_FOUND', `there is no folder ${JSON.stringify(text)}`, {
      details: { project: text },
      hint: 'Give a folder of this machine, or the name of a project.',
    })
  const known = located === undefined ? (await projectCalled(store, text)).keys : [...(await projectKeysAt(store, folder))]
  const key = known.find((one) => one === located?.origin) ?? known.toSorted()[0] ?? located?.origin ?? located?.project
  if (key === undefined)
    throw new MnemonicError('NOT_FOUND', `no project is called ${JSON.stringify(text)}`, {
      details: { project: text },
      hint: 'Give its folder.',
    })
  const row = await store.read
    .selectFrom('agent_sessions')
    .select('project_name')
    .where((eb) => eb(eb.fn.coalesce('repository', 'project'), '=', key))
    .where('project_name', 'is not', null)
    .executeTakeFirst()
  return { key, name: row?.project_name ?? basename(key) }
}

/** By its id, or the beginning of it. */
export async function rememberedCalled(store: Store, named: string, agentId: string): Promise<Remembered> {
  const wanted = named.trim().replace(/^(?:r|owner|proposed):/, '')
  const all = await readRemembered(store.read, agentId)
  const found = wanted.length < 6 ? [] : all.filter(({ id }) => id.slice(id.indexOf(':') + 1).startsWith(wanted))
  const [one, another] = found
  if (one === undefined)
    throw new MnemonicError('NOT_FOUND', `nothing that was remembered is called ${JSON.stringify(named)}`, {
      details: { id: named },
      hint: 'To see all of it with ids: mnemonic remember --list',
    })
  if (another !== undefined)
    throw new MnemonicError('AMBIGUOUS_ID', `${JSON.stringify(named)} is the beginning of ${found.length} ids`, {
      details: { id: named },
      hint: `Give more of it: ${found.slice(0, 5).map(shown).join(', ')}`,
    })
  return one
}

async function byId(store: Store, id: string, agentId: string): Promise<Remembered> {
  return byIdIn({ db: store.read }, id, agentId)
}

async function byIdIn({ db }: Pick<WriteTx, 'db'>, id: string, agentId: string): Promise<Remembered> {
  const found = (await readRemembered(db, agentId)).find((one) => one.id === id)
  if (found === undefined) throw new MnemonicError('INTERNAL', `what was remembered as ${id} is gone`)
  return found
}

function shown({ id }: Pick<Remembered, 'id'>): string {
  return `r:${id.slice(id.indexOf(':') + 1).slice(0, 8)}`
}

function warningsOf(text: string, { text: given }: RememberRequest): string[] {
  return [
    ...(redactSensitiveText(text, { mode: 'tools' }) === text
      ? []
      : ['it holds what looks like a secret: it is kept as it was said, and shown redacted; to remove it: mnemonic forget --match']),
    ...(cutMarked(given) === given ? [] : ['text that is marked private or was injected by Mnemonic was left out']),
  ]
}

function refused(message: string, hint: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', message, { hint })
}

function forgotten(): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', 'this was forgotten, and nothing of it is written again')
}
