/** Encodings in which a file may contain a text, with base64 at any offset, also of UTF-16 (`powershell -EncodedCommand`). Pure. */

export interface Pattern {
  readonly bytes: Buffer
  /** Base64 is case-sensitive. */
  readonly exact: boolean
}

/** Shorter base64 matches by chance. */
const SHORTEST_BASE64 = 8
export const SHORTEST_PATTERN = 4

export function patternsOf(text: string): Pattern[] {
  const written = new Set([text, ...jsonForms(text), ...urlForms(text), ...quotedForms(text)])
  const folded: Buffer[] = [...written].map((form) => Buffer.from(form, 'utf8'))
  folded.push(...utf16Forms(text), ...utf32Forms(text))
  const exact = [...base64Forms(text), ...base64Of(Buffer.from(text, 'utf16le')), ...hexForms(text)].map((form) =>
    Buffer.from(form, 'latin1'),
  )
  return [...folded.map((bytes) => ({ bytes, exact: false })), ...exact.map((bytes) => ({ bytes, exact: true }))].filter(
    ({ bytes }) => bytes.length >= SHORTEST_PATTERN,
  )
}

/** Database values need only these encodings. */
export function writtenPatterns(text: string): Pattern[] {
  return [...new Set([text, ...jsonForms(text)])].map((form) => ({ bytes: Buffer.from(form, 'utf8'), exact: false }))
}

export function jsonForms(text: string): string[] {
  const once = JSON.stringify(text).slice(1, -1)
  const onceAscii = ascii(once)
  return [once, onceAscii, ...[once, onceAscii].map((form) => JSON.stringify(form).slice(1, -1)), once.replaceAll('/', '\\/')]
}

function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function urlForms(text: string): string[] {
  const well = text.replace(/[\ud800-\udfff]/g, (unit, at: number) => (isPaired(text, at) ? unit : '\ufffd'))
  return [encodeURIComponent(well), encodeURIComponent(well).replaceAll('%20', '+'), encodeURI(well)]
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 0xdc00 ? (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 : (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

function utf16Forms(text: string): Buffer[] {
  const little = Buffer.from(text, 'utf16le')
  return [little, Buffer.from(little).swap16()]
}

function quotedForms(text: string): string[] {
  const quoted = (bytes: RegExp) =>
    Buffer.from(text, 'utf8')
      .toString('latin1')
      .replace(bytes, (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  return [quoted(/[^ -<>-~\t\n\r]/g), quoted(/[^!-<>-~]/g)]
}

function utf32Forms(text: string): Buffer[] {
  const points = Array.from(text, (character) => character.codePointAt(0) as number)
  const [little, big] = [Buffer.alloc(points.length * 4), Buffer.alloc(points.length * 4)]
  for (const [i, point] of points.entries()) {
    little.writeUInt32LE(point, i * 4)
    big.writeUInt32BE(point, i * 4)
  }
  return [little, big]
}

function hexForms(text: string): string[] {
  const hex = Buffer.from(text, 'utf8').toString('hex')
  return [...new Set([hex, hex.toUpperCase()])]
}

/** For each of the three alignments, in both alphabets. */
export function base64Forms(text: string): string[] {
  return base64Of(Buffer.from(text, 'utf8'))
}

function base64Of(bytes: Buffer): string[] {
  const forms = new Set<string>()
  for (const [before, from] of [
    [0, 0],
    [1, 2],
    [2, 3],
  ] as const) {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const form = whole.toString('base64').slice(from, Math.floor((whole.length * 8) / 6))
    if (form.length < SHORTEST_BASE64) continue
    forms.add(form)
    forms.add(form.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return [...forms]
}
