/** Shared fields of tools. Inputs reject unknown keys. Outputs may gain keys, never lose one. */
import { z } from 'zod'
import { UNTOLD } from './tool-input.ts'

/** Every agent session reads these descriptions, so length limits are checked but not described. */
export const name = z
  .string()
  .trim()
  .refine((text) => text.length >= 1 && text.length <= 65_536, 'must have 1 to 65536 characters')
export const text = (description: string) => name.describe(description).optional()
export const short = name.refine((given) => given.length <= 4000, 'must have at most 4000 characters')
export const some = <T extends z.ZodType>(kind: T, most: number) =>
  z.array(kind).refine(({ length }) => length <= most, `must be at most ${most}`)
export const limit = (most: number) => z.int().min(1).max(most).optional()
export const count = z.number().refine((given) => Number.isInteger(given) && given >= 1, 'must be a whole number from 1 on')

export const untold = name.meta(UNTOLD).optional()

export type Sent<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]: Sent<Exclude<T[K], undefined>> } : T

export const time = z.string().describe('ISO 8601 UTC')
export const notice = z.string().describe('How to read the text below.')
export const failure = z.looseObject({ code: z.string(), message: z.string() })
