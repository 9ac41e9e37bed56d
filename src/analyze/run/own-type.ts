import { MnemonicError } from '../../core/error.ts'
import { shortHash } from '../../core/hash.ts'
import { readRules } from '../../episodes/definitions.ts'
import type { Store } from '../../store/store.ts'
import { type AnalysisType, putType, readTypes, removeType } from './analysis-type.ts'
import { isBuiltIn } from './built-in-types.ts'
import { unknownType } from './plan.ts'

export interface NewType {
  readonly name: string
  readonly on: readonly string[]
  /** The episode's text follows it. */
  readonly prompt: string
  /** Allowed facets with their meaning. If empty, the model answers in prose. */
  readonly facets?: Readonly<Record<string, string>>
  readonly model?: string
}

const NAME = /^[a-z][a-z0-9_]{1,47}$/
const LONGEST_PROMPT = 20_000

export async function addType(store: Store, given: NewType, now: number): Promise<AnalysisType> {
  const { name, on, prompt, facets = {}, model = null } = given
  if (!NAME.test(name) || isBuiltIn(name))
    throw refused('name', name, isBuiltIn(name) ? 'is built in' : 'is not lower-case letters, digits and _')
  if (prompt.trim() === '' || prompt.length > LONGEST_PROMPT)
    throw refused('prompt', name, `has no text, or more than ${LONGEST_PROMPT} characters`)
  for (const facet of Object.keys(facets)) if (!NAME.test(facet)) throw refused('facet', facet, 'is not lower-case letters, digits and _')
  const known = (await readRules(store.read)).map(({ id }) => id)
  const missing = on.filter((definition) => !known.includes(definition))
  if (on.length === 0 || missing.length > 0)
    throw new MnemonicError(
      'USAGE',
      missing.length === 0 ? 'no episode definition is named' : `no episode definition is called ${missing.join(', ')}`,
      {
        details: { unknown: missing, known },
        hint: `There are: ${known.join(', ') || 'none before the first mnemonic sync'}.`,
      },
    )
  const outputType = Object.keys(facets).length === 0 ? 'freeform' : 'structured'
  const version = shortHash(8, JSON.stringify([prompt, facets, model]))
  const type = { name, version, outputType, definitions: [...on], prompt, facets, model }
  await store.write((tx) => putType(tx, type, now))
  return { ...type, builtIn: false }
}

export async function dropType(store: Store, name: string): Promise<void> {
  const types = await readTypes(store.read)
  if (!types.some((type) => type.name === name)) throw unknownType(name, types)
  if (isBuiltIn(name)) throw refused('name', name, 'is built in, and stays')
  await store.write((tx) => removeType(tx, name))
}

function refused(what: string, value: string, why: string): MnemonicError {
  return new MnemonicError('USAGE', `the ${what} ${JSON.stringify(value)} ${why}`, { details: { [what]: value } })
}
