import { homedir as systemHomedir } from 'node:os'
import { given } from '../core/given.ts'
import { readGitUser } from './git-config.ts'
import { EMAIL, isTimezone } from './plain-values.ts'
import type { Config } from './schema.ts'

export interface Owner {
  readonly name: string | undefined
  readonly timezone: string
  /** Lower-cased. */
  readonly emails: string[]
  readonly phones: string[]
}

export interface OwnerGuess {
  readonly name?: string
  readonly emails: string[]
  readonly timezone: string
  readonly guessed: { readonly name?: 'git'; readonly emails?: 'git'; readonly timezone?: 'system' }
}

export interface GuessOptions {
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly homedir?: string | undefined
  readonly timezone?: string | undefined
}

/** Never throws: falls back to no name, no address and UTC. */
export function guessOwner(options: GuessOptions = {}): OwnerGuess {
  const { name, emails } = gitUser(options)
  const zone = systemZone(options)
  return {
    ...given({ name }),
    emails,
    timezone: zone ?? 'UTC',
    guessed: given({
      name: name === undefined ? undefined : ('git' as const),
      emails: emails.length === 0 ? undefined : ('git' as const),
      timezone: zone === undefined ? undefined : ('system' as const),
    }),
  }
}

function gitUser({ env = process.env, homedir = systemHomedir() }: GuessOptions): { name: string | undefined; emails: string[] } {
  const { name, email } = readGitUser(env, homedir)
  return { name: name?.trim() || undefined, emails: email === undefined ? [] : ownAddress(email) }
}

function systemZone({ timezone }: GuessOptions): string | undefined {
  const zone = timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return typeof zone === 'string' && zone !== 'Etc/Unknown' && isTimezone(zone) ? zone : undefined
}

/** `emails: []` means none: no address is guessed. */
export function resolveOwner(config: Pick<Config, 'owner'>, options: GuessOptions = {}): Owner {
  const { name, timezone, emails, phones } = config.owner
  const git = gitUser(options)
  let zone = timezone
  return {
    name: name ?? git.name,
    // Lazy: resolving the system time zone loads ICU tables, and most searches name no time.
    get timezone() {
      zone ??= systemZone(options) ?? 'UTC'
      return zone
    },
    emails: [...new Set(emails ?? git.emails)],
    phones: [...new Set(phones)],
  }
}

/** Mail from the owner is trusted, so shared and placeholder addresses are rejected. */
function ownAddress(address: string): string[] {
  const plain = address.trim().toLowerCase()
  return EMAIL.test(plain) && !/^(?:[^@]*no-?reply|root|git)@|@users\.noreply\.|@[^@]*\.(?:local|localdomain|internal)$/.test(plain)
    ? [plain]
    : []
}
