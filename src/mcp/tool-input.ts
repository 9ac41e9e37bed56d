/**
 * Shortens a tool's input schema, which every agent session reads: no dialect URL, bounds or aliases. All are still checked or accepted.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

export function toolInput<T extends StandardSchemaWithJSON>(schema: T): StandardSchemaWithJSON {
  const standard = schema['~standard']
  const input: typeof standard.jsonSchema.input = (options) => {
    const { $schema: _dialect, ...told } = standard.jsonSchema.input(options)
    return shorter(told) as typeof told
  }
  return { '~standard': { ...standard, jsonSchema: { ...standard.jsonSchema, input } } }
}

export const UNTOLD = { untold: true } as const

function shorter(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.filter((value) => !isUntold(value)).map(shorter)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([key, value]) => !isBound(key, value) && !isUntold(value))
  const { anyOf, ...told } = Object.fromEntries(kept.map(([key, value]) => [key, shorter(value)]))
  const [only] = Array.isArray(anyOf) && anyOf.length === 1 ? anyOf : []
  return only === undefined ? { ...told, ...(anyOf === undefined ? {} : { anyOf }) } : { ...told, ...only }
}

function isBound(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && typeof value === 'number'
}

function isUntold(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'untold' in value
}
