/** Who the owner is: what config.yaml says, and where it says nothing, a guess from git and the system. A guess never overrules a setting. */
import { homedir as systemHomedir } from 'node:os'
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
  /** Where each guess came from; a key is absent when there was nothing to go by. */
  readonly guessed: { readonly name?: 'git'; readonly emails?: 'git'; readonly timezone?: 'system' }
}

export interface GuessOptions {
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly homedir?: string | undefined
  /** What the system says its zone is. */
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
    ...(name === undefined ? {} : { name }),
    emails,
    timezone: known ? zone : 'UTC',
    guessed: {
      ...(name === undefined ? {} : { name: 'git' as const }),
      ...(emails.length === 0 ? {} : { emails: 'git' as const }),
      ...(known ? { timezone: 'system' as const } : {}),
    },
  }
}

/** The owner as every stage sees them. An empty list of addresses in the configuration means none, and nothing is guessed. */
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

/** Mail from the owner is trusted, so an address that many share is not taken for theirs. */
function ownAddress(address: string): string[] {
  const plain = address.trim().toLowerCase()
  return EMAIL.test(plain) && !/^(?:[^@]*no-?reply|root|git)@|@users\.noreply\.|@[^@]*\.(?:local|localdomain|internal)$/.test(plain)
    ? [plain]
    : []
}
