/** One line on stderr, only on a terminal. Never hides the cursor, so needs no cleanup. */
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { OnProgress, ProgressEvent, WaitEvent } from '../core/progress.ts'
import { stripControls } from '../core/text.ts'
import { shorten } from './format/layout.ts'
import { bytes, localTime } from './format/quantity.ts'
import type { Io } from './io.ts'

const REDRAW_MS = 80
const CLEAR_LINE = '\r\u001b[2K'

export interface ProgressLine {
  readonly show: OnProgress
  clear(): void
}

export function progressLine(io: Io, options: { readonly enabled: boolean; readonly now?: () => number }): ProgressLine {
  if (!options.enabled) return { show: () => undefined, clear: () => undefined }
  const now = options.now ?? Date.now
  let drawnAt = Number.NEGATIVE_INFINITY
  let visible = false
  let embedding: Embedding | undefined
  return {
    show(event) {
      if (event.stage === 'embed' && embedding === undefined) {
        embedding = { at: now(), done: event.done }
        if (event.total - event.done >= MANY_CHUNKS) io.stderr.write(`${visible ? CLEAR_LINE : ''}${WORDS_ALREADY}\n`)
      }
      if (now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      visible = true
      const left = event.stage === 'embed' && embedding !== undefined ? estimate(event, embedding, now()) : ''
      io.stderr.write(CLEAR_LINE + shorten(describe(event) + left, (io.columns || 80) - 1))
    },
    clear() {
      if (visible) io.stderr.write(CLEAR_LINE)
      visible = false
    },
  }
}

interface Embedding {
  readonly at: number
  readonly done: number
}

const MANY_CHUNKS = 200
const WORDS_ALREADY = 'Search by words works already. Vectors are being computed; Ctrl-C keeps those that are done.'
const GUESS_AFTER_MS = 3000

function estimate({ done, total, stopsInMs }: Extract<ProgressEvent, { stage: 'embed' }>, began: Embedding, now: number): string {
  const [made, took] = [done - began.done, now - began.at]
  if (made <= 0 || took < GUESS_AFTER_MS || done >= total) return ''
  const left = ((total - done) * took) / made
  const stops = stopsInMs !== undefined && stopsInMs < left ? `, stops in ${span(stopsInMs)}` : ''
  return `, about ${span(left)} left${stops}`
}

function span(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 90 ? `${seconds} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 360) / 10} h`
}

/** Also printed without a terminal: it explains why nothing happens. */
export function describeWait({ job, pid, host, since }: WaitEvent): string {
  const where = host === hostname() ? '' : ` on ${host}`
  return `waiting for another mnemonic ${job} (pid ${pid}${where}, since ${localTime(new Date(since).toISOString())})`
}

function describe(event: ProgressEvent): string {
  switch (event.stage) {
    case 'wait':
      return describeWait(event)
    case 'discover':
      return `${event.adapter}: looking, ${event.found} found`
    case 'ingest':
      return `${event.adapter} ${ingested(event)} ${stripControls(basename(event.path))}`
    case 'copy':
      return `copy ${bar(megabytes(event.done), megabytes(event.total))} MB`
    case 'migrate':
      return event.waiting ? 'waiting: another process is upgrading the database' : `upgrading the database ${bar(event.done, event.total)}`
    case 'secrets':
      return `${event.done.toLocaleString('en-US')} records looked at`
    case 'index':
    case 'episodes':
    case 'embed':
    case 'analyze':
    case 'export':
      return `${event.stage} ${bar(event.done, event.total)}`
  }
}

/** A mailbox or database may take an hour alone, so shows progress within the file. */
function ingested({ done, total, within }: Extract<ProgressEvent, { stage: 'ingest' }>): string {
  if (within === undefined) return bar(done, total)
  const { records, bytes: read, size } = within
  const share = read === null || size === 0 ? 0 : Math.min(read / size, 1)
  const files = total === 1 ? '' : ` ${done}/${total}`
  const how = read === null ? '' : size === 0 ? ` ${bytes(read)},` : ` ${bytes(read)} of ${bytes(size)},`
  return `${blocks((done + share) / Math.max(total, 1))}${files}${how} ${records.toLocaleString('en-US')} read:`
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000)
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  return `${blocks(share)} ${done}/${total}`
}

function blocks(share: number): string {
  const filled = Math.round(share * 20)
  return `[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}]`
}
