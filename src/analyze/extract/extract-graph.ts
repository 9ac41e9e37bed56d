/** Extracts entities of an episode and facts that people state about them. Agents' answers, tool output and harness text state nothing. */
import { type Extracted, type ExtractedAlias, OWNER_REF, type Span } from '../../graph/extracted.ts'
import { onlyOne, relationOf } from '../../graph/relatives.ts'
import type { EpisodeMessage, EpisodeText } from '../analyzer.ts'
import type { Sentence } from '../statements/sentences.ts'
import { type Collected, collect, TOLD_APART } from './collect.ts'
import { fromIn, sinceIn } from './dates.ts'
import type { Fact, Named, Place } from './fact.ts'
import { factsOfSentence } from './facts-of-sentence.ts'
import { identifiersIn } from './identifiers.ts'
import { isHandedOver, ownSpeech, saidByThemselves } from './own-speech.ts'
import type { RuleOptions } from './rule-options.ts'
import { GATE } from './rules/all.ts'
import { spokenNames } from './spoken-names.ts'

export interface ExtractOptions extends RuleOptions {
  readonly observe: boolean
}

/** Confidence factor for strangers, who may only state facts about themselves. */
const STRANGER = 0.5
const MOST_IDENTIFIERS = 6

export function extractGraph(episode: EpisodeText, options: ExtractOptions): Extracted {
  const { timezone, observe } = options
  const authorOf = authors(options)
  const found = collect()
  const chat = episode.messages.every(({ to }) => to === 'people')
  for (const message of episode.messages) {
    const author = authorOf(message)
    if (message.handle !== null && message.by === 'person') addAuthor(found, author, message, [0, 0])
    if (message.by === 'person' && message.trust !== 'agent') addIdentifiers(found, message, chat)
    for (const sentence of ownSpeech(message, GATE)) {
      const text = message.text.slice(sentence.start, sentence.end)
      for (const fact of factsOfSentence(text, sentence, { timestamp: message.timestamp, timezone })) {
        if (message.trust === 'untrusted' && fact.subject.kind !== 'speaker' && !isSpeaker(fact.object)) continue
        addFact(found, { fact, message, sentence, text, author, authorOf, episode, timezone, observe })
      }
    }
  }
  if (chat) for (const message of episode.messages) if (message.trust !== 'untrusted') addNames(found, message, { episode, authorOf })
  for (const { handle, name, message } of episode.people)
    found.entity({
      ...{ ref: `handle:${handle}`, type: 'person', name: name ?? handle, confidence: 0.95, mention: { message, start: 0, end: 0 } },
      aliases: [handleAlias(handle), ...(name === null ? [] : [{ type: 'name', value: name, from: 'header' } as const])],
    })

  return found.extracted()
}

interface Author {
  readonly ref: string
  readonly name: string
  readonly aliases: readonly ExtractedAlias[]
}

function authors({ owner }: RuleOptions): (message: EpisodeMessage) => Author {
  return ({ handle: from, speaker, isOwner }) => {
    const handle = from ?? (isOwner ? owner?.handle : undefined) ?? null
    const name = isOwner ? (owner?.name ?? speaker) : speaker
    const named: ExtractedAlias[] = name === null ? [] : [{ type: 'name', value: name, from: 'header' }]
    const aliases = handle === null ? named : [handleAlias(handle), ...named]
    if (isOwner) return { ref: OWNER_REF, name: name ?? 'Owner', aliases }
    return { ref: handle === null ? `person:${(name ?? '').toLowerCase()}` : `handle:${handle}`, name: name ?? handle ?? '', aliases }
  }
}

function handleAlias(handle: string): ExtractedAlias {
  const type = handle.includes('@') && handle.includes('.') ? 'email' : /^\+?\d{6,}$/.test(handle) ? 'phone' : 'handle'
  return { type, value: handle, from: 'header' }
}

function addAuthor(found: Collected, { ref, name, aliases }: Author, message: EpisodeMessage, [start, end]: Place): string {
  return found.entity({ ref, type: 'person', name, aliases, confidence: 0.95, mention: { message: message.message, start, end } })
}

function addIdentifiers(found: Collected, said: EpisodeMessage, chat: boolean): void {
  if (said.trust === 'untrusted' || isHandedOver(said)) return
  const { message } = said
  const identified = identifiersIn(saidByThemselves(said.text), { files: !chat, mails: chat }).slice(0, MOST_IDENTIFIERS)
  for (const { type, name, alias, start, end } of identified) {
    const span: Span = { message, start, end }
    found.entity({
      ref: `${alias.type}:${alias.value.toLowerCase()}`,
      type,
      name,
      confidence: 0.9,
      mention: span,
      aliases: [{ ...alias, from: 'text', span }],
    })
  }
}

