import type { Zones } from './zones.ts'

/** jCal property. */
export type Property = [name: string, parameters: Record<string, string | string[]>, type: string, ...values: unknown[]]

export interface Calendar {
  readonly name: string
  /** Named after its file, which is not part of an id. */
  readonly unnamed?: true
  /** Default zone; absent: the owner's. */
  readonly zone?: string
  readonly method?: string
}

export interface Entry {
  readonly uid: string
  readonly calendar: Calendar
  readonly zones: Zones
  readonly properties: readonly Property[]
}

/** Stored properties; omits alarms, attachments and program data. */
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

export function text(entry: Pick<Entry, 'properties'>, name: string): string | undefined {
  const value = first(entry, name)?.[3]
  const written = Array.isArray(value) ? value.join(';') : value === undefined || value === null ? '' : String(value)
  return written.trim() === '' ? undefined : written.trim()
}

export function parameter(property: Property | undefined, name: string): string | undefined {
  const value = property?.[1][name]
  return Array.isArray(value) ? value[0] : value
}
