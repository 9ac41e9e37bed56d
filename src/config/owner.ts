/** Who the owner is: as config.yaml says, and where it says nothing, a guess from git and the system. A setting always wins over a guess. */
import { homedir as systemHomedir } from 'node:os'
import { given } from '../core/given.ts'
import { readGitUser } from './git-config.ts'
import { EMAIL, isTimezone } from './plain-values.ts'
import type { Config } from './schema.ts'

export interface Owner {
  readonly name: string | undefined
  readonly timezone: string
  /** Lower case. */
  readonly emails: string[]
  /** As they were written. */
  readonly phones: string[]
}

export interface OwnerGuess {
  readonly name?: string
  readonly emails: string[]
  readonly timezone: string
  /** Where each guess came from; a key is absent where nothing could be guessed. */
  readonly guessed: { readonly name?: 'git'; readonly emails?: 'git'; readonly timezone?: 'system' }
}

export interface GuessOptions {
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly homedir?: string | undefined
  /** The time zone of the system. */
  readonly timezone?: string | undefined
}

/** Never fails: without git there is no name and no address, without a zone it is UTC. */
export function guessOwner(options: GuessOptions = {}): OwnerGuess {
  const git = readGitUser(options.env ?? process.env, options.homedir ?? systemHomedir())
  const name = git.name?.trim() || undefined
  const emails = git.email === undefined ? [] : ownAddress(git.email)
  const zone = options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const known = typeof zone === 'string' && zone !== 'Etc/Unknown' && isTimezone(zone)
  return {
    ...given({ name }),
    emails,
    timezone: known ? zone : 'UTC',
    guessed: given({
      name: name === undefined ? undefined : ('git' as const),
      emails: emails.length === 0 ? undefined : ('git' as const),
      timezone: known ? ('system' as const) : undefined,
    }),
  }
}

/** The owner as every stage uses it. An empty list of addresses in the configuration means none, and none is guessed. */
export function resolveOwner(config: Pick<Config, 'owner'>, options: GuessOptions = {}): Owner {
  const { name, timezone, emails, phones } = config.owner
  const guess = guessOwner(options)
  return {
    name: name ?? guess.name,
    timezone: timezone ?? guess.timezone,
    emails: [...new Set(emails ?? guess.emails)],
    phones: [...new Set(phones)],
  }
}

/** Mail from the owner is trusted, so an address that many people share does not count as the owner's. */
function ownAddress(address: string): string[] {
  const plain = address.trim().toLowerCase()
  return EMAIL.test(plain) && !/^(?:[^@]*no-?reply|root|git)@|@users\.noreply\.|@[^@]*\.(?:local|localdomain|internal)$/.test(plain)
    ? [plain]
    : []
}
