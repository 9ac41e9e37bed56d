/** pi session files: `sessions/--<folder>--/<time>_<session>.jsonl`, one entry tree per file. */
import type { Adapter } from '../adapter.ts'
import { isJsonl, sourceFiles } from '../walk.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { piDialect } from './pi/dialect.ts'
import { beginsWithHeader, sessionAge, whoseFile } from './pi/header.ts'
import { readSessionFile } from './pi/read-session-file.ts'

export function pi(options: SourceOptions = {}): Adapter {
  const description = describeSource('pi', options)
  return {
    ...description,
    discover: (asked) => sourceFiles(description.defaultPaths(), asked, isJsonl),
    recognises: (head, path) => beginsWithHeader(head) && whoseFile(path, head.toString('utf8')) === 'pi',
    age: sessionAge,
    read: (unit, since, reader) => readSessionFile({ unit, since, reader, dialect: piDialect }),
  }
}
