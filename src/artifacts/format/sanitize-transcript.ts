/**
 * `sanitize_transcript_v6`: deterministic, linear, idempotent. Frozen by a test: any change needs a new version and notes in
 * docs/redaction.md.
 */
import { redactSensitiveText } from '../../core/redact.ts'
import { stripControls } from '../../core/text.ts'

export const SANITIZER_VERSION = 'sanitize_transcript_v6'

/** Some programs treat these as line breaks, so text could escape its block. */
const LINE_SEPARATORS = /[\u2028\u2029]/g
/** Bidirectional controls, zero-width and tag characters. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g
/** Needed in emoji and many scripts, never between ASCII characters. */
const JOINERS = /(?<=[\x21-\x7e])(?:\u034f|\u200c|\u200d|[\ufe00-\ufe0f]|\udb40[\udd00-\uddef])+(?=[\x21-\x7e])/g
/** Our markers or `<private>`, as a model might read them. */
const FORGED = /<(?=\s{0,8}\/?\s{0,8}(?:mnemonic-memory|private)\b)/gi

/** Joins pieces first, so that cuts make no difference. The order of steps matters. */
export function sanitizeTranscriptV6(text: string | Iterable<string>): string {
  const whole = (typeof text === 'string' ? text : [...text].join('')).toWellFormed()
  // Redact before removing invisible characters: `word<colour>secret` needs the colour as a word boundary.
  const safe = redactSensitiveText(whole, { mode: 'tools' })
  const visible = stripControls(safe.replace(UNSEEN, '').replace(LINE_SEPARATORS, '\n')).replace(JOINERS, '')
  return redactToTheEnd(visible.replace(FORGED, '&lt;'))
}

const MOST_ROUNDS = 8

/** A redaction mark may look like a secret: repeats until stable. */
function redactToTheEnd(text: string): string {
  let clean = redactSensitiveText(text, { mode: 'tools' })
  for (let round = 1; round < MOST_ROUNDS && clean.includes('[REDACTED:'); round++) {
    const again = redactSensitiveText(clean, { mode: 'tools' })
    if (again === clean) break
    clean = again
  }
  return clean
}
