/**
 * A model for `analyze.provider: command` that is answered through files. The prompt on stdin becomes FOLDER/asked/KEY.md, with shared
 * instructions in FOLDER/instructions/KEY.md. FOLDER/answered/KEY.json is printed if present.
 * `node answer-from-folder.js --folder FOLDER --model NAME [--wait SECONDS]`
 * `--wait` polls and exits with 1 on timeout. Otherwise it prints NOT_ANSWERED and exits with 0. Mnemonic takes that as invalid JSON: it
 * neither retries nor counts a failing model. So one run collects all prompts.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const NOT_ANSWERED = '(not answered yet)'
const POLL_MS = 100
/** Recorded text begins at a tag whose name ends in a code. */
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
  // Drops the line that marks prompts of Mnemonic.
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
