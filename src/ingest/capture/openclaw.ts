/** OpenClaw's transcripts on the gateway's host: files of each agent, live and put away, and since 2026.7.2 its database. Reads, never writes. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Adapter, Checkpoint, DiscoverOptions, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { databaseUnit } from '../database-unit.ts'
import { type WalkOptions, walk } from '../walk.ts'
import { packedReader } from './openclaw/packed-reader.ts'
import { openclawPlace, type PlaceOptions } from './openclaw/place.ts'
import { readDatabase } from './openclaw/read-database.ts'
import { bareName, sessionStores } from './openclaw/session-store.ts'
import { isDatabase, isPacked, isTranscript } from './openclaw/transcript-name.ts'
import { sessionAge } from './pi/age.ts'
import { readSessionFile } from './pi/read-session-file.ts'
import { beginsWithHeader } from './pi/record-types.ts'
import { readResumedFile } from './pi/resumed-file.ts'
import { whoseFile } from './pi/whose-file.ts'
import { unpackedHead } from './unpack.ts'

export interface OpenclawOptions {
  /** Folders that hold agents, instead of the default ones. */
  readonly places?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly homedir?: string
  /** Ids and names that the owner has on the channels, besides those that the main sessions show. */
  readonly owners?: readonly string[]
}

export function openclaw(options: OpenclawOptions = {}): Adapter {
  const places = () => options.places ?? defaultPlaces(options.env ?? process.env, options.homedir ?? homedir())
  const known: PlaceOptions = { stores: sessionStores(), owners: (options.owners ?? []).map(bareName) }
  return {
    name: 'openclaw',
    reads: 1,
    rewritten: true,
    places,
    discover: (asked) => discover(places(), asked),
    recognises,
    knows: (database, path) => isDatabase(path) || database.columns('transcript_events').has('event_json'),
    age,
    read: (unit, since, reader) => read(unit, since, { reader, known }),
  }
}

const NAMES = ['openclaw', 'moltbot', 'clawdbot']

/** The same on every system: the state folder lies below the home folder. */
function defaultPlaces(env: NodeJS.ProcessEnv, home: string): string[] {
  const configured = NAMES.map((name) => env[`${name.toUpperCase()}_STATE_DIR`]?.trim()).filter((folder) => folder)
  const profile = env.OPENCLAW_PROFILE?.trim()
  const own = profile && profile !== 'default' ? [`.openclaw-${profile}`] : []
  const roots = configured.length > 0 ? configured : [...own, ...NAMES.map((name) => `.${name}`)].map((folder) => join(home, folder))
  return roots.map((root) => join(root as string, 'agents'))
}

async function* discover(places: readonly string[], { path, warn }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  if (path !== undefined) {
    yield* units(path, { accept: (file) => isTranscript(file) || isDatabase(file), warn })
    return
  }
  // Older names of the state folder are often links to the new one.
  const roots = new Map<string, string>()
  for (const place of places) {
    const real = realOf(place)
    if (real !== undefined && !roots.has(real)) roots.set(real, place)
  }
  const accept = (file: string) => isDatabase(file) || (/[\\/]sessions[\\/]/.test(file) && isTranscript(file))
  for (const root of roots.values()) yield* units(root, { accept, warn })
}

async function* units(root: string, options: WalkOptions): AsyncGenerator<SourceUnit, void, undefined> {
  for await (const unit of walk(root, options)) yield isDatabase(unit.path) ? (databaseUnit(unit.path) ?? unit) : unit
}

function realOf(place: string): string | undefined {
  try {
    return realpathSync(place)
  } catch {
    return undefined // not here
  }
}

const SQLITE = 'SQLite format 3\0'

function recognises(head: Buffer, path: string): boolean {
  if (head.subarray(0, SQLITE.length).toString('latin1') === SQLITE) {
    const schema = head.toString('latin1')
    return isDatabase(path) || (/CREATE TABLE "?transcript_events\b/.test(schema) && schema.includes('event_json'))
  }
  const text = (isPacked(path) ? unpackedHead(head) : head).toString('utf8')
  return beginsWithHeader(text) && whoseFile(path, text) === 'openclaw'
}

/** What is live is read last, so that it wins over what was put away. */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  if (isDatabase(unit.path)) return Number.MAX_SAFE_INTEGER
  if (!isPacked(unit.path)) return sessionAge(unit, reader, at)
  const whole = {
    ...reader,
    slice: async (path: string, offset: number, length: number) => unpackedHead(await reader.slice(path, offset, length)),
  }
  return at === 'end' ? unit.mtimeMs : sessionAge(unit, whole, at)
}

async function* read(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  { reader, known }: { reader: UnitReader; known: PlaceOptions },
): AsyncGenerator<ReadItem, void, undefined> {
  if (isDatabase(unit.path)) {
    yield* readDatabase(unit, since, { reader, owners: known.owners })
    return
  }
  const place = await openclawPlace(unit, reader, known)
  if (isPacked(unit.path)) yield* readSessionFile({ unit, since: undefined, reader: packedReader(reader), place })
  else yield* readResumedFile(unit, since, { reader, place })
}
