/** NSKeyedArchiver data: objects with references, resolved lazily. */
import { isBinaryPlist, type Plist, type PlistDict, PlistUid, readPlist } from './binary-plist.ts'

/** Accessors never throw; missing or mistyped fields are undefined. */
export interface ArchivedObject {
  readonly class: string | undefined
  field(key: string): Archived | undefined
  elements(): readonly Archived[]
  entry(key: string): Archived | undefined
  entries(): readonly (readonly [Archived, Archived])[]
}

export type Archived = ArchivedObject | string | number | bigint | boolean | Buffer | Date

export function readKeyedArchive(bytes: Buffer): ArchivedObject | undefined {
  const plist = isBinaryPlist(bytes) ? readPlist(bytes) : undefined
  if (!isDict(plist)) return undefined
  const { $objects: objects, $top: top } = plist
  if (!Array.isArray(objects) || !isDict(top)) return undefined
  const root = resolved(top.root ?? Object.values(top)[0], objects)
  return isObject(root) ? root : undefined
}

export function isObject(value: Archived | undefined): value is ArchivedObject {
  return typeof value === 'object' && 'elements' in value
}

export function archivedText(value: Archived | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (!isObject(value)) return undefined
  const text = value.field('NS.string') ?? value.field('NS.bytes')
  if (Buffer.isBuffer(text)) return text.toString('utf8')
  return typeof text === 'string' ? text : undefined
}

export function archivedUrl(value: Archived | undefined): string | undefined {
  const url = isObject(value) ? archivedText(value.field('NS.relative')) : archivedText(value)
  return url === '' ? undefined : url
}

function isDict(value: Plist | undefined): value is PlistDict {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !Buffer.isBuffer(value) &&
    !(value instanceof Date) &&
    !(value instanceof PlistUid)
  )
}

function resolved(value: Plist | undefined, objects: readonly Plist[]): Archived | undefined {
  const found = value instanceof PlistUid ? objects[value.value] : value
  if (found === undefined || found === null || found === '$null' || found instanceof PlistUid || Array.isArray(found)) return undefined
  return isDict(found) ? objectOf(found, objects) : found
}

function objectOf(dict: PlistDict, objects: readonly Plist[]): ArchivedObject {
  const list = (key: string) => {
    const refs = dict[key]
    return Array.isArray(refs) ? refs.map((ref) => resolved(ref, objects)) : []
  }
  const kind = dict.$class instanceof PlistUid ? objects[dict.$class.value] : undefined
  const entries = () => {
    const values = list('NS.objects')
    return list('NS.keys').flatMap((key, i) => {
      const value = values[i]
      return key === undefined || value === undefined ? [] : [[key, value] as const]
    })
  }
  return {
    class: isDict(kind) && typeof kind.$classname === 'string' ? kind.$classname : undefined,
    field: (key) => resolved(dict[key], objects),
    elements: () => ('NS.keys' in dict ? [] : list('NS.objects').filter((value) => value !== undefined)),
    entry: (key) => entries().find(([name]) => archivedText(name) === key)?.[1],
    entries,
  }
}
