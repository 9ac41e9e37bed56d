/**
 * A model for `analyze.provider: command` that is whoever reads and answers files: the prompt on stdin becomes FOLDER/asked/KEY.md, and what stands in
 * FOLDER/answered/KEY.json is printed. A known answer is printed at once. Instructions, which many prompts share, become FOLDER/instructions/KEY.md.
 *
 * `node answer-from-folder.js --folder FOLDER --model NAME [--wait SECONDS]`. With `--wait` it polls, and ends with code 1 if nobody answers in time.
 * Without, it prints NOT_ANSWERED and ends with code 0: for Mnemonic that is an answer that is no JSON, so the model is neither asked again nor left
 * alone as one that fails. So one run collects all prompts.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const NOT_ANSWERED = '(not answered yet)'
const POLL_MS = 100
/** Where the recorded text begins: a tag whose name ends in a code. */
const RECORDED = /\n\n(?=<[a-z]+-[0-9a-f]{6,}>\n)/

const {
  folder,
  model = '',
  wait = '0',
} = parseArgs({ options: { folder: { type: 'string' }, model: { type: 'string' }, wait: { type: 'string' } } }).values
if (folder === undefined || !(Number(wait) >= 0)) {
  console.error('usage: node answer-from-folder.js --folder FOLDER --model NAME [--wait SECONDS]')
  process.exit(2)
}
const prompt = readFileSync(0, 'utf8').trim()
const key = keyOf(JSON.stringify([model, prompt]))
const answer = join(folder, 'answered', `${key}.json`)
for (const name of ['asked', 'answered', 'instructions']) mkdirSync(join(folder, name), { recursive: true })
writeAsked()

const until = Date.now() + Number(wait) * 1000
while (!existsSync(answer) && Date.now() < until) await sleep(Math.min(POLL_MS, until - Date.now()))
if (existsSync(answer)) process.stdout.write(readFileSync(answer, 'utf8'))
else if (Number(wait) === 0) console.log(NOT_ANSWERED)
else {
  console.error(`nobody answered ${key} within ${wait} s`)
  process.exitCode = 1
}

function writeAsked() {
  const at = RECORDED.exec(prompt)?.index
  // The line that says who wrote the prompt is the harness's business.
  const instructions = at === undefined ? '' : prompt.slice(0, at).replace(/^\[mnemonic-analysis\][^\n]*\s*/, '')
  const text = at === undefined ? prompt : prompt.slice(at).trim()
  const shared = instructions === '' ? '' : `instructions: instructions/${keyOf(instructions)}.md\n`
  if (instructions !== '') writeWhole(join(folder, 'instructions', `${keyOf(instructions)}.md`), `${instructions}\n`)
  writeWhole(join(folder, 'asked', `${key}.md`), `${shared}answer: answered/${key}.json\n\n${text}\n`)
}

/** @param {string} text */
function keyOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Nobody reads half a file. @param {string} path @param {string} text */
function writeWhole(path, text) {
  const unfinished = `${path}.${process.pid}.tmp`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
}
