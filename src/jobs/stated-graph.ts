/** "Tyler works at Initech now" becomes a typed observation; other text is a note. */
import { extractGraph } from '../analyze/extract/extract-graph.ts'
import type { Owner } from '../config/owner.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { REMEMBERED } from '../episodes/definitions.ts'
import { episodeId } from '../episodes/episode-id.ts'
import type { Extracted, ExtractedEntity, Span } from '../graph/extracted.ts'
import { foldedPersonName } from '../graph/folded-name.ts'
import type { GraphEpisode } from '../graph/graph-episode.ts'
import { type Remembered, type RememberedEntity, rememberedThread } from '../ledgers/remembered.ts'

export type Stated = Pick<Remembered, 'id' | 'text' | 'at' | 'agentId' | 'type' | 'entity' | 'project' | 'relation' | 'alias' | 'corrects'>

/** `about`: ref of the entity named beside the text. */
export interface StatedGraph {
  readonly graph: Extracted
  readonly about: string | undefined
}

/** Types of unknown objects, by relation. */
const OBJECTS: Readonly<Record<string, string>> = {
  ...{ WORKS_AT: 'company', WORKED_AT: 'company', FOUNDED: 'company', CUSTOMER_OF: 'company', STUDIES_AT: 'company' },
  ...{ LIVES_IN: 'location', MOVING_TO: 'location', BORN_IN: 'location', COMES_FROM: 'location' },
  ...{ BUILDING: 'project', CONTRIBUTED_TO: 'project', USES: 'entity', HAS_PET: 'pet' },
  ...{ KNOWS: 'person', FRIEND_OF: 'person', COLLEAGUE_OF: 'person', MANAGER_OF: 'person', ROOMMATE_OF: 'person', NEIGHBOR_OF: 'person' },
  ...{ SPOUSE_OF: 'person', ENGAGED_TO: 'person', DATING: 'person', PARTNER_OF: 'person', PARENT_OF: 'person', CHILD_OF: 'person' },
  ...{ SIBLING_OF: 'person', GRANDPARENT_OF: 'person', GRANDCHILD_OF: 'person', RELATIVE_OF: 'person' },
}

const OF_ANYTHING = new Set(['USES'])
const OF_PEOPLE = new Set('PREFERS DISLIKES INTERESTED_IN ALLERGIC_TO OWNS ATTENDED BORN_ON ANNIVERSARY_ON HAS_SCHEDULE'.split(' '))

/** Type of an unknown subject. */
export function subjectTypeOf(relation: string): string | undefined {
  return OF_PEOPLE.has(relation) || (relation in OBJECTS && !OF_ANYTHING.has(relation)) ? 'person' : undefined
}

/** Undefined for a note. */
export function statedGraph(one: Stated, owner: Pick<Owner, 'name' | 'timezone'>): StatedGraph | undefined {
  if (one.alias !== null) return undefined
  if (one.relation !== null) return ofRelation(one)
  // Parses only facts without secrets: spans refer to the raw text.
  if (one.type !== 'fact' || redactSensitiveText(one.text, { mode: 'tools' }) !== one.text) return undefined
  const { id, text, at } = one
  const graph = extractGraph(
    {
      ...{ id, definition: REMEMBERED, agentId: one.agentId, channel: 'owner', thread: null, project: one.project?.name ?? null },
      ...{ startTime: at, endTime: at, trust: 'owner', people: [], calls: [], cut: false },
      messages: [
        {
          ...{ message: id, text, timestamp: at, trust: 'owner', handle: null, speaker: owner.name ?? null, isOwner: true, turn: null },
          ...{ by: 'person', to: 'agent' },
        },
      ],
    },
    { timezone: owner.timezone, owner: { name: owner.name }, observe: true },
  )
  if (graph.observations.length === 0) return undefined
  const about = one.entity === null ? undefined : refOf(graph, one.entity)
  // The sentence does not name the given entity.
  return one.entity !== null && about === undefined ? undefined : { graph, about }
}

/** A part of the name suffices. */
function refOf({ entities, observations }: Extracted, { name }: Pick<RememberedEntity, 'name'>): string | undefined {
  const subjects = new Set(observations.map(({ subject }) => subject))
  const wanted = foldedPersonName(name)
  const called = entities.filter(({ ref, name: other }) => {
    const folded = foldedPersonName(other)
    return subjects.has(ref) && (folded === wanted || wanted.startsWith(`${folded} `) || folded.startsWith(`${wanted} `))
  })
  return called.length === 1 ? called[0]?.ref : undefined
}

/** The subject, if not named beside the text. */
export function subjectOf({ graph }: StatedGraph): Pick<ExtractedEntity, 'ref' | 'type' | 'name' | 'qualifier'> | undefined {
  const refs = new Set(graph.observations.map(({ subject }) => subject))
  return refs.size === 1 ? graph.entities.find(({ ref }) => refs.has(ref)) : undefined
}

function ofRelation({ id, text, relation, entity }: Stated): StatedGraph | undefined {
  if (relation === null || entity === null) return undefined
  const { type, object, objectType, confidence } = relation
  const span: Span = { message: id, start: 0, end: text.length }
  const one = (ref: string, kind: string, name: string): ExtractedEntity => ({
    ...{ ref, type: kind, name, confidence, aliases: [{ type: 'name', value: name, from: 'text', span }], mentions: [span] },
  })
  const kind = objectType ?? OBJECTS[type]
  return {
    about: 'subject',
    graph: {
      entities: [one('subject', entity.type, entity.name), ...(kind === undefined ? [] : [one('object', kind, object)])],
      observations: [
        {
          ...{ subject: 'subject', type, fact: text, confidence, span },
          object: kind === undefined ? { literal: object } : { ref: 'object' },
        },
      ],
    },
  }
}

export function statedEpisode({ id, at, agentId }: Stated, owner: Pick<Owner, 'name'>): GraphEpisode {
  const thread = rememberedThread(agentId)
  return {
    ...{ id: episodeId(REMEMBERED, thread, id), channel: 'owner', thread, people: [] },
    messages: [{ message: id, timestamp: at, trust: 'owner', handle: null, speaker: owner.name ?? null }],
  }
}
