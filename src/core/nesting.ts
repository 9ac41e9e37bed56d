/** How deep JSON may nest. One limit, checked where JSON is parsed: every function that walks a value, and SQLite (1,000), can go deeper. Pure. */

/** No harness nests deeper than a few dozen. */
export const DEEPEST = 500

/** How JSON beyond it is reported. */
export const TOO_DEEP = `nested more than ${DEEPEST} deep`

/** True for JSON, complete or not, in which more than DEEPEST brackets are open at once. */
export function isTooDeep(json: string): boolean {
  // Nearly every line has fewer brackets than that in total, which is quickly counted.
  return json.length > 2 * DEEPEST && hasManyBrackets(json) && opensTooMany(json)
}

/** The value of JSON; a SyntaxError also where it nests too deep, so that no caller needs a second way to refuse it. */
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
      if (at === -1) return false // cut off inside a string: what was open before it is counted
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEEPEST) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}

/** The quote that ends the string which the quote at `start` begins; -1 without one. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}