function addNames(found: Collected, message: EpisodeMessage, parts: Pick<Said, 'episode' | 'authorOf'>): void {
  for (const { text, at, qualifier } of spokenNames(message)) {
    const mention: Span = { message: message.message, start: at[0], end: at[1] }
    const named: Named = { kind: 'name', type: 'person', text, at, qualifier }
    found.entity({
      ref: speakerRef(parts, named) ?? refOfName(named),
      type: 'person',
      name: text,
      qualifier,
      confidence: 0.6,
      mention,
      aliases: [{ type: 'name', value: text, from: 'text', span: mention }],
    })
  }
}

interface Said {
  readonly fact: Fact
  readonly message: EpisodeMessage
  readonly sentence: Sentence
  readonly text: string
  readonly author: Author
  readonly authorOf: (message: EpisodeMessage) => Author
  readonly episode: EpisodeText
  readonly timezone: string
  readonly observe: boolean
}

function addFact(found: Collected, said: Said): void {
  const { fact, message, sentence, text, author, timezone, observe } = said
  // An unnamed speaker cannot be recognised again.
  if (author.name === '' && (fact.subject.kind === 'speaker' || isSpeaker(fact.object))) return
  if ((fact.subject.kind === 'project' || fact.object.kind === 'project') && said.episode.project === null) return
  const subject = refOf(found, fact.subject, said)
  const object = fact.object.kind === 'literal' ? { literal: fact.object.text } : { ref: refOf(found, fact.object, said) }
  if ('ref' in object && object.ref === subject) return
  if (!observe) return
  const when = { timestamp: message.timestamp, timezone }
  const since = fact.dated === 'since' ? sinceIn(text, when) : fact.dated === 'from' ? fromIn(text, when) : undefined
  const until = fact.former ? ((fact.dated === 'until' ? sinceIn(text, when) : undefined) ?? message.timestamp) : undefined
  found.observe({
    ...{ subject, type: fact.type, object, fact: text, confidence: fact.confidence * (message.trust === 'untrusted' ? STRANGER : 1) },
    ...(since === undefined ? {} : { validAt: since }),
    ...(until === undefined ? {} : { invalidAt: until }),
    span: { message: message.message, start: sentence.start, end: sentence.end },
  })
}

function refOf(found: Collected, named: Named, said: Said): string {
  const { message, sentence, author, episode, fact } = said
  const at: Place = [sentence.start + named.at[0], sentence.start + named.at[1]]
  const mention: Span = { message: message.message, start: at[0], end: at[1] }
  if (named.kind === 'speaker') return addAuthor(found, author, message, at)
  if (named.kind === 'project')
    return found.entity({ ref: 'project', type: 'project', name: episode.project ?? '', confidence: 0.9, mention })
  if (named.kind === 'relative') {
    const name = onlyOne(named.word) ?? named.word
    // The owner's mom is Mom; another's is named after them.
    return found.entity({
      ...{
        ref: `relative:${author.ref}:${name.toLowerCase()}`,
        type: 'person',
        name: author.ref === OWNER_REF ? name : `${author.name}'s ${name.toLowerCase()}`,
      },
      ...{ confidence: relationOf(named.word) === undefined ? 0.6 : 0.85, mention },
    })
  }
  const alias: ExtractedAlias = { type: 'name', value: named.text, from: 'text', span: mention }
  return found.entity({
    ref: speakerRef(said, named) ?? refOfName(named),
    type: named.type,
    name: named.text,
    qualifier: named.qualifier,
    confidence: Math.min(0.9, fact.confidence),
    mention,
    aliases: [alias],
  })
}

/** Pets share refs with people. A qualifier separates people of one first name. */
function refOfName({ type, text, qualifier }: Named & { readonly kind: 'name' }): string {
  const ref = `${type === 'pet' ? 'person' : type}:${text.toLowerCase()}`
  return qualifier === undefined || text.includes(' ') ? ref : `${ref}${TOLD_APART}${qualifier}`
}

/** Resolves a name to the only participant who has it. "My sister Sarah" is somebody else. */
function speakerRef({ episode, authorOf }: Pick<Said, 'episode' | 'authorOf'>, named: Named): string | undefined {
  if (named.kind !== 'name' || named.type !== 'person' || (named.qualifier !== undefined && !named.text.includes(' '))) return undefined
  const wanted = named.text.toLowerCase()
  const is = (name: string | null) => name !== null && (name.toLowerCase() === wanted || name.toLowerCase().split(' ')[0] === wanted)
  const refs = new Set([
    ...episode.messages.filter(({ speaker, by }) => by === 'person' && is(speaker)).map((message) => authorOf(message).ref),
    ...episode.people.filter(({ name }) => is(name)).map(({ handle }) => `handle:${handle}`),
  ])
  return refs.size === 1 ? [...refs][0] : undefined
}

function isSpeaker(half: Fact['object']): boolean {
  return half.kind === 'speaker'
}
