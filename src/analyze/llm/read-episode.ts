/** Model analyses of a turn or a talk. One call per window answers them all. */
import type { ExtractedEntity } from '../../graph/extracted.ts'
import type { AnalysisName, Analyzer, EpisodeText, Findings, FoundFacet } from '../analyzer.ts'
import { entityFacet } from '../entity-facet.ts'
import { type ByModelOptions, byModel, implementationOf } from './by-model.ts'
import { isCut } from './conversation.ts'
import { type ConversationReader, conversationReader, type ReadPart } from './conversation-reader.ts'
import { graphOf, messageOf, participantEntity } from './graph-of-reading.ts'
import { labelOf, statementsOf, summaryOf, topicsOf } from './lines-of-reading.ts'
import { conversationPrompt } from './prompts/conversation.ts'

export interface ReadOptions extends ByModelOptions {
  readonly entityTypes: readonly string[]
  readonly conversations?: ConversationReader
}

export const READ_ANALYSES = [
  'turn_labels',
  'topics',
  'decisions',
  'entity_extraction',
  'memory_extraction',
] as const satisfies AnalysisName[]
export type ReadAnalysis = (typeof READ_ANALYSES)[number]

export interface Whole {
  readonly episode: EpisodeText
  readonly parts: readonly ReadPart[]
  readonly cut: boolean
  readonly types: readonly string[]
  readonly rule: string
}

export function readByModel(name: ReadAnalysis, options: ReadOptions): Analyzer {
  const prompt = conversationPrompt(options.entityTypes)
  const rule = `${implementationOf(options.model)}/${prompt.version}`
  const { conversations = conversationReader({ model: options.model, prompt }) } = options
  return byModel({ name, version: prompt.version, reads: 'speech' }, options, async (episode, signal) => {
    const parts = await conversations.read(episode, name, signal)
    return FINDINGS[name]({ episode, parts, cut: isCut(episode), types: options.entityTypes, rule })
  })
}

export function memoryFindings(whole: Whole): Findings {
  return FINDINGS.memory_extraction(whole)
}

const FINDINGS: Readonly<Record<ReadAnalysis, (whole: Whole) => Findings>> = {
  turn_labels({ episode, parts }) {
    const topics = topicsIn(parts)
    const turns = parts.flatMap((part) => part.reading.turns.filter(({ turn }) => part.turns.includes(turn)))
    const summary = join(turns.map(summaryOf)) ?? null
    const names = parts.flatMap(({ recorded, reading, own }) =>
      reading.entities.filter(({ message }) => own.has(messageOf(recorded, message)?.message.message ?? '')).map(({ name }) => name),
    )
    const label = turns.map(labelOf).find((one) => one !== '') ?? ''
    const output = { label, summary, topics: topics.map(({ value }) => value), entities: names.slice(0, MOST_NAMES) }
    return { output, facets: [], ...(episode.definition === 'agent_turn' ? {} : { summary }) }
  },
  topics({ parts }) {
    const facets = topicsIn(parts)
    return { output: { topics: facets.map(({ value }) => value) }, facets }
  },
  decisions({ parts, rule }) {
    const stated = parts.flatMap((part) => statementsOf(part, rule).found)
    const facets = stated.map(({ statement: { type, message, start, end, confidence }, quote: value }): FoundFacet => {
      return { type, value, confidence, span: { message, start, end }, metadata: { rule } }
    })
    const has = (type: string) => facets.some((facet) => facet.type === type)
    return { output: { has_decision: has('decision'), has_action: has('action_item') }, facets }
  },
  entity_extraction(whole) {
    const { entities, refused } = allOf(whole)
    const output = { entities: entities.map(({ type, name }) => ({ type, name })), refused }
    return { output, graph: { entities, observations: [] }, facets: entities.map(entityFacet) }
  },
  memory_extraction(whole) {
    const { entities, observations, refused } = allOf(whole)
    const statements = whole.parts.map((part) => statementsOf(part, whole.rule))
    const types: Record<string, number> = {}
    for (const { type } of observations) types[type] = (types[type] ?? 0) + 1
    const found = statements.flatMap((part) => part.found.map(({ statement }) => statement))
    const output = {
      ...{ entities: entities.length, observations: types, statements: found.length },
      refused: refused + statements.reduce((sum, part) => sum + part.refused, 0),
      ...(whole.cut ? { cut: true } : {}),
    }
    return { output, graph: { entities, observations }, statements: found, facets: [] }
  },
}

const MOST_NAMES = 10
const MOST_TOPICS = 5

function topicsIn(parts: readonly ReadPart[]): FoundFacet[] {
  const found = parts.flatMap(topicsOf)
  return [...new Map(found.map((facet) => [facet.value, facet])).values()].slice(0, MOST_TOPICS)
}

/** A text of several calls keeps the first and the last summary. */
function join(summaries: readonly (string | null)[]): string | null {
  const told = summaries.filter((one) => one !== null)
  return told.length === 0 ? null : [...new Set([told[0], told.at(-1)])].join(' ')
}

function allOf({ episode, parts, types }: Whole) {
  const entities = new Map<string, ExtractedEntity>()
  const add = (entity: ExtractedEntity) => {
    const before = entities.get(entity.ref)
    if (before === undefined) entities.set(entity.ref, entity)
    else
      entities.set(entity.ref, {
        ...before,
        aliases: once([...before.aliases, ...entity.aliases]),
        mentions: spans([...before.mentions, ...entity.mentions]),
      })
  }
  const observations = []
  let refused = 0
  for (const { recorded, reading, own, isFirst } of parts) {
    for (const participant of recorded.participants) {
      if (!own.has(participant.message)) continue
      const entity = participant.handle === null ? undefined : participantEntity(participant)
      if (entity !== undefined) add(entity)
    }
    const graph = graphOf(reading, { recorded, project: episode.project, types, own, isFirst })
    for (const entity of graph.found.entities) add(entity)
    observations.push(...graph.found.observations)
    refused += graph.refused
  }
  return { entities: [...entities.values()], observations, refused }
}

function once(aliases: ExtractedEntity['aliases']): ExtractedEntity['aliases'] {
  return [...new Map(aliases.map((alias) => [`${alias.type} ${alias.value} ${alias.from}`, alias])).values()]
}

function spans(all: ExtractedEntity['mentions']): ExtractedEntity['mentions'] {
  return [...new Map(all.map((span) => [`${span.message} ${span.start} ${span.end}`, span])).values()]
}
