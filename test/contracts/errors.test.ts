/** The error codes and the exported names are a contract: this file pins them, docs/errors.md explains them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES, MnemonicError } from '../../src/core/error.ts'
import * as library from '../../src/library/index.ts'

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

/** Every code with whether a job goes on after it. */
const CODES = {
  PARSE_ERROR: true,
  EMBEDDING_FAILED: true,
  MODEL_FAILED: true,
  STORAGE_ERROR: false,
  VALIDATION_ERROR: true,
  NOT_THIS_FORMAT: true,
  SOURCE_UNREADABLE: true,
  CONFIG_INVALID: false,
  DATABASE_NEWER: false,
  DATABASE_OLDER: false,
  NOT_A_DATABASE: false,
  DATABASE_BUSY: true,
  JOB_RUNNING: true,
  LEASE_LOST: false,
  SQL_REFUSED: false,
  NOT_FOUND: false,
  AMBIGUOUS_ID: false,
  USAGE: false,
  UNSUPPORTED_RUNTIME: false,
  NOT_SUPPORTED: false,
  INTERRUPTED: false,
  INTERNAL: false,
} as const

describe('error codes', () => {
  it('are exactly these', () => {
    expect([...ERROR_CODES]).toEqual(Object.keys(CODES))
  })

  it.each(Object.entries(CODES))('%s is recoverable: %s, and docs/errors.md says so', (code, recoverable) => {
    expect(new MnemonicError(code as keyof typeof CODES, 'm').recoverable).toBe(recoverable)
    const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` |`))
    expect(row?.split('|')[3]?.trim()).toBe(recoverable ? 'yes' : 'no')
  })

  it('docs/errors.md explains no code that does not exist', () => {
    const explained = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1])
    expect(explained).toEqual(Object.keys(CODES))
  })
})

it('an error as JSON has code, message, hint, recoverable and details', () => {
  const error = new MnemonicError('PARSE_ERROR', 'bad line', { hint: 'look', details: { line: 3 }, cause: new Error('inner') })
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'PARSE_ERROR',
    message: 'bad line',
    hint: 'look',
    recoverable: true,
    details: { line: 3 },
  })
})

it('the library exports exactly these names', () => {
  const texts = [
    ...[
      'decisions',
      'document',
      'entity',
      'fix',
      'forgetPlan',
      'how',
      'outline',
      'project',
      'read',
      'readSeveral',
      'search',
      'sessions',
      'timeline',
    ],
  ].map((what) => `${what}ForAgent`)
  expect(Object.keys(library).sort()).toEqual(
    [
      'ERROR_CODES',
      'MOST_OF_EACH',
      'MnemonicError',
      'answerHook',
      'copySamples',
      'historyText',
      'mostRelevant',
      'openMnemonic',
      'redactSensitiveText',
      'searchesForAgent',
      'whyText',
      ...texts,
    ].sort(),
  )
})
