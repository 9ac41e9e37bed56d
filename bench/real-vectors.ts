/** Vectors of real conversations, cached outside the repository; empty with a note if texts or model are absent. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SHARED = fileURLToPath(new URL('../../../../shared/bench/', import.meta.url))
const DIST = new URL('../../../dist/', import.meta.url)
const MOST_DOCUMENTS = 5000
const MOST_QUESTIONS = 300
const MOST_CHARACTERS = 600
export const DIMENSIONS = 384

export interface RealVectors {
  readonly documents: readonly Float32Array[]
  readonly questions: readonly Float32Array[]
}

interface Embedder {
  embed(texts: readonly string[]): Promise<Float32Array[]>
  close(): Promise<void>
}

export async function realVectors(print: (line: string) => void): Promise<RealVectors | undefined> {
  const texts = realTexts()
  if (texts === undefined) {
    print('left out: ../shared/bench is not here, so no vectors of real texts; clusters of made-up ones take their place')
    return undefined
  }
  const file = cacheFile(texts)
  if (!existsSync(file)) {
    const embedder = await openEmbedder()
    if (embedder === undefined) {
      print('left out: the embedded model is not here, so no vectors of real texts; clusters of made-up ones take their place')
      return undefined
    }
    await embedTo(file, [...texts.documents, ...texts.questions], embedder)
    await embedder.close()
  }
  const bytes = readFileSync(file)
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const vectors = Array.from({ length: all.length / DIMENSIONS }, (_, i) => all.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS))
  return { documents: vectors.slice(0, texts.documents.length), questions: vectors.slice(texts.documents.length) }
}

/** The name depends on the texts. */
export function cacheFile({ documents, questions }: { documents: readonly string[]; questions: readonly string[] }): string {
  const folder = process.env.MNEMONIC_BENCH_CACHE ?? join(homedir(), '.cache', 'mnemonic-bench')
  mkdirSync(folder, { recursive: true })
  const hash = createHash('sha256')
    .update(JSON.stringify([documents, questions]))
    .digest('hex')
    .slice(0, 12)
  return join(folder, `minilm-${hash}.f32`)
}

async function openEmbedder(): Promise<Embedder | undefined> {
  try {
    const { loadMinilm } = (await import(new URL('embed/open-embedder.js', DIST).href)) as {
      loadMinilm(options: { modelsFolder: string }): Promise<Embedder>
    }
    return await loadMinilm({ modelsFolder: join(homedir(), '.cache', 'mnemonic-bench', 'models') })
  } catch (error) {
    if (error instanceof Error && /cannot be loaded|Cannot find/.test(error.message)) return undefined
    throw error
  }
}

async function embedTo(file: string, texts: readonly string[], embedder: Embedder): Promise<void> {
  const vectors = await embedder.embed(texts)
  writeFileSync(file, Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength))))
}

interface Turn {
  readonly speaker?: string
  readonly role?: string
  readonly text?: string
  readonly content?: string
}

export function realTexts(): { documents: string[]; questions: string[] } | undefined {
  if (!existsSync(SHARED)) return undefined
  const documents: string[] = []
  const questions: string[] = []
  for (const file of files('locomo')) {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const talk = (parsed.conversation ?? parsed) as Record<string, Turn[]>
    for (const key of Object.keys(talk)) if (/^session_\d+$/.test(key)) documents.push(...exchanges(talk[key] ?? []))
    const asked = (parsed.qa ?? []) as { question: string; category: number }[]
    questions.push(...asked.filter(({ category }, i) => category <= 4 && i % 3 === 0).map(({ question }) => question))
  }
  for (const file of files('longmemeval')) {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as { question: string; haystack_sessions: Turn[][] }
    questions.push(parsed.question)
    for (const session of parsed.haystack_sessions) documents.push(...exchanges(session))
  }
  const once = [...new Set(documents)]
  const step = Math.max(1, once.length / MOST_DOCUMENTS)
  return {
    documents: Array.from({ length: Math.min(MOST_DOCUMENTS, once.length) }, (_, i) => once[Math.floor(i * step)] as string),
    questions: questions.slice(-MOST_QUESTIONS),
  }
}

function files(folder: string): string[] {
  const path = join(SHARED, folder)
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(path, name))
    : []
}

function exchanges(turns: readonly Turn[]): string[] {
  const texts: string[] = []
  for (let i = 0; i < turns.length; i += 2) {
    const lines = turns.slice(i, i + 2).map(({ speaker, role, text, content }) => `${speaker ?? role}: ${text ?? content ?? ''}`)
    texts.push(lines.join('\n').slice(0, MOST_CHARACTERS))
  }
  return texts
}
