/** What the path of an OpenClaw transcript says: its agent, its session, its topic, and whether it was archived. */
import { given } from '../../../core/given.ts'

export interface TranscriptName {
  /** The folder that also holds `sessions.json`. */
  readonly folder: string
  /** The session's id, as far as the name has one. */
  readonly id: string
  readonly agentId?: string
  readonly topic?: string
  /** deleted, reset, bak or checkpoint: the file is a copy that its program put away. */
  readonly archive?: string
}

const NAME = /^(.+?)(?:\.checkpoint\.[0-9a-f-]{36})?\.jsonl(?:\.([^\\/]+))?$/i
const AGENT = /[\\/]agents[\\/]([^\\/]+)[\\/](?:sessions|agent)[\\/]/i
const TOPIC = /^(.+)-topic-([^\\/]+)$/
const ARCHIVE = /^(?:(deleted|reset)\..+|(?:.*\.)?(bak)(?:[-._].*)?)$/i
const DATABASE = /^openclaw-agent[^\\/]*\.sqlite$/i

/** True for live transcripts and for those that were put away; locks and half-written files are neither. */
export function isTranscript(path: string): boolean {
  const suffix = NAME.exec(fileOf(path))
  return suffix !== null && (suffix[2] === undefined || ARCHIVE.test(suffix[2]))
}

/** Since version 2026.7.2 the transcripts of an agent are in one database. */
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

/** The name under which a session is kept: each topic of a chat is a conversation of its own. */
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
    return topic // a lone percent sign: the name is what it is
  }
}
