/** Detects copies of published files and dossiers whose source is forgotten, by head and citations. Pure. */
import type { Tombstones } from '../../tombstones/tombstones.ts'

const HEAD = /^---\n([\s\S]{1,8192}?)\n---(?:\n|$)/
const DOSSIER = /^mnemonic: dossier-v\d+$/m
/** The short id is optional, and a message id may contain spaces. */
const CITATION = /\[([^[\]]+)\]/g
const PLACE = /#(?:\d+-\d+|call:.*)$/s

export function isForgottenCopy(text: string, tombstones: Tombstones): boolean {
  const head = HEAD.exec(text.replaceAll('\r\n', '\n'))?.[1]
  if (head === undefined) return false
  const session = fieldOf(head, 'session_id')
  const body = fieldOf(head, 'content_sha256')
  if (session !== undefined && body !== undefined) return tombstones.holds('session', session) || tombstones.holds('artifact', body)
  return (
    DOSSIER.test(head) &&
    [...text.matchAll(CITATION)].some(([, cited = '']) => citedIds(cited).some((id) => isForgottenRecord(id, tombstones)))
  )
}

function fieldOf(head: string, name: string): string | undefined {
  return new RegExp(`^${name}: "?([^"\n]+)"?$`, 'm').exec(head)?.[1]
}

function citedIds(cited: string): string[] {
  const id = decoded(cited).replace(PLACE, '')
  return [id, id.slice(id.indexOf(' ') + 1)]
}

/** Dossiers percent-encode characters that would end a citation. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** A message id starts with its session's. */
function isForgottenRecord(id: string, tombstones: Tombstones): boolean {
  if (tombstones.holds('message', id) || tombstones.holds('event', id)) return true
  const ends = [...id.matchAll(/\//g)].map(({ index }) => index)
  return ends.some((end) => tombstones.holds('session', id.slice(0, end)))
}
