/**
 * Sentences in the author's own name: no injected memory, boot files, tool output, pasted text, fiction or circulars. Applies to all rules.
 */
import type { EpisodeMessage } from '../analyzer.ts'
import { isCopied, isReport, pastedFrom } from '../statements/plain-words.ts'
import { type Sentence, sentencesWith } from '../statements/sentences.ts'

/** Longer prompts are mostly pasted text. */
const LONGEST_PROMPT = 2_000
const LONGEST_MESSAGE = 20_000

/** Any markup tag: harnesses wrap reminders, boot files, output and memory in elements. */
const TAG = /<(?:([a-zA-Z][\w:-]{0,60})(?:\s[^<>]{0,400})?|\/([a-zA-Z][\w:-]{0,60})\s{0,20})>/g
const UNCLOSED = /<(?:system-reminder|mnemonic-memory|private|instructions|user_instructions|environment_context|system)\b/i
/** Openings of pasted text: plans, compaction summaries, boot files, logs, mails of others. */
const HANDED_OVER =
  /^\s*(?:implement the following|caveat:|this session is being continued|\[request interrupted|base directory for this skill|#{1,3} |# ?agents\.md|contents of \/|system:|you are (?:an?|the|now|going to be|my) |<)|^(?:from|subject|transcript|article|text|input|context|abstract|passage|email|job description)\s*:\s/im
const BOOT_FILE = /\b(?:CLAUDE|AGENTS|GEMINI|SOUL|IDENTITY|MEMORY)\.md\b.{0,80}(?:\n|:$)|codebase and user instructions are shown below/i
const FICTION =
  /\b(?:act(?:ing)? as|pretend|role-?play|imagine|fictional|hypothetical(?:ly)?|let'?s say|suppose|in the style of|(?:write|draft|compose|create|generate|make|tell|continue|rewrite|rephrase|paraphrase|proofread|edit|translate|correct|summari[sz]e|expand|shorten|improve|polish)\b.{0,60}\b(?:story|stories|poem|lyrics|song|script|scene|dialogue|novel|chapter|essay|letter|e-?mail|message|post|tweet|caption|article|bio|blog|speech|monologue|paragraph|text|sentence|character|cover letter|resume|cv|statement|review|description|fanfic\w*|joke|prompt|passage|answer|following|this|below))\b/i
const CIRCULAR = /\bunsubscribe\b|\bview (?:this|in) (?:email|browser)\b|\bdo not reply\b/i
const MACHINE_HANDLE = /^(?:no-?reply|do-?not-?reply|newsletter|news|notifications?|mailer-daemon|info|marketing|updates?|support)[@+.-]/i

export function* ownSpeech(message: EpisodeMessage, wanted: RegExp): Generator<Sentence> {
  const { text, by, trust, ownWords, handle } = message
  if (by !== 'person' || trust === 'agent' || text.length > LONGEST_MESSAGE || text.search(wanted) === -1) return
  if (trust === 'untrusted' && (CIRCULAR.test(text) || MACHINE_HANDLE.test(handle ?? ''))) return
  if (isHandedOver(message)) return
  const said = saidByThemselves(text)
  if (FICTION.test(said)) return
  const pasted = message.to === 'agent' ? pastedFrom(said) : said.length
  for (const sentence of sentencesWith(said, wanted, { lists: true })) {
    if (message.to === 'agent' && (sentence.start >= pasted || isOfOthers(said, sentence))) continue
    if (ownWords === undefined || ownWords.some(([from, until]) => sentence.start >= from && sentence.end <= until)) yield sentence
  }
}

const LEAD = /^[^:]{1,80}:\s/

function isOfOthers(said: string, { start, plain }: Sentence): boolean {
  const lead = LEAD.exec(plain)?.[0]
  return isCopied(said, start) || (lead !== undefined && isReport(lead))
}

export function isHandedOver({ text, to }: EpisodeMessage): boolean {
  if (text.length > LONGEST_MESSAGE) return true
  if (to !== 'agent') return false
  const said = saidByThemselves(text)
  return said.trim().length > LONGEST_PROMPT || HANDED_OVER.test(said) || BOOT_FILE.test(said)
}

/** Collects all tags in one pass: a text may have any number of them. */
function elementsOf(text: string): [number, number][] {
  const tags = [...text.matchAll(TAG)]
  const closing = new Map<string, [number, number][]>()
  for (const { 0: whole, 2: name, index } of tags.toReversed()) {
    if (name === undefined) continue
    const same = closing.get(name)
    if (same === undefined) closing.set(name, [[index, index + whole.length]])
    else same.push([index, index + whole.length])
  }
  const found: [number, number][] = []
  for (const { 1: name, index } of tags) {
    if (name === undefined || index < (found.at(-1)?.[1] ?? 0)) continue
    const same = closing.get(name) ?? []
    while ((same.at(-1)?.[0] ?? Number.POSITIVE_INFINITY) < index) same.pop()
    const end = same.at(-1)
    if (end !== undefined) found.push([index, end[1]])
  }
  const last = found.at(-1)?.[1] ?? 0
  const open = text.slice(last).search(UNCLOSED)
  if (open !== -1) found.push([last + open, text.length])
  return found
}

function without(text: string, hidden: readonly (readonly [number, number])[]): string {
  const parts: string[] = []
  let at = 0
  for (const [from, to] of hidden) {
    parts.push(text.slice(at, from), text.slice(from, to).replace(/[^\n]/g, ' '))
    at = to
  }
  return parts.join('') + text.slice(at)
}

/** Blanks markup elements of harnesses; offsets stay. */
export function saidByThemselves(text: string): string {
  const hidden = text.includes('<') ? elementsOf(text) : []
  return hidden.length === 0 ? text : without(text, hidden)
}
