/** A file that is wholly ours, such as a plugin or systemd unit. Files of the same name without our mark stay. */
import { MnemonicError } from '../../core/error.ts'
import type { ConfigPart } from './part.ts'

export interface OwnFile {
  readonly path: string
  readonly what: string
  readonly text: string
  /** Identifies our file, whichever version wrote it. */
  readonly mark: string
}

export function ownFile({ path, what, text, mark }: OwnFile): ConfigPart {
  const isOurs = (found: string) => found.includes(mark)
  return {
    path,
    what,
    holds: isOurs,
    add(found) {
      if (found !== undefined && found.trim() !== '' && !isOurs(found)) {
        throw new MnemonicError('CONFIG_INVALID', `${path} is there and is not Mnemonic's`, {
          details: { file: path },
          hint: 'Move that file away, then run it again. Nothing was changed.',
        })
      }
      return text
    },
    remove: (found) => (isOurs(found) ? undefined : found),
  }
}
