/** Sessions of every source with unique strings, so that a test can find any byte left. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { base64Forms, jsonForms, urlForms } from '../../src/forget/prove/encodings.ts'
import type { Exchange } from './sample-source.ts'
import { SAMPLE_SOURCES } from './sources/all.ts'

export interface Canary {
  readonly text: string
  readonly source: string
  readonly where: 'prompt' | 'answer' | 'params' | 'result' | 'path' | 'name' | 'title' | 'escaped'
}

const START = Date.UTC(2026, 2, 1, 9)
const HOUR = 3_600_000

/** Common prefix of a kind. */
export function nest(where: string): string {
  return `zq${where}canary`
}

/** Letters that no word compression splits and no other text has. */
export function canary(n: number, where: string): string {
  return `${nest(where)}${(n * 7919 + 104_729).toString(36)}vx`
}

/** Per source one session full of canaries and one that must survive. Returns the canaries and the words to survive. */
export function plantCanaries(folder: string): { canaries: Canary[]; kept: string[] } {
  const canaries: Canary[] = []
  const kept: string[] = []
  let n = 0
  for (const [i, source] of SAMPLE_SOURCES.entries()) {
    const plant = (where: Canary['where']): string => {
      const text = canary(n++, where)
      canaries.push({ text, source: source.name, where })
      return text
    }
    const root = join(folder, `${i}-${source.name}`, plant('path'))
    const at = START + i * 24 * HOUR
    const exchange = (k: number, more: Partial<Exchange> = {}): Exchange => ({
      prompt: `Question ${k} about the ${source.name} lighthouse: ${plant('prompt')} and what then?`,
      answer: `Answer ${k}: the keeper said ${plant('answer')} in the evening, "quoted" and done.`,
      at: at + k * 60_000,
      ...more,
    })
    const tool = {
      name: 'Read',
      params: { file_path: `/home/ada/${plant('params')}/notes.md`, nested: JSON.stringify({ deep: plant('escaped') }) },
      result: `line one\nline two ${plant('result')} end`,
    }
    const quiet = (k: number): Exchange => {
      const word = `harbour${i}x${k}keeper`
      kept.push(word)
      return { prompt: `Tell me of ${word} again`, answer: `The ${word} is fine.`, at: at + 10 * HOUR + k * 60_000 }
    }
    source.write(root, `full-${i}`, [exchange(0), exchange(1, { tool }), exchange(2), exchange(3), exchange(4)])
    source.write(join(folder, `${i}-${source.name}`, 'plain'), `calm-${i}`, [quiet(0), quiet(1)])
  }
  plantNames(folder, (where) => {
    const text = canary(n++, where)
    canaries.push({ text, source: 'jsonl', where })
    return text
  })
  return { canaries, kept }
}

function plantNames(folder: string, plant: (where: Canary['where']) => string): void {
  const root = join(folder, 'named')
  mkdirSync(root, { recursive: true })
  const line = (role: string, content: string, more: object) =>
    JSON.stringify({ session_id: 'named-1', role, content, timestamp: new Date(START - HOUR).toISOString(), ...more })
  const speakers = Array.from({ length: 20 }, (_, k) => line('user', `A word of person ${k}`, { id: `m${k}`, speaker: plant('name') }))
  writeFileSync(join(root, 'named.jsonl'), `${[...speakers, line('assistant', 'Well noted.', { id: 'm-end' })].join('\n')}\n`)
  for (let k = 0; k < 8; k += 1) {
    const id = `8f14e45f-00${10 + k}-4e6a-8ffd-902d7a9e3981`
    const common = {
      sessionId: id,
      cwd: `/srv/${plant('path')}`,
      timestamp: new Date(START - HOUR).toISOString(),
      version: '2.1.0',
      gitBranch: plant('name'),
    }
    const lines = [
      { ...common, type: 'user', uuid: `${id}-1`, parentUuid: null, message: { role: 'user', content: `Which port for ${k}?` } },
      {
        ...common,
        type: 'assistant',
        uuid: `${id}-2`,
        parentUuid: `${id}-1`,
        message: {
          id: `msg_${k}`,
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          type: 'message',
          content: [{ type: 'text', text: `Port ${8000 + k}.` }],
        },
      },
      { type: 'summary', summary: `${plant('title')} and ports`, leafUuid: `${id}-2` },
    ]
    writeFileSync(join(root, `${id}.jsonl`), `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`)
  }
}

export function present(folders: readonly string[], canaries: readonly Canary[]): Set<string> {
  const files = folders.flatMap(filesBelow).map((file) => readFileSync(file))
  return new Set(canaries.map(({ text }) => text).filter((text) => files.some((bytes) => bytes.includes(text))))
}

/** Reads every file itself: which texts are left in any form, and where. */
export function leftOver(folders: readonly string[], canaries: readonly string[]): string[] {
  const left: string[] = []
  const forms = canaries.flatMap((text) => {
    const written = [text, ...jsonForms(text), ...urlForms(text)].map((form) => Buffer.from(form))
    const wide = Buffer.from(text, 'utf16le')
    return [...written, wide, Buffer.from(wide).swap16(), ...base64Forms(text).map((form) => Buffer.from(form))].map((bytes) => ({
      text,
      bytes,
    }))
  })
  for (const file of folders.flatMap(filesBelow)) {
    const bytes = readFileSync(file)
    const name = Buffer.from(file)
    for (const form of forms) if (bytes.includes(form.bytes) || name.includes(form.bytes)) left.push(`${form.text} in ${file}`)
  }
  return [...new Set(left)]
}

function filesBelow(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}
