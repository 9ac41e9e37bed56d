/**
 * Compares the left-off answer with labels at 40 points of the coding history: session, achievements, next steps, uncommitted files, open
 * questions. Then 62 wordings of prompts. Half of each was held out. One home grows from point to point and never sees later logs.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { codingFolder } from './coding-data.ts'
import { type Cut, leftOffCuts, leftOffWordings, wrongIn } from './left-off-data.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'
import { loaded } from './tokens-to-fact.ts'

type Tokenizer = typeof import('../src/fork/tokenizer.ts')
type StateQuestions = typeof import('../src/core/state-question.ts')

const MOST_TOKENS = 300

export async function leftOffBench(context: BenchContext): Promise<void> {
  const { root, print } = context
  await wordings(print)
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  if (context.brief) return
  const whole = join(root, 'left-off', 'whole')
  mkdirSync(whole, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', whole])
  const logs = growing(whole, join(root, 'left-off', 'logs', 'project'))
  const counts = { built: [0, 0, 0], held: [0, 0, 0] }
  const { countTokens } = await loaded()
  const { loadTokenizer } = await dist<Tokenizer>('fork/tokenizer.js')
  const countOfModels = await loadTokenizer()
  let most = 0
  for (const [i, cut] of leftOffCuts().entries()) {
    logs.grow(cut.at)
    const { wrong, text } = await answerAt(cut, join(root, 'left-off'))
    // By the embedded model's tokenizer and by one of current models.
    most = Math.max(most, countTokens(text), countOfModels(text))
    const row = counts[cut.half]
    row[0] = (row[0] ?? 0) + 1
    if (wrong.length === 0) row[1] = (row[1] ?? 0) + 1
    if (!wrong.some((one) => one.startsWith('session'))) row[2] = (row[2] ?? 0) + 1
    // Of the held-out half only counts are printed.
    if (wrong.length > 0 && cut.half === 'built') print(`cut ${i}, ${cut.ended.slice(0, 8)}: ${wrong.join('; ')}`)
  }
  const percent = (part = 0, all = 0) => ((100 * part) / all).toFixed(1)
  print(
    table(
      `Where the work was left: the right session, and its state (at most ${most} tokens; allowed ${MOST_TOKENS})`,
      ['', 'cut points', 'session', 'session and state', '%'],
      Object.entries(counts).map(([half, [all = 0, right = 0, session = 0]]) => [
        half,
        `${all}`,
        `${session}`,
        `${right}`,
        percent(right, all),
      ]),
    ),
  )
}

async function wordings(print: (line: string) => void): Promise<void> {
  const { stateQuestion } = await dist<StateQuestions>('core/state-question.js')
  const rows = [false, true].map((held) => {
    const own = leftOffWordings().filter((one) => one.held === held)
    const asked = own.filter(({ asks }) => asks)
    const others = own.filter(({ asks }) => !asks)
    const missed = asked.filter(({ text }) => stateQuestion(text) === undefined)
    const alarms = others.filter(({ text }) => stateQuestion(text) !== undefined)
    return [held ? 'held' : 'built', `${asked.length}`, `${missed.length}`, `${others.length}`, `${alarms.length}`]
  })
  print(table('Wordings that ask where the work stands', ['', 'ask', 'missed', 'do not', 'false alarms'], rows))
}

async function answerAt(cut: Cut, root: string): Promise<{ readonly wrong: string[]; readonly text: string }> {
  const mnemonic = await openMnemonic({
    ...{ home: join(root, 'home'), workspace: join(root, 'workspace'), clock: () => Date.parse(cut.at) },
    config: { owner: { timezone: 'UTC' } },
  })
  try {
    await mnemonic.sync({ path: join(root, 'logs'), adapters: ['claude-code'], embed: false })
    const { folder, branch } = cut
    const { text } = await mnemonic.read({ prompt: 'where did we leave off?', folder, branch })
    const answer = await mnemonic.leftOff({ folder, branch })
    return { wrong: text === answer.text ? wrongIn(answer, cut) : ['the reader says something else'], text }
  } finally {
    await mnemonic.close()
  }
}

/** Logs up to a moment; an untimed line belongs to the next timed one. */
function growing(from: string, to: string): { grow(at: string): void } {
  mkdirSync(to, { recursive: true })
  const [project = ''] = readdirSync(from)
  const logs = readdirSync(join(from, project))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => {
      const lines = readFileSync(join(from, project, name), 'utf8')
        .split('\n')
        .filter(Boolean)
      const times = lines.map((line) => /"timestamp":"(\d{4}-[^"]+)"/.exec(line)?.[1] ?? '')
      for (let i = times.length - 2; i >= 0; i--) times[i] ||= times[i + 1] ?? ''
      return { name, lines, times, done: 0 }
    })
  return {
    grow(at) {
      for (const log of logs) {
        const before = log.done
        while (log.done < log.lines.length && (log.times[log.done] ?? '') < at) log.done++
        if (log.done > before) appendFileSync(join(to, log.name), `${log.lines.slice(before, log.done).join('\n')}\n`)
      }
    },
  }
}
