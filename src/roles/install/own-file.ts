/** A file that is wholly ours: a plugin, a unit of systemd. A file of the same name that is not ours stays. */
import { MnemonicError } from '../../core/error.ts'
import type { ConfigPart } from './part.ts'

export interface OwnFile {
  readonly path: string
  readonly what: string
  readonly text: string
  /** By what it is known again, whatever version wrote it. */
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
