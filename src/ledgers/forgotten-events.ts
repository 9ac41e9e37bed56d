import type { Tombstones } from '../tombstones/tombstones.ts'
import { jsonWithoutForgotten } from '../tombstones/without-forgotten.ts'

export interface ForgettableEvent {
  readonly id: string
  readonly content?: string | null | undefined
  readonly thread_id?: string | null | undefined
}

export function isForgottenEvent({ id, content, thread_id }: ForgettableEvent, tombstones: Tombstones): boolean {
  return tombstones.holds('event', id) || isForgottenThread(thread_id, tombstones) || isForgottenText(content, tombstones)
}

export function isForgottenText(content: string | null | undefined, tombstones: Tombstones): boolean {
  return typeof content === 'string' && content !== '' && (tombstones.holds('value', content) || tombstones.holdsText(content))
}

export function isForgottenThread(id: string | null | undefined, tombstones: Tombstones): boolean {
  return typeof id === 'string' && tombstones.holds('thread', id)
}

export function isForgottenPart(
  { series, part, thread_id }: { readonly series: string; readonly part: string; readonly thread_id: string },
  tombstones: Tombstones,
): boolean {
  const id = `calendar:${series}`
  return (
    tombstones.holds('event', part === '' ? id : `${id}/${part}`) ||
    isForgottenThread(id, tombstones) ||
    isForgottenThread(thread_id, tombstones)
  )
}

/** A thread's source name (calendar name, mail id) may be forgotten; the thread then gets a pseudonym. */
export function threadIdWithoutForgotten(id: string, tombstones: Tombstones): string {
  const from = id.indexOf(':') + 1
  return id.slice(0, from) + nameWithoutForgotten(id.slice(from), tombstones)
}

export function nameWithoutForgotten(name: string, tombstones: Tombstones): string {
  return tombstones.holds('value', name) ? tombstones.nameFor('value', name) : name
}

/** Undefined if unchanged. Mails of a thread that lost its name stay together. */
export function eventMetadataWithoutForgotten(json: string, tombstones: Tombstones): string | undefined {
  const clean = jsonWithoutForgotten(json, tombstones)
  if (clean === undefined || !json.includes('"thread_key"')) return clean
  const { thread_key: key } = JSON.parse(json) as { thread_key?: unknown }
  if (typeof key !== 'string' || !tombstones.holds('value', key)) return clean
  return JSON.stringify({ ...(JSON.parse(clean) as object), thread_key: tombstones.nameFor('value', key) })
}
