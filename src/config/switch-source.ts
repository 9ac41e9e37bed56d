import { MnemonicError } from '../core/error.ts'
import { nearest } from './known-keys.ts'
import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from './source-names.ts'
import { writeValue } from './write-value.ts'

export interface SourceSwitch {
  readonly name: string
  readonly enabled: boolean
  readonly changed: boolean
  readonly config: string
}

const NAMES: readonly string[] = [...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES]

/** Throws USAGE for an unknown or unsupported source, CONFIG_INVALID for an unreadable file. */
export function switchSource(file: string, name: string, enabled: boolean): SourceSwitch {
  if (!NAMES.includes(name)) {
    const near = nearest(name, NAMES)
    throw new MnemonicError('USAGE', `there is no source ${JSON.stringify(name)}`, {
      details: { source: name },
      hint: near === undefined ? `Known: ${NAMES.join(', ')}.` : `Did you mean ${near}?`,
    })
  }
  return { name, enabled, changed: writeValue(file, ['sources', name, 'enabled'], enabled), config: file }
}
