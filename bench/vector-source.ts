/** Generated document vectors, questions, and the baseline scan. */
import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { random } from '../test/helpers/generate-claude.ts'
import { DIMENSIONS, type RealVectors } from './real-vectors.ts'

/** Share of noise in a copy: a cosine of about .9. */
const NOISE = 0.5

export type Hit = { readonly chunkId: number }

/** Real vectors, then noisy copies of them; clusters if there are none. */
export function vectorSource(real: RealVectors | undefined, questions: number): { next: () => Float32Array; queries: Float32Array[] } {
  const rand = random(5)
  // Near enough to a normal distribution, in a third of the time.
  const bell = () => (rand() + rand() + rand() - 1.5) * 2
  const unit = (vector: Float32Array) => {
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    return vector.map((value) => value / length)
  }
  const noisy = (vector: Float32Array, noise: number) => unit(vector.map((value) => value + (bell() * noise) / Math.sqrt(DIMENSIONS)))
  let made = 0
  if (real !== undefined) {
    const { documents } = real
    const next = () => {
      const document = documents[made % documents.length] as Float32Array
      made++
      return made <= documents.length ? document : noisy(document, NOISE)
    }
    const step = real.questions.length / questions
    return { next, queries: Array.from({ length: questions }, (_, i) => real.questions[Math.floor(i * step)] as Float32Array) }
  }
  const centres = Array.from({ length: 2000 }, () => unit(new Float32Array(DIMENSIONS).map(bell)))
  const next = () => noisy(centres[made++ % centres.length] as Float32Array, 0.8)
  return { next, queries: Array.from({ length: questions }, (_, i) => noisy(centres[i * 7] as Float32Array, 0.8)) }
}

export interface PlainScan {
  begin(): void
  commit(): void
  add(id: number, vector: Float32Array): void
  nearest(query: Float32Array, hits: number): Hit[]
  close(): void
}

/** Default of sqlite-vec: every float of every vector, per query. */
export function plainScan(path: string): PlainScan {
  const db = new Database(path)
  sqliteVec.load(db)
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.exec(
    `create virtual table if not exists plain using vec0 (id integer primary key, embedding float[${DIMENSIONS}] distance_metric=cosine)`,
  )
  const add = db.prepare('insert into plain (id, embedding) values (?, ?)')
  const nearest = db.prepare('select id as chunkId from plain where embedding match ? and k = ? order by distance')
  return {
    begin: () => void db.exec('begin'),
    commit: () => void db.exec('commit'),
    add: (id, vector) => void add.run(BigInt(id), bytesOf(vector)),
    nearest: (query, hits) => nearest.all(bytesOf(query), hits) as Hit[],
    close: () => void db.close(),
  }
}

const bytesOf = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
