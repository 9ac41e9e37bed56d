/**
 * Codex writes a prompt as item and as event, in either order; items without an event are the harness's. Both wait until the agent acts.
 * Then items with an event, and lone events, become prompts.
 */
import { given } from '../../../core/given.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filled, textOf } from '../fields.ts'
import { classifyUserText, type Judged } from './classify-user-text.ts'
import { type ItemContent, itemContent } from './content.ts'
import { closeReply, pushMessage } from './emit.ts'
import type { Asked, Reading, RolloutState } from './read-state.ts'
import { madeName, nameOfId, scopeOf, textHash } from './record-name.ts'

export function userItem(payload: Fields, reading: Reading): void {
  const content = itemContent(payload.content)
  const judged = judge(content)
  const { state } = reading
  const twin = judged.verdict === undefined ? takeTwin(state.asked, 'event', judged, content) : undefined
  // The item wins, unless it holds more than was typed.
  const text = twin && twin.text.trim() !== judged.text.trim() ? twin.text : judged.text
  const hash = textHash('user', text)
  const scope = scopeOf(reading, payload)
  const made = twin?.name ?? madeName(reading, scope, { kind: 'user', hash })
  const id = textOf(payload.id)
  const name = id === undefined ? made : nameOfId(scope, id)
  const metadata = { ...envelopesOf(judged), ...twin?.metadata }
  const asked: Asked = {
    from: 'item',
    name,
    ...(name === made ? {} : { alias: made }),
    hash,
    text,
    ...atOf(twin?.at === undefined ? reading : { at: twin.at }),
    ...given({ blocks: content.mixed ? content.blocks : undefined, metadata: Object.keys(metadata).length === 0 ? undefined : metadata }),
    ...(twin ? { verdict: 'prompt' } : judged.verdict === undefined ? {} : { verdict: judged.verdict }),
  }
  const index = twin === undefined ? -1 : state.asked.indexOf(twin)
  if (index === -1) state.asked.push(asked)
  else state.asked.splice(index, 1, asked)
  settle(reading)
}

/** A user_message event proves that a person wrote it. */
export function userEvent(text: string, payload: Fields, reading: Reading): void {
  const { state } = reading
  const judged = classifyUserText(text)
  if (judged.verdict === 'meta') return
  state.events += 1
  state.eventful = true
  const hash = textHash('user', judged.text)
  const metadata = eventFacts(payload)
  const twin = takeTwin(state.asked, 'item', judged, { texts: [text], blocks: [], mixed: false })
  if (twin) {
    twin.verdict = judged.verdict ?? 'prompt'
    if (metadata) twin.metadata = { ...twin.metadata, ...metadata }
  } else if (state.askedAlone.includes(hash)) {
    state.askedAlone.splice(state.askedAlone.indexOf(hash), 1)
  } else {
    const name = madeName(reading, scopeOf(reading, payload), { kind: 'user', hash })
    const all = { ...envelopesOf(judged), ...metadata }
    const said = { from: 'event', name, hash, text: judged.text, ...atOf(reading) } as const
    state.asked.push({
      ...said,
      ...given({ metadata: Object.keys(all).length === 0 ? undefined : all, verdict: judged.verdict }),
    })
  }
  settle(reading)
}

export function flushAsked(reading: Reading): void {
  const { state } = reading
  const { asked, events } = state
  state.asked = []
  state.events = 0
  for (const one of asked) {
    const typed = one.from === 'event' || (events === 0 && !looksInjected(one, reading) && !isSentAgain(one, state))
    const verdict = one.verdict ?? (typed ? 'prompt' : 'meta')
    if (verdict === 'prompt' && one.from === 'item' && one.verdict === undefined) state.askedAlone.push(one.hash)
    pushAsked(one, verdict, reading)
  }
  if (asked.length > 0) delete state.aborted
}

/** After an abort the harness may resend the first prompt; a person's copy would have an event. */
function isSentAgain({ hash }: Asked, { eventful, aborted, firstPrompt }: RolloutState): boolean {
  return eventful && aborted === true && hash === firstPrompt
}

const WRAPPED = /^<([a-z][\w-]*)(?:\s[^<>]*)?>/i

/** In a file with events, a tag around a text without one is an unknown envelope. */
function looksInjected({ text }: Asked, { state }: Reading): boolean {
  const name = WRAPPED.exec(text.trimStart())?.[1]
  return state.eventful && name !== undefined && text.trimEnd().endsWith(`</${name}>`)
}

export function settle(reading: Reading): void {
  const { asked } = reading.state
  while (asked[0]?.verdict !== undefined) {
    const one = asked.shift() as Asked
    pushAsked(one, one.verdict as NonNullable<Asked['verdict']>, reading)
  }
}

function pushAsked(asked: Asked, verdict: NonNullable<Asked['verdict']>, reading: Reading): void {
  const { state } = reading
  const { from, name, hash, text, at, blocks, metadata } = asked
  // Copies may keep only the event or only the item; the alias joins them.
  const alias = asked.alias ?? (from === 'event' ? name : undefined)
  const said = { id: name, hash, text, at, blocks, metadata, aliases: alias === undefined ? undefined : [alias] }
  closeReply(state)
  if (verdict === 'prompt') {
    state.before.push(state.last ?? null)
    state.prompts += 1
    state.firstPrompt ??= hash
    delete state.counted
    pushMessage(reading, { ...said, role: 'user', kind: 'prompt', trust: state.session.isSubagent ? 'agent' : 'owner' })
  } else if (verdict === 'command') pushMessage(reading, { ...said, role: 'system', kind: 'command', trust: 'owner' })
  else pushMessage(reading, { ...said, role: 'system', kind: 'meta', trust: 'untrusted' })
}

/** A leading envelope block is not part of the typed text. */
function judge({ texts }: ItemContent): Judged {
  const parts = texts.map(classifyUserText)
  const spoken = parts.filter((part) => part.verdict === undefined)
  const text = texts.join('\n\n')
  if (parts.length === 0) return { verdict: undefined, text, envelopes: [] }
  if (spoken.length === 0) return { verdict: parts.every((part) => part.verdict === 'command') ? 'command' : 'meta', text, envelopes: [] }
  const around = parts.filter((part) => part.verdict !== undefined).map((part) => ({ name: 'block', inner: part.text }))
  return {
    verdict: undefined,
    text: spoken.map((part) => part.text).join('\n\n'),
    envelopes: [...around, ...spoken.flatMap((part) => part.envelopes)],
  }
}

/** The undecided counterpart with equal text; with images, equal to one of the item's texts. */
function takeTwin(asked: readonly Asked[], from: Asked['from'], judged: Judged, { texts }: ItemContent): Asked | undefined {
  const open = asked.filter((one) => one.from === from && one.verdict === undefined)
  const said = judged.text.trim()
  const same = open.find((one) => one.text.trim() === said)
  if (same || from === 'item') return same
  return open.find((one) => one.text !== '' && texts.some((text) => text.trim() === one.text.trim()))
}

function envelopesOf({ envelopes }: Judged): Fields {
  return envelopes.length === 0 ? {} : { envelopes }
}

function eventFacts({ images, local_images, audio, local_audio }: Fields): Fields | undefined {
  return filled(withoutBinary({ images, local_images, audio, local_audio }) as Fields)
}

function atOf({ at }: Pick<Reading, 'at'>): { at?: number } {
  return at === undefined ? {} : { at }
}
