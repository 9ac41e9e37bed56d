import { z } from 'zod'
import { typingErrors } from '../core/edit-distance.ts'
import { configSchema } from './schema.ts'
import type { KeyPath } from './tree.ts'

/** Dotted keys, mappings included. Agent settings appear once, as `agents.<id>`. */
export function knownKeys(): string[] {
  return keysBelow(configSchema, [])
}

export function keysAt(path: KeyPath): string[] {
  let schema: z.core.$ZodType | undefined = configSchema
  for (const segment of path) schema = schema && childOf(schema, String(segment))
  const mapping = schema && unwrap(schema)
  return mapping instanceof z.ZodObject ? Object.keys(mapping.shape) : []
}

export function nearestKeys(path: KeyPath, key: string): string[] {
  const here = nearest(key, keysAt(path))
  if (here !== undefined) return [[...path, here].join('.')]
  const elsewhere = knownKeys().filter((known) => !known.startsWith('memorySearch') && isNear(key, known.slice(known.lastIndexOf('.') + 1)))
  const exact = elsewhere.filter((known) => known.endsWith(`.${key}`))
  return exact.length > 0 ? exact : elsewhere
}

export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = typingErrors(plain(word), plain(candidate))
    if (isNear(word, candidate) && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

function isNear(word: string, candidate: string): boolean {
  const [a, b] = [plain(word), plain(candidate)]
  if (Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a))) return true
  return typingErrors(a, b) <= Math.floor(Math.max(a.length, b.length) / 3)
}

function plain(word: string): string {
  return word.slice(0, 80).toLowerCase().replace(/[_-]/g, '')
}

function keysBelow(schema: z.core.$ZodType, path: readonly string[]): string[] {
  const mapping = unwrap(schema)
  if (!(mapping instanceof z.ZodObject)) return []
  return Object.entries(mapping.shape).flatMap(([key, child]) => {
    const here = [...path, key]
    return [here.join('.'), ...keysBelow(child as z.core.$ZodType, here)]
  })
}

function childOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const mapping = unwrap(schema)
  if (!(mapping instanceof z.ZodObject)) return undefined
  if (Object.hasOwn(mapping.shape, key)) return mapping.shape[key] as z.core.$ZodType
  return mapping.def.catchall
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const def = schema._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType }
  const inner = def.innerType ?? def.in
  return inner === undefined ? schema : unwrap(inner)
}
