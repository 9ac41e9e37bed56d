/**
 * Scores the answers of any tool: node bench/coding/score.js answers.jsonl [--json]
 * One JSON object per line: `id` and `ranked`, the hits, best first. A hit is a message id or a list of them. `tokens`, optional, has the
 * length of each hit. Output of `mnemonic search --batch` works unchanged. The `uuid` of a line and, for an answer, `message.id` both
 * count.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const BUDGET = 2000

/** @typedef {{ id: string, type: string, evidence: { messages: string[] }[] }} Question */
/** @typedef {{ at5: number, at10: number, budget: number | null }} Found */

/** @returns {Question[]} */
export function questions() {
  return JSON.parse(readFileSync(new URL('./questions.json', import.meta.url), 'utf8'))
}

/**
 * The share of needed facts that an answer holds among its first five hits, its first ten, and those that fit into 2,000 tokens, taken in
 * order until one does not fit.
 * @param {Question} question
 * @param {{ ranked: (string | string[])[], tokens?: number[] }} answer
 * @returns {Found}
 */
export function found({ evidence }, { ranked, tokens }) {
  const hits = ranked.map((hit) => new Set([hit].flat()))
  const share = (some) => evidence.filter(({ messages }) => some.some((hit) => messages.some((id) => hit.has(id)))).length / evidence.length
  let sum = 0
  const over = tokens?.findIndex((count) => {
    sum += count
    return sum > BUDGET
  })
  // A hit of unknown length never fits.
  const fitting = hits.slice(0, over === -1 ? tokens?.length : over)
  return { at5: share(hits.slice(0, 5)), at10: share(hits.slice(0, 10)), budget: tokens === undefined ? null : share(fitting) }
}

/** Hits of one answer line, of any tool. */
function answerOf(line, number) {
  const { id, ranked, results, tokens } = parsed(line) ?? {}
  const hits = ranked ?? results?.map(({ message_ids }) => message_ids) ?? []
  if (id === undefined || !Array.isArray(hits)) {
    throw new Error(`answer ${number + 1} is no object with id and ranked, a list: ${line.slice(0, 80)}`)
  }
  return [String(id), { ranked: hits, ...(tokens ? { tokens } : {}) }]
}

function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // answerOf reports the line
  }
}

/** A question without an answer counts as found nothing. */
export function score(lines) {
  const answers = new Map(lines.filter((line) => line.trim() !== '').map(answerOf))
  const nothing = { ranked: [], ...([...answers.values()].some(({ tokens }) => tokens) ? { tokens: [] } : {}) }
  const all = questions().map((question) => ({ type: question.type, ...found(question, answers.get(question.id) ?? nothing) }))
  const mean = (rows, part) => {
    const known = rows.map((row) => row[part]).filter((value) => value !== null)
    return known.length === 0 ? null : (100 * known.reduce((sum, value) => sum + value, 0)) / known.length
  }
  const row = (name, rows) => ({
    ...{ type: name, questions: rows.length, at5: mean(rows, 'at5'), at10: mean(rows, 'at10'), within_2000_tokens: mean(rows, 'budget') },
  })
  const types = [...new Set(all.map(({ type }) => type))]
  const answered = questions().filter(({ id }) => answers.has(id)).length
  return {
    answered,
    rows: [
      row('all', all),
      ...types.map((type) =>
        row(
          type,
          all.filter((one) => one.type === type),
        ),
      ),
    ],
  }
}

function print({ answered, rows }) {
  const cell = (value) => (value === null ? '–' : value.toFixed(1))
  console.log(`${answered} of ${rows[0].questions} questions answered; needed facts found, %\n`)
  console.log('| | questions | @5 | @10 | within 2,000 tokens |\n|---|---|---|---|---|')
  for (const { type, questions: count, at5, at10, within_2000_tokens } of rows) {
    console.log(`| ${type} | ${count} | ${cell(at5)} | ${cell(at10)} | ${cell(within_2000_tokens)} |`)
  }
}

function scoredOrRefused(lines) {
  try {
    return score(lines)
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : error}`)
    process.exit(2)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file] = process.argv.slice(2).filter((arg) => arg !== '--json')
  if (file === undefined) {
    console.error('usage: node bench/coding/score.js ANSWERS.jsonl [--json]')
    process.exit(2)
  }
  const scored = scoredOrRefused(readFileSync(file, 'utf8').split('\n'))
  if (process.argv.includes('--json')) console.log(JSON.stringify(scored, null, 2))
  else print(scored)
}
