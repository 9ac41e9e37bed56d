/** A stand-in for a harness: reads its prompt, calls the two scripts of its folder, notes results. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ScriptedAgent {
  readonly command: readonly string[]
  /** One line each: `[code, text]` of its calls, or whatever the script notes. */
  noted(): unknown[]
  prompts(): string[]
  folders(): string[]
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

/** `body`: statements of a module with `readPrompt`, `search`, `write`, `note` and Node's globals. HOME must be this folder. */
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
