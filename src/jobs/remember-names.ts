/** Resolves the names in a statement; never guesses between matches. */
import { basename } from 'node:path'
import { decisionCalled } from '../browse/decisions/decision-called.ts'
import { MnemonicError } from '../core/error.ts'
import { cutMarked } from '../core/marked-text.ts'
import { checkEntityType, entityTypes } from '../graph/entity-types.ts'
import { entitiesNamed, findEntity } from '../graph/find-entity.ts'
import { namedSubject } from '../graph/remembered-rows.ts'
import { folderNamed, projectCalled, projectKeysAt } from '../ingest/project-called.ts'
import { projectLocator } from '../ingest/project-of.ts'
import { type Corrected, type Remembered, type RememberedEntity, type RememberedProject, readRemembered } from '../ledgers/remembered.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { refused } from './remember-checks.ts'
import type { RememberRequest } from './remember-request.ts'

const LONGEST_NAME = 200

export async function isThere(tx: WriteTx, id: string | null): Promise<boolean> {
  return id !== null && (await tx.db.selectFrom('entities').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function entityNamed(
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

/** Inherited from the corrected statement. */
export async function correctedEntity(tx: WriteTx, corrects: Corrected | null, agentId: string): Promise<RememberedEntity | null> {
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

export async function correctedCalled(store: Store, named: string, agentId: string): Promise<Corrected> {
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

export async function projectNamed(store: Store, named: string): Promise<RememberedProject> {
  const text = named.trim()
  const folder = folderNamed(text)
  const located = folder === undefined ? undefined : projectLocator()(folder)
  if (folder !== undefined && located === undefined)
    throw new MnemonicError('NOT_FOUND', `there is no folder ${JSON.stringify(text)}`, {
      details: { project: text },
      hint: 'Give a folder of this machine, or the name of a project.',
    })
  const known = folder === undefined ? (await projectCalled(store, text)).keys : [...(await projectKeysAt(store, folder))]
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

/** By id or prefix. */
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

export async function byId(store: Store, id: string, agentId: string): Promise<Remembered> {
  return byIdIn({ db: store.read }, id, agentId)
}

export async function byIdIn({ db }: Pick<WriteTx, 'db'>, id: string, agentId: string): Promise<Remembered> {
  const found = (await readRemembered(db, agentId)).find((one) => one.id === id)
  if (found === undefined) throw new MnemonicError('INTERNAL', `what was remembered as ${id} is gone`)
  return found
}

export function shown({ id }: Pick<Remembered, 'id'>): string {
  return `r:${id.slice(id.indexOf(':') + 1).slice(0, 8)}`
}
