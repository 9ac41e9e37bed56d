/**
 * `sanitize_transcript_v6`: what is done to a text before it is part of an artifact. Deterministic, linear, and the same again on its own
 * output. Frozen: a test pins its output; what changes it is a new version, with its notes in docs/redaction.md. Drops nothing by a hunch.
 */
import { redactSensitiveText } from '../../core/redact.ts'
import { stripControls } from '../../core/text.ts'

export const SANITIZER_VERSION = 'sanitize_transcript_v6'

/** Line ends that only some programs recognise, and with which a text could leave its block. */
const LINE_SEPARATORS = /[\u2028\u2029]/g
/** Marks that reorder what a reader sees, what has no width, and letters that only a machine reads. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g
/** Joiners and variation marks: part of emoji and of many scripts, and of no word, path or secret in ASCII. */
const JOINERS = /(?<=[\x21-\x7e])(?:\u034f|\u200c|\u200d|[\ufe00-\ufe0f]|\udb40[\udd00-\uddef])+(?=[\x21-\x7e])/g
/** A mark of ours or `<private>`, as a model might still read it. */
const FORGED = /<(?=\s{0,8}\/?\s{0,8}(?:mnemonic-memory|private)\b)/gi

/**
 * The text of one message, whole or in the pieces in which it came: pieces are put together first, so that where they were cut makes no
 * difference. In this order: half characters, secrets, unseen characters, control characters and escape sequences, joiners, forged marks, and
 * once more secrets.
 */
export function sanitizeTranscriptV6(text: string | Iterable<string>): string {
  const whole = (typeof text === 'string' ? text : [...text].join('')).toWellFormed()
  // The redactor sees through unseen characters, and needs them: `word<colour>secret` is no word once the colour is gone.
  const safe = redactSensitiveText(whole, { mode: 'tools' })
  const visible = stripControls(safe.replace(UNSEEN, '').replace(LINE_SEPARATORS, '\n')).replace(JOINERS, '')
  return redactToTheEnd(visible.replace(FORGED, '&lt;'))
}

const MOST_ROUNDS = 8

/** A mark may itself look like the value of a secret: the result is what no further round changes. */
function redactToTheEnd(text: string): string {
  let clean = redactSensitiveText(text, { mode: 'tools' })
  for (let round = 1; round < MOST_ROUNDS && clean.includes('[REDACTED:'); round++) {
    const again = redactSensitiveText(clean, { mode: 'tools' })
    if (again === clean) break
    clean = again
  }
  return clean
}
