import { given } from '../../../core/given.ts'

export interface TranscriptName {
  /** Also holds `sessions.json`. */
  readonly folder: string
  readonly id: string
  readonly agentId?: string
  readonly topic?: string
  /** deleted, reset, bak or checkpoint; absent if live. */
  readonly archive?: string
}

const NAME = /^(.+?)(?:\.checkpoint\.[0-9a-f-]{36})?\.jsonl(?:\.([^\\/]+))?$/i
const AGENT = /[\\/]agents[\\/]([^\\/]+)[\\/](?:sessions|agent)[\\/]/i
const TOPIC = /^(.+)-topic-([^\\/]+)$/
const ARCHIVE = /^(?:(deleted|reset)\..+|(?:.*\.)?(bak)(?:[-._].*)?)$/i
const DATABASE = /^openclaw-agent[^\\/]*\.sqlite$/i

/** Live and archived transcripts, no locks or partial files. */
export function isTranscript(path: string): boolean {
  const suffix = NAME.exec(fileOf(path))
  return suffix !== null && (suffix[2] === undefined || ARCHIVE.test(suffix[2]))
}

/** One database per agent since 2026.7.2. */
export function isDatabase(path: string): boolean {
  return DATABASE.test(fileOf(path))
}

export function isPacked(path: string): boolean {
  return path.toLowerCase().endsWith('.zst')
}

export function transcriptName(path: string): TranscriptName {
  const file = fileOf(path)
  const [, stem = file, suffix] = NAME.exec(file) ?? []
  const [, id = stem, topic] = TOPIC.exec(stem) ?? []
  const archive = suffix === undefined ? (file.includes('.checkpoint.') ? 'checkpoint' : undefined) : archiveOf(suffix)
  const agentId = AGENT.exec(path)?.[1]
  return {
    folder: path.slice(0, path.length - file.length - 1),
    id,
    ...given({ agentId, topic: topic && decoded(topic), archive }),
  }
}

/** Each topic of a chat is a session of its own. */
export function sessionName(id: string, topic: string | undefined): string {
  return topic === undefined ? id : `${id}-topic-${topic}`
}

function archiveOf(suffix: string): string {
  const [, reason, copy] = ARCHIVE.exec(suffix) ?? []
  return (reason ?? copy ?? suffix).toLowerCase()
}

function fileOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

function decoded(topic: string): string {
  try {
    return decodeURIComponent(topic)
  } catch {
    return topic // literal percent sign
  }
}
