/** Mail: Google Takeout mbox, `.eml` files, and Gmail API messages. */
import { sep } from 'node:path'
import { given } from '../../core/given.ts'
import type { Adapter, DiscoverOptions, SourceUnit } from '../adapter.ts'
import { describeSource, type SourceOptions } from '../capture/descriptions.ts'
import { pipeUnit, redirectedFile } from '../pipe-unit.ts'
import { sourceFiles } from '../walk.ts'
import { mailForm } from './gmail/form.ts'
import { readMail } from './gmail/read-mail.ts'

export interface GmailOptions extends SourceOptions {
  readonly owners?: readonly string[]
}

export function gmail({ owners = [], ...options }: GmailOptions = {}): Adapter {
  const description = describeSource('gmail', options)
  const own = new Set(owners.map((address) => address.trim().toLowerCase()))
  return {
    ...description,
    discover: (asked) => discover(description.defaultPaths(), asked),
    recognises: (head) => mailForm(head) !== undefined,
    read: (unit, since, reader) => readMail(unit, since, reader, { owners: own }),
  }
}

async function* discover(paths: readonly string[], asked: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const pipe = asked.path === undefined ? undefined : await pipeUnit(asked.path)
  const path = asked.path === undefined ? undefined : ((await redirectedFile(asked.path)) ?? asked.path)
  if (pipe !== undefined) yield pipe
  else yield* sourceFiles(paths, { ...asked, ...given({ path }) }, isMailFile)
}

/** Apple Mail stores `*.mbox/mbox`. A Takeout also has JSON settings. */
function isMailFile(path: string): boolean {
  return /\.(?:mbox|eml|jsonl?)$|[/\\]mbox$/i.test(path) && !path.includes(`${sep}User Settings${sep}`)
}
