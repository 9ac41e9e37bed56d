/**
 * Decides if a sentence of a prompt is the person's own. Logs do not mark pasted text, so the prompt's shape decides: a few plain sentences
 * without foreign text before. In doubt false.
 */

const LONGEST = 400
const MOST_LINES = 5
const FEWEST_WORDS = 3
const PARAGRAPH = 400
const TYPED = /^[\p{L}'’(](?![^\n]*(?:<\/?[a-z!]|[{}|«»]|(?:^|\s)@\w|\p{Extended_Pictographic}|\b\d{1,2}:\d\d\b|\s{3,}|\t|={2,}))/u
const ENDED = /[.!?…]\)?\s*$/
const QUOTE = /["“”«»]|(?<!\w)'(?=\S)/u
const LEAD_IN =
  /^(?:(?:please )?(?:note|remember)|(?:one |a |new |my |another )?(?:rule|preference|request|thing)|reminder|fyi|btw|also|and|so|ok|important)\s*:\s*/i
const OWN_SAYING =
  /\b(?:as )?i(?:['’]ve| have)?(?: already| just)? (?:said|told you|asked|mentioned|wrote|stated)\b(?: (?:before|already|many times))?:?/gi
const REPORTS =
  /\b(?:says?|said|tells|told|wrote|writes|asked|asks|states|stated|reads|replied|answered|commented|posted|sent|mentions|mentioned|suggests|suggested|recommends|recommended|claims|claimed|according to|translate|summari[sz]e|proofread|rephrase|rewrite|shorten|paraphrase|as follows|the following|below|pasted?|excerpt)\b/i

const AGENTS = '(?:claude|codex|gemini|cursor|copilot|chatgpt|gpt|assistant|agent|buddy|team|there|again|all|everyone|man|folks)\\b'
const GREETING = new RegExp(`^(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear)\\s+(?!(?:${capitalized(AGENTS)}))\\p{Lu}[\\p{L}'’-]+\\s*(?:[,!:]|\\n)`, 'u')
const SIGN_OFF = new RegExp(
  `\\b(?:[Cc]heers|[Rr]egards|[Bb]est(?: wishes)?|[Tt]hanks|[Tt]hank you|[Ss]incerely|[Yy]ours)[,!.]?\\s+(?!(?:${capitalized(AGENTS)}))\\p{Lu}[\\p{L}'’.-]+(?: \\p{Lu}[\\p{L}'’.-]+)?\\s*$`,
  'u',
)
/** Prompts for other agents, or prompt injection. */
const ROLE =
  /^\W*(?:you are|you're|act as|your role is) (?:an?|the|now|to)\b|\b(?:ignore|disregard|forget) (?:(?:all|any|the|your|of) ){0,3}(?:previous|prior|above|earlier|preceding)\b/i

/** Matches either case of each letter; the `i` flag would also affect capitals. */
function capitalized(source: string): string {
  return source.replace(/(?<!\\)[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
}

/** A quotation's author: "… — Eve, CTO". */
const ATTRIBUTED = /[.!?"”’]\s*(?:[-–—]{1,2}|~|\(?\b(?:via|by|source:?|from))\s*@?\p{Lu}[\p{L}'’.-]+(?:,? [\p{L}'’.&-]+){0,5}\)?\s*$/u

export function isOwnRule(text: string, at: number): boolean {
  const whole = text.trim()
  const lines = whole.split('\n')
  if (whole.length > LONGEST || lines.length > MOST_LINES) return false
  if (lines.some((line, i) => !isTyped(line, { isLast: i === lines.length - 1, isOnly: lines.length === 1 }))) return false
  if (GREETING.test(whole) || SIGN_OFF.test(whole) || ROLE.test(whole)) return false
  if (ATTRIBUTED.test(whole)) return false
  const before = ownWordsBefore(text.slice(0, at))
  return !QUOTE.test(before) && !/[:?]|\s[-–—]{1,2}\s/.test(before) && !REPORTS.test(before)
}

function ownWordsBefore(before: string): string {
  return before.trimStart().replace(LEAD_IN, '').replace(OWN_SAYING, '')
}

const TALKED = /\b(?:as |like )?you(?:['’]ve| have)?(?: already| just)? (?:said|suggested|recommended|mentioned|wrote|proposed)\b/gi

/** True for reported speech: "Customer writes: …", "Dana: …". */
export function isReport(lead: string): boolean {
  const before = ownWordsBefore(lead).replace(TALKED, '')
  return REPORTS.test(before) || /^\S+(?: \S+){0,2}:\s*$/.test(before)
}

/** True if the rest belongs to somebody else: "Lee told me …", "Dana: …", "put this in the email: …". */
export function isOthersLead(lead: string): boolean {
  const before = ownWordsBefore(lead).replace(TALKED, '')
  return REPORTS.test(before) || /:(?:\s|$)/.test(before)
}

/** Line starts in copied chats: a time or a mention. */
const COPIED = /^[\s[(]*(?:\d{1,2}:\d\d\b|@\w)/
const ELSEWHERE =
  /\b(?:found|copied|got|from|wiki|docs?|readme|handbook|article|thread|ticket|issue|page|post|e-?mail|message|transcript|chat|log|spec)\b/i

const RECORD = /(?:^|\n)[#*\s]{0,4}(?:status|deciders?|authors?|stakeholders|(?:adr|rfc|issue|ticket)[- #]?\d+)\b\**\s*:[^\n]*\n/i

/** Numbered documents: "PR #44: …", "Policy 4.2 - …". */
const NUMBERED =
  /^\W*(?:pr|pull request|issue|ticket|rfc|adr|policy|requirement|section|article|clause|rule)\b[ #-]{0,3}(?:[A-Z]+-)?\d[\d.]*\s*(?::|[-–—]\s)/i

/** Subtitle times, or a comment's author, above the sentence. */
const CREDIT = /-->|^\W*(?:comment|posted|written|reply|note|message|review)s? (?:by|from)\b/i

const STAMPED = /^\W*\p{L}[^\n]{0,50}\s(?:at )?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?\W*$/u
const SPEAKER = /^[ \t]*\p{Lu}[\p{L}'’.-]{1,20}(?: \p{Lu}[\p{L}'’.-]{0,20}){0,2}\s?:[ \t]+\S/u
const LETTER = new RegExp(
  `(?:^|\\n)[ \\t]*(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Hh]allo|[Ll]iebe[rs]?|[Bb]onjour|[Hh]ola|[Cc]iao)\\s+(?!(?:${capitalized(AGENTS)}))\\p{L}[^\\n]{0,40}[,!:][ \\t]*\\n`,
  'u',
)
const PLAYED = /^\W*(?:(?:let['’]?s )?(?:pretend|role-?play|play|imagine|suppose)|act(?:ing)? as)\b/i

const DOCUMENT =
  /(?:^|\n)(?:#{1,6} \S[^\n]*|[^\n]{2,80}\n[=-]{3,}[ \t]*|[ \t]*[Bb][Yy] \p{Lu}[\p{L}'’.-]+ \p{Lu}[^\n]{0,60}|[^\n]{0,80}\b\d{1,3} min(?:ute)?s? read\b[^\n]*|diff --git [^\n]*|@@ [^\n]{0,80}@@[^\n]*)\n/u
const CHANGED = /^[+-](?=[\p{L}"'`*#])/u

/** True if the decision is part of a letter, chat, record or document. */
export function isCopied(text: string, at: number): boolean {
  const whole = text.trim()
  if (GREETING.test(whole) || SIGN_OFF.test(whole) || NUMBERED.test(whole)) return true
  if (PLAYED.test(whole) || LETTER.test(text.slice(0, at))) return true
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  if (isInDialogue(text, lineStart) || isInQuotation(text.slice(lineStart, at)) || isStamped(text, lineStart)) return true
  if (COPIED.test(text.slice(lineStart)) || CHANGED.test(text.slice(lineStart))) return true
  if (ATTRIBUTED.test(whole) || DOCUMENT.test(text.slice(0, lineStart))) return true
  if (RECORD.test(text.slice(Math.max(0, at - PARAGRAPH), at))) return true
  if (CREDIT.test(text.slice(0, lineStart).trimEnd().split('\n').at(-1) ?? '')) return true
  const lead = /(?:^|\n)([^\n]*):[ \t]*\n\s*\n\s*$/.exec(text.slice(Math.max(0, at - PARAGRAPH), at))?.[1]
  return lead !== undefined && (ELSEWHERE.test(lead) || REPORTS.test(lead))
}

function isInDialogue(text: string, lineStart: number): boolean {
  return SPEAKER.test(text.slice(lineStart, lineStart + 80)) && text.split('\n').filter((line) => SPEAKER.test(line)).length > 1
}

function isInQuotation(before: string): boolean {
  return (before.match(/"/g) ?? []).length % 2 === 1 || before.lastIndexOf('“') > before.lastIndexOf('”')
}

function isStamped(text: string, lineStart: number): boolean {
  const above = text
    .slice(Math.max(0, lineStart - PARAGRAPH), lineStart)
    .trimEnd()
    .split('\n')
  const paragraph = above.slice(above.findLastIndex((line) => line.trim() === '') + 1)
  return lineStart > 0 && paragraph.some((line) => STAMPED.test(line))
}

function isTyped(line: string, { isLast, isOnly }: { readonly isLast: boolean; readonly isOnly: boolean }): boolean {
  const words = line.trim().split(/\s+/).length
  return TYPED.test(line) && (isLast || ENDED.test(line)) && (isOnly || words >= FEWEST_WORDS)
}

const HEADS = [
  /^(?:from|to|subject|date|sent|cc): .+\n(?:from|to|subject|date|sent|cc|reply-to): /im,
  /^on .{5,120} wrote:\s*$/im,
  /^\W*(?:begin )?(?:forwarded|original) message\b.{0,20}$/im,
  /^.{0,80}\b(?:commented|opened this(?: issue| pull request)?|requested changes)\b.{0,30}$/im,
  /^.{0,60}\b(?:translate|summari[sz]e|proofread|rephrase|rewrite|shorten|paraphrase)\b.{0,60}:\s*(?:$|\S)/im,
]

export function pastedFrom(text: string): number {
  return Math.min(text.length, ...HEADS.map((head) => text.search(head)).filter((at) => at !== -1))
}

const SOURCE = /\b(?:says?|said|states?|stated|reads|wrote|writes|according to|recommends?|quot(?:e|es|ed|ing))\b/i
const REPORTED_HERE =
  /\b(?:says?|said|states?|stated|wrote|writes|mentions?|mentioned|recommends?)\b[^.!?]{0,80}\b(?:that|how)\b[^.!?]*$|\b(?:according to|as per) (?!(?:you|your|our|my)\b|what (?:you|we|i)\b)[^.!?]*$/i
/** "The README says: …": the rest of the paragraph is the document's. */
const TOLD_BY_COLON = /\b(?:says?|said|states?|stated|reads|writes|wrote|recommends?)\b[^.!?:\n]{0,60}:\s/i
const TALK = /\b(?:you|i|we)(?:['’]ve| have)?(?: already| just)? (?:said|stated|wrote|mentioned|recommended)\b/gi

/** True if an agent repeats a document or another person. `isLabel`: for "Decision: …", whose speaker stands before it. */
export function isRestated(text: string, at: number, isLabel: boolean): boolean {
  const before = text.slice(Math.max(0, at - PARAGRAPH), at)
  const paragraphs = before.split(/\n\s*\n/)
  const here = paragraphs.at(-1) ?? ''
  const lead = here.trim() === '' && /:\s*$/.test(paragraphs.at(-2) ?? '') ? (paragraphs.at(-2) ?? '') : ''
  const said = `${lead}\n${here}`.replace(TALK, '')
  return isLabel ? SOURCE.test(said) : REPORTED_HERE.test(said) || TOLD_BY_COLON.test(said)
}
