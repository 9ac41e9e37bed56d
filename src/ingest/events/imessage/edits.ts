/** Edit history and unsent parts, from `message_summary_info`. */
import { readAttributedText } from './attributed-text.ts'
import { type Plist, type PlistDict, readPlist } from './binary-plist.ts'
import { APPLE_EPOCH_MS } from './schema.ts'

export interface Edits {
  readonly earlier: readonly { readonly text: string; readonly at: number | null; readonly part?: number }[]
  readonly current: ReadonlyMap<number, string>
  readonly unsent: readonly number[]
  /** Original number of parts; 0 if unknown. */
  readonly parts: number
}

export function readEdits(summary: Buffer): Edits | undefined {
  const plist = readPlist(summary)
  if (!isDict(plist)) return undefined
  const unsent = Array.isArray(plist.rp) ? plist.rp.filter((part) => typeof part === 'number') : []
  const earlier: { text: string; at: number | null; part?: number }[] = []
  const current = new Map<number, string>()
  for (const [name, versions] of Object.entries(isDict(plist.ec) ? plist.ec : {})) {
    const part = Number(name)
    if (!Number.isInteger(part) || unsent.includes(part) || !Array.isArray(versions)) continue
    const texts = versions.flatMap(versionOf)
    const last = texts.pop()
    if (last !== undefined) current.set(part, last.text)
    for (const { text, at } of texts) earlier.push({ text, at, ...(part > 0 ? { part } : {}) })
  }
  if (unsent.length === 0 && current.size === 0) return undefined
  return { earlier, current, unsent, parts: isDict(plist.otr) ? Object.keys(plist.otr).length : 0 }
}

function versionOf(version: Plist): { text: string; at: number | null }[] {
  if (!isDict(version) || !Buffer.isBuffer(version.t)) return []
  const text = readAttributedText(version.t)?.text
  // Fractional seconds since 2001.
  const at = typeof version.d === 'number' && version.d > 0 ? Math.trunc(version.d * 1000) + APPLE_EPOCH_MS : null
  return text === undefined ? [] : [{ text, at }]
}

function isDict(value: Plist | undefined): value is PlistDict {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
