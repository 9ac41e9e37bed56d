/**
 * Stores the ids of the last printed list, so that `show 1` means its first line. One file per terminal or harness session in the home, for
 * some days. It includes the redacted query if an agent asked. JSON answers are not stored: a script must not change what a person's
 * numbers mean.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ANSWERS } from '../core/answers-folder.ts'
import { readText, removeLeftovers, writeAtomic } from '../core/atomic-file.ts'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { redactSensitiveText } from '../core/redact.ts'
import type { Cli } from './cli.ts'

/** Longer numbers are part of an id. */
const NUMBER = /^[1-9]\d{0,4}$/
const MOST = 10_000
const KEPT_MS = 7 * 24 * 3_600_000

type Place = { readonly paths: { readonly home: string } }

/**
 * The first id is number 1. Pass full ids of sessions and turns, or paths of documents. Call it for empty answers too, so that older
 * numbers expire. A write error is only a warning.
 */
export async function rememberAnswer(
  { io, out, readOnly }: Cli,
  { paths }: Place,
  ids: readonly string[],
  asked?: readonly string[],
  matchLines?: readonly number[],
): Promise<void> {
  if (out.json || readOnly || io.caller === undefined) return
  const folder = join(paths.home, ANSWERS)
  const about = asked?.map((query) => redactSensitiveText(query, { mode: 'tools' }))
  const kept = { ids: ids.slice(0, MOST), ...given({ about, lines: matchLines?.slice(0, MOST) }) }
  try {
    await writeAtomic(join(folder, `${io.caller()}.json`), [`${JSON.stringify(kept)}\n`], { durable: false })
    prune(folder, Date.now())
  } catch (error) {
    out.warn(`the numbers of this answer are not kept, so show takes ids only: ${asMnemonicError(error).message}`)
  }
}

export function numbered(cli: Cli, place: Place, text: string): string {
  return numberedHit(cli, place, text).name
}

export interface NumberedHit {
  readonly name: string
  readonly about?: readonly string[]
  readonly rank?: number
  readonly line?: number
}

export function numberedHit({ io }: Cli, { paths }: Place, text: string): NumberedHit {
  if (!NUMBER.test(text) || io.caller === undefined) return { name: text }
  const { ids, about, lines } = read(join(paths.home, ANSWERS, `${io.caller()}.json`)) ?? {}
  const rank = Number(text) - 1
  const name = ids?.[rank]
  if (name !== undefined) return about === undefined ? { name } : { name, about, rank, ...given({ line: lines?.[rank] }) }
  throw new MnemonicError('NOT_FOUND', ids === undefined ? `there is no answer with a number ${text} here` : missing(text, ids.length), {
    details: { number: Number(text), last: ids?.length ?? null },
    hint: 'Numbers are those of the last search or sessions in this terminal: run one, or give an id. A session that is called by a number is named with its source: jsonl:1',
  })
}

function missing(text: string, count: number): string {
  return count === 0
    ? `the last answer was empty: it has no number ${text}`
    : `the last answer has no number ${text}: it ends with ${count}`
}

interface Answer {
  readonly ids: readonly string[]
  readonly about?: readonly string[]
  readonly lines?: readonly number[]
}

function read(path: string): Answer | undefined {
  const text = readText(path)
  if (text === undefined) return undefined
  try {
    const { ids, about, lines } = JSON.parse(text) as { ids?: unknown; about?: unknown; lines?: unknown }
    if (!Array.isArray(ids)) return undefined
    return {
      ids: texts(ids),
      ...(Array.isArray(about) ? { about: texts(about) } : {}),
      ...(Array.isArray(lines) && lines.every((line) => Number.isInteger(line) && line > 0) ? { lines } : {}),
    }
  } catch {
    return undefined // foreign content: as if there were no answer
  }
}

function texts(all: readonly unknown[]): string[] {
  return all.filter((one) => typeof one === 'string')
}

function prune(folder: string, now: number): void {
  removeLeftovers(folder, now)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const info = statSync(path, { throwIfNoEntry: false })
    if (info !== undefined && now - info.mtimeMs > KEPT_MS && name.endsWith('.json')) rmSync(path, { force: true })
  }
}
