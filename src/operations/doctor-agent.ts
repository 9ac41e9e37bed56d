/** Looks for the agent's program without starting it. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { agentMemory } from '../config/agent-memory.ts'
import type { Config } from '../config/schema.ts'
import { agentProgram } from '../roles/writer/agent/any-program.ts'
import type { DoctorCheck } from './report.ts'

export function agentCheck(config: Config, env: NodeJS.ProcessEnv = process.env): DoctorCheck[] {
  const { write } = agentMemory(config)
  if (write.mode !== 'agent') return []
  const { file } = agentProgram(write.agent, write.agent_command)
  const found = foundAt(file, env)
  if (found !== undefined) return [{ name: 'agent', ok: true, found: `${write.agent} writes sessions: ${found}` }]
  const hint =
    'Install it and log in, say where it is (write.agent_command), or set write.mode to model. Until then rules or the model do it.'
  return [{ name: 'agent', ok: false, found: `${file} is not on the PATH`, hint }]
}

function foundAt(file: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const places = /[\\/]/.test(file) ? [file] : PATH.split(delimiter).map((folder) => join(folder, file))
  const all = process.platform === 'win32' ? places.flatMap((place) => [place, `${place}.exe`, `${place}.cmd`]) : places
  return all.find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
