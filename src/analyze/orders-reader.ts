/** Detects text of documents or programs that instructs its reader. In doubt it returns true, and the line is left out. */
import { readsAsCommand } from './memory-sentence-anchors.ts'

const READER = '(?:(?:ai|coding|llm|language|code)[- ])?(?:agents?|assistants?|ai|llms?|models?|claude|codex|gemini|copilot|cursor|chatgpt)'
const DUTY =
  '(?:must|shall|should|have to|has to|needs? to|(?:is|are) (?:to|required|expected|instructed|allowed)|(?:will )?(?:always|never)|may not)'
const ADDRESSED = [
  new RegExp(`\\b${READER}\\b[^.!?]{0,80}\\b${DUTY}\\b`, 'i'),
  new RegExp(`^\\W*(?:dear|hi|hello|hey|note (?:to|for)|attention|instructions? (?:to|for)|to)\\b[^.!?]{0,40}\\b${READER}\\b`, 'i'),
  new RegExp(`(?:^|[,.:]\\s)\\W*(?:please|kindly)\\b|\\b(?:if|when) you are (?:an? )?${READER}\\b`, 'i'),
]
const PIPED =
  /\b(?:curl|wget|iwr|irm|fetch)\b.{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\b(?:ba|z)?sh\s+(?:-c\s+)?["'`<$(]*(?:curl|wget)\b/i
/** A description may start like this ("Run containers without root"). It is an order if it adds a time, a secret or a source. */
const BIDS =
  /^\W*(?:run|execute|curl|wget|paste|send|post|upload|fetch|download|open|visit|delete|remove|reply|respond|answer|print|output|approve|merge|push|commit|disable|tell|say|copy|install)\b/i
const SUSPECT =
  /https?:\/\/|\b(?:before|after) (?:any|every|each|you|doing|other|anything)\b|\b(?:in|into|to|with) (?:every|each|the next|all)\b|\bthe (?:owner|user)\b|\b(?:secrets?|credentials?|tokens?|passwords?|api keys?|private keys?|ssh|\.env)\b|\brm -rf\b/i
const ORDER = /^\W*(?:do not|don['’]t|never|always|you|must|make sure|ensure|remember|be sure|important)\b/i
const TAG = /<(?=\/?[a-z])/gi

/** For texts that may warn: "Never use X for Y" passes. */
export function ordersReader(text: string): boolean {
  const plain = text.replace(TAG, ' ')
  return (
    readsAsCommand(plain) || ADDRESSED.some((form) => form.test(plain)) || PIPED.test(plain) || (BIDS.test(plain) && SUSPECT.test(plain))
  )
}

/** For descriptions, which start with no order at all. */
export function isNoDescription(text: string): boolean {
  return ordersReader(text) || ORDER.test(text)
}
