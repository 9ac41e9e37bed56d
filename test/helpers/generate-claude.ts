/** Realistic Claude Code logs of any size; deterministic by seed. For benchmarks and crash tests. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'

export interface GenerateOptions {
  readonly folder: string
  readonly bytes: number
  readonly seed?: number
  readonly sessionBytes?: number
}

export interface Generated {
  readonly files: string[]
  readonly bytes: number
  readonly turns: number
}

const SYLLABLES = 'ba co di fu ge ha ji ka lo mi nu pe qui ro sa te vu wa xi yo za bre cla dro fli gra kno plu sta tri'.split(' ')
const NAMES = 'parser cache token index schema migration retry queue lease worker chunk vector ledger session prompt budget'.split(' ')

/** About half of all words in real text. */
const SMALL_WORDS =
  'the a of to and is in that it for we on with this as be are was not you but from or have an by can if then so do at which'.split(' ')

/** mulberry32. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Word frequencies as uneven as in a language. */
function vocabulary(rand: () => number): () => string {
  const words = Array.from({ length: 6000 }, (_, i) => {
    const length = 1 + Math.floor(rand() * 3)
    const word = Array.from({ length }, () => SYLLABLES[Math.floor(rand() * SYLLABLES.length)]).join('')
    return i < NAMES.length ? (NAMES[i] as string) : word
  })
  return () => words[Math.floor(words.length ** rand()) - 1] ?? 'ledger'
}

export async function generateClaude({ folder, bytes, seed = 1, sessionBytes = 600_000 }: GenerateOptions): Promise<Generated> {
  const rand = random(seed)
  const word = vocabulary(rand)
  const files: string[] = []
  let written = 0
  let turns = 0
  for (let n = 0; written < bytes; n += 1) {
    const project = `-home-dev-project-${n % 7}`
    mkdirSync(join(folder, project), { recursive: true })
    const id = uuid(`session ${seed} ${n}`)
    const path = join(folder, project, `${id}.jsonl`)
    files.push(path)
    const out = createWriteStream(path)
    const session = sessionWriter({ id, cwd: `/home/dev/project-${n % 7}`, rand, word, start: Date.UTC(2026, 0, 1) + n * 5_400_000 })
    const target = Math.min(sessionBytes * (0.3 + rand() * 1.4), bytes - written)
    for (let size = 0; size < target; ) {
      const lines = session.turn()
      turns += 1
      size += lines.length
      written += lines.length
      if (!out.write(lines)) await once(out, 'drain')
    }
    out.end()
    await once(out, 'finish')
  }
  return { files, bytes: written, turns }
}

interface SessionOptions {
  readonly id: string
  readonly cwd: string
  readonly start: number
  readonly rand: () => number
  readonly word: () => string
}

export function sessionWriter({ id, cwd, start, rand, word }: SessionOptions) {
  let parent: string | null = null
  let clock = start
  let count = 0
  const spoken = () => (rand() < 0.45 ? (SMALL_WORDS[Math.floor(rand() * SMALL_WORDS.length)] as string) : word())
  const text = (words: number) => Array.from({ length: words }, spoken).join(' ')
  const paragraphs = (words: number) => Array.from({ length: Math.ceil(words / 60) }, () => `${text(Math.min(words, 60))}.`).join('\n\n')

  function line(type: string, message: object, more: object = {}): string {
    const own = uuid(`${id} ${count++}`)
    clock += 700 + Math.floor(rand() * 9000)
    const record = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.7',
      gitBranch: 'main',
      type,
      message,
      ...more,
      uuid: own,
      timestamp: new Date(clock).toISOString(),
    }
    parent = own
    return `${JSON.stringify(record)}\n`
  }

  function assistant(blocks: object[]): string {
    const message = {
      id: `msg_${uuid(`${id} m ${count}`).replaceAll('-', '').slice(0, 24)}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      type: 'message',
    }
    return blocks
      .map((block, i) =>
        line('assistant', { ...message, content: [block], stop_reason: null, usage: { input_tokens: 12, output_tokens: 40 * (i + 1) } }),
      )
      .join('')
  }

  return {
    turn(): string {
      let lines = line('user', { role: 'user', content: `${paragraphs(8 + Math.floor(rand() * 70))} in src/${word()}/${word()}.ts?` })
      for (let calls = Math.floor(rand() * 6); calls > 0; calls -= 1) {
        const call = `toolu_${uuid(`${id} t ${count}`).replaceAll('-', '').slice(0, 24)}`
        lines += assistant([
          { type: 'thinking', thinking: text(40), signature: uuid(`sig ${count}`).repeat(6) },
          { type: 'tool_use', id: call, name: 'Bash', input: { command: `grep -rn ${word()} src/${word()}`, description: text(5) } },
        ])
        const output = Array.from(
          { length: 10 + Math.floor(rand() * 120) },
          (_, i) => `src/${word()}.ts:${i}: const ${word()} = ${word()}(${word()})`,
        ).join('\n')
        lines += line(
          'user',
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: output, is_error: false }] },
          { toolUseResult: { stdout: output, stderr: '', interrupted: false } },
        )
      }
      lines += assistant([
        { type: 'text', text: `${paragraphs(40 + Math.floor(rand() * 260))}\n\n\`\`\`ts\nconst ${word()} = ${word()}()\n\`\`\`` },
      ])
      return lines
    },
  }
}

export function uuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
