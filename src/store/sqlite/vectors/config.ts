/** Active and next embedding model, two rows of `meta`. An unreadable row counts as none: vectors pause, search goes on. */
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../../core/error.ts'
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { META } from '../../meta.ts'
import type { EmbeddingIdentity, VectorConfig } from '../../vectors.ts'

export const ACTIVE = META.embeddingIdentity
export const SHADOW = META.embeddingShadow

type Key = typeof ACTIVE | typeof SHADOW

const MOST_DIMENSIONS = 8192

export function vectorConfig({ model, dimensions, pooling = '', tokenizer = '', context = '' }: EmbeddingIdentity): VectorConfig {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS) {
    throw new MnemonicError('VALIDATION_ERROR', `a model cannot have ${dimensions} dimensions`, { details: { model, dimensions } })
  }
  // The context is excluded: it changes texts, which have their own hashes, not the meaning of a vector.
  const id = shortHash(8, JSON.stringify([model, dimensions, pooling, tokenizer]))
  return { id, model, dimensions, pooling, tokenizer, context }
}

export function sameIdentity(a: VectorConfig, b: VectorConfig): boolean {
  return a.id === b.id && a.context === b.context
}

export function configReader(db: Database.Database): (key: Key) => VectorConfig | undefined {
  const read = db.prepare('select value from meta where key = ?').pluck()
  return (key) => {
    const value = read.get(key) as string | undefined
    return value === undefined ? undefined : parse(value)
  }
}

export function writeConfig(db: Database.Database, key: Key, config: VectorConfig): void {
  db.prepare('insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value').run(
    key,
    JSON.stringify(config),
  )
}

function parse(value: string): VectorConfig | undefined {
  try {
    const { model, dimensions, pooling, tokenizer, context } = JSON.parse(value) as VectorConfig
    if (typeof model !== 'string') return undefined
    return vectorConfig({ model, dimensions, ...given({ pooling, tokenizer, context }) })
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof MnemonicError) return undefined
    throw error
  }
}
