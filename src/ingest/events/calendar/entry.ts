/** One VEVENT, whichever file it came from: the properties that matter, with the zones and the calendar that they are read by. */
import type { Zones } from './zones.ts'

/** A property as jCal writes it: name, parameters, type, values. */
export type Property = [name: string, parameters: Record<string, string | string[]>, type: string, ...values: unknown[]]

export interface Calendar {
  readonly name: string
  /** It has no name of its own and is called by its file, which is no part of an id. */
  readonly unnamed?: true
  /** Where times without a zone are: as the calendar says. Absent: the owner's zone. */
  readonly zone?: string
  /** `CANCEL`: all that it holds was called off. */
  readonly method?: string
}

export interface Entry {
  readonly uid: string
  readonly calendar: Calendar
  readonly zones: Zones
  readonly properties: readonly Property[]
}

/** What is kept of a VEVENT. Alarms, attachments and what programs note for themselves are not. */
export const KEPT: ReadonlySet<string> = new Set(
  `uid recurrence-id sequence dtstamp last-modified created dtstart dtend duration rrule rdate exdate exrule summary description x-alt-desc
   location status transp class categories url organizer attendee geo conference x-google-conference x-mnemonic-type`.split(/\s+/),
)

export function first({ properties }: Pick<Entry, 'properties'>, name: string): Property | undefined {
  return properties.find(([own]) => own === name)
}

export function all({ properties }: Pick<Entry, 'properties'>, name: string): Property[] {
  return properties.filter(([own]) => own === name)
}

/** The text of a property; empty text is none. */
export function text(entry: Pick<Entry, 'properties'>, name: string): string | undefined {
  const value = first(entry, name)?.[3]
  const written = Array.isArray(value) ? value.join(';') : value === undefined || value === null ? '' : String(value)
  return written.trim() === '' ? undefined : written.trim()
}

export function parameter(property: Property | undefined, name: string): string | undefined {
  const value = property?.[1][name]
  return Array.isArray(value) ? value[0] : value
}
