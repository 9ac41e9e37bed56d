/** A program that stands in for a harness: it reads its prompt, calls the two scripts of its folder as it is told, and notes what they said. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ScriptedAgent {
  readonly command: readonly string[]
  /** What it noted, a line for each: `[code, text]` of its calls, and whatever its script says itself. */
  noted(): unknown[]
  /** The prompts that it was given, in order. */
  prompts(): string[]
  /** The folders in which it ran. */
  folders(): string[]
  /** Another one from now on. */
  rewrite(body: string): void
}

const HEAD = `import { spawnSync, spawn, execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const OUT = process.env.HOME + '/agent'
const note = (value) => appendFileSync(OUT + '/noted', JSON.stringify(value) + '\\n')
const readPrompt = () => { const text = readFileSync(0, 'utf8'); appendFileSync(OUT + '/prompts', JSON.stringify(text) + '\\n'); return text }
const call = (script, args) => {
  const { status, stdout, stderr } = spawnSync('skills/cortex/cortex-' + script + '.sh', args, { encoding: 'utf8' })
  note([status, (stdout + stderr).trim()])
  return (stdout + stderr).trim()
}
const search = (...args) => call('search', args)
const write = (...args) => call('write', args)
appendFileSync(OUT + '/folders', JSON.stringify(process.cwd()) + '\\n')
`

/** `body`: the statements of a module; `readPrompt`, `search`, `write`, `note` and Node's own are there. HOME must be this folder. */
export function scriptedAgent(home: string, body: string, name = 'agent.mjs'): ScriptedAgent {
  mkdirSync(join(home, 'agent'), { recursive: true })
  const file = join(home, 'agent', name)
  const rewrite = (text: string) => {
    writeFileSync(file, `#!${process.execPath}\n${HEAD}${text}\n`)
    chmodSync(file, 0o755)
  }
  rewrite(body)
  const lines = (of: string): unknown[] => {
    const path = join(home, 'agent', of)
    if (!existsSync(path)) return []
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
  return {
    command: [file],
    noted: () => lines('noted'),
    prompts: () => lines('prompts') as string[],
    folders: () => lines('folders') as string[],
    rewrite,
  }
}
