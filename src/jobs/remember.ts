/** Agents' proposals are stored only; nothing derives from them. */
import { followDecisions } from '../analyze/history/follow-decisions.ts'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { REMEMBERED } from '../episodes/definitions.ts'
import { groupThread } from '../episodes/group-thread.ts'
import { OWNER_REF } from '../graph/extracted.ts'
import { removeRememberedRows } from '../graph/remembered-rows.ts'
import { settle } from '../graph/settle.ts'
import { DERIVED, replaceDerived } from '../ledgers/derived-events.ts'
import { putVerdict } from '../ledgers/owner-verdicts.ts'
import { countryOf } from '../ledgers/people/handle.ts'
import {
  type Corrected,
  putRemembered,
  type Remembered,
  type RememberedEntity,
  rememberedThread,
  type Statement,
  undoRemembered,
} from '../ledgers/remembered.ts'
import { runJob } from '../store/job.ts'
import type { WriteTx } from '../store/store.ts'
import { episodeOf, followRemembered } from './follow-remembered.ts'
import { checkedAlias, checkedRelation, checkedText, checkedType, forgotten, refused, typeIn, warningsOf } from './remember-checks.ts'
import {
  byId,
  byIdIn,
  correctedCalled,
  correctedEntity,
  entityNamed,
  isThere,
  projectNamed,
  rememberedCalled,
  shown,
} from './remember-names.ts'
import type { RememberRequest } from './remember-request.ts'
import type { Stages } from './stages.ts'
import { statedGraph, subjectOf, subjectTypeOf } from './stated-graph.ts'

export interface RememberedNow {
  readonly remembered: Remembered
  readonly isNew: boolean
  readonly newEntity: boolean
  /** False: the next sync indexes it. */
  readonly searchable: boolean
  readonly warnings: readonly string[]
}

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
    const options = { agentId, added: config.graph.entity_types }
    const entity =
      request.about !== undefined
        ? await subjectNamed(tx, request, options)
        : corrects === null
          ? await entitySpokenOf(tx, { text, type, project, agentId, owner, options })
          : await correctedEntity(tx, corrects, agentId)
    const relation = request.relation === undefined ? null : checkedRelation(request.relation, entity)
    const alias = request.alias === undefined ? null : checkedAlias(request.alias, entity, country)
    const statement: Statement = { text, type, entity, project, corrects, alias, relation }
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

/** Copies the proposal as the owner's statement. The original keeps trust `agent`. */
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
            // A new entity has an id but no row.
            {
              about: (await isThere(tx, proposal.entity.id)) ? (proposal.entity.id ?? undefined) : proposal.entity.name,
              aboutType: proposal.entity.type,
            },
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

/** Agents may take back only proposals. */
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

async function subjectNamed(tx: WriteTx, request: RememberRequest, options: Parameters<typeof entityNamed>[2]): Promise<RememberedEntity> {
  const found = await entityNamed(tx, request, options)
  const aboutType = request.relation === undefined || request.aboutType !== undefined ? undefined : subjectTypeOf(request.relation.type)
  if (aboutType === undefined || (await isThere(tx, found.id))) return found
  return entityNamed(tx, { ...request, aboutType }, options)
}

/** An ambiguous name matches nobody. */
async function entitySpokenOf(
  tx: WriteTx,
  {
    text,
    type,
    project,
    agentId,
    owner,
    options,
  }: Pick<Statement, 'text' | 'type' | 'project'> & {
    readonly agentId: string
    readonly owner: RememberStages['owner']
    readonly options: Parameters<typeof entityNamed>[2]
  },
): Promise<RememberedEntity | null> {
  const read = { id: 'owner:new', text, type, project, agentId, at: 0, entity: null, alias: null, corrects: null, relation: null }
  const stated = statedGraph(read, owner)
  const subject = stated === undefined ? undefined : subjectOf(stated)
  if (subject === undefined || subject.ref === OWNER_REF || subject.ref === 'project' || subject.qualifier !== undefined) return null
  try {
    return await entityNamed(tx, { about: subject.name, aboutType: subject.type }, options)
  } catch (error) {
    if (asMnemonicError(error).code === 'AMBIGUOUS_ID') return null
    throw error
  }
}

/** Runs in the event's transaction, so that readers see both. */
async function makeOf(tx: WriteTx, id: string, { clock, owner, config }: RememberStages, agentId: string): Promise<void> {
  await groupThread(tx, rememberedThread(agentId), { definition: REMEMBERED, clock })
  while ((await followRemembered(tx, { now: clock(), owner, autoMerge: config.graph.auto_merge })) > 0);
  const { corrects } = await byIdIn(tx, id, agentId)
  const earlier = corrects === null ? undefined : await statementOf(tx, corrects)
  const later = await statementOf(tx, { kind: 'remembered', id })
  // The owner's correction overrides all rules.
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

/** Returns whether it is searchable. */
async function settleReads({ store, indexer, clock }: RememberStages, one: Remembered): Promise<boolean> {
  await followDecisions(store, {})
  try {
    await runJob(store, { job: 'index', clock, waitMs: WAIT_MS }, (lease) => indexer.indexEpisodes([episodeOf(one)], { lease }))
    return true
  } catch (error) {
    // The next sync indexes it.
    if (asMnemonicError(error).code === 'JOB_RUNNING') return false
    throw error
  }
}

function oneAgent(agent: string): string {
  if (agent !== 'all') return agent
  throw new MnemonicError('USAGE', 'something is remembered for one agent', { details: { agent }, hint: 'Name it: --agent main' })
}
