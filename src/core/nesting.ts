/** The only nesting limit, checked when JSON is parsed. Recursive functions and SQLite (1,000) allow more. */

/** Harnesses nest a few dozen levels. */
export const DEEPEST = 500

export const TOO_DEEP = `nested more than ${DEEPEST} deep`

export function isTooDeep(json: string): boolean {
  // Counting brackets settles nearly every line.
  return json.length > 2 * DEEPEST && hasManyBrackets(json) && opensTooMany(json)
}

/** Throws SyntaxError beyond the limit, as for invalid JSON. */
export function parseJson(json: string): unknown {
  if (isTooDeep(json)) throw new SyntaxError(TOO_DEEP)
  return JSON.parse(json)
}

function hasManyBrackets(json: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) if (++count > DEEPEST) return true
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function opensTooMany(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(json, at)
      if (at === -1) return false // truncated inside a string
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEEPEST) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}

function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}
