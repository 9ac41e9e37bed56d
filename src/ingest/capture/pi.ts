/** pi's session files: `sessions/--<folder>--/<time>_<session>.jsonl`, one tree of entries a file. Reads, never writes. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Adapter, DiscoverOptions, SourceUnit } from '../adapter.ts'
import { walk } from '../walk.ts'
import { sessionAge } from './pi/age.ts'
import { plainPlace } from './pi/dialect.ts'
import { readSessionFile } from './pi/read-session-file.ts'
import { beginsWithHeader } from './pi/record-types.ts'
import { whoseFile } from './pi/whose-file.ts'

export interface PiOptions {
  /** Folders that hold session files, instead of the default ones. */
  readonly places?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly homedir?: string
}

export function pi(options: PiOptions = {}): Adapter {
  const places = () => options.places ?? defaultPlaces(options.env ?? process.env, options.homedir ?? homedir())
  return {
    name: 'pi',
    places,
    discover: (asked) => discover(places(), asked),
    recognises: (head, path) => recognises(head.toString('utf8'), path),
    age: sessionAge,
    read: (unit, since, reader) => readSessionFile({ unit, since, reader, place: plainPlace }),
  }
}

/** The same on every system: pi keeps them below the home folder. Oh My Pi is a fork with a folder of its own. */
function defaultPlaces(env: NodeJS.ProcessEnv, home: string): string[] {
  const sessions = env.PI_CODING_AGENT_SESSION_DIR?.trim()
  if (sessions) return [sessions]
  const agent = env.PI_CODING_AGENT_DIR?.trim()
  return agent ? [join(agent, 'sessions')] : [join(home, '.pi', 'agent', 'sessions'), join(home, '.omp', 'agent', 'sessions')]
}

async function* discover(places: readonly string[], { path, warn }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const accept = (file: string) => file.toLowerCase().endsWith('.jsonl')
  const roots = path === undefined ? places.filter((place) => existsSync(place)) : [path]
  for (const root of roots) yield* walk(root, { accept, warn })
}

function recognises(head: string, path: string): boolean {
  return beginsWithHeader(head) && whoseFile(path, head) === 'pi'
}
