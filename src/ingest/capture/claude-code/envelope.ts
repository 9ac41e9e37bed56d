/** The tags in which the harness wraps what it puts into user messages. Looks only at the edges of a text, never inside it. */

export interface Envelope {
  readonly name: string
  readonly attributes: string
  readonly inner: string
}

const OPENING = /^<([a-z][a-z_-]*)((?:\s[^<>]*)?)>/i

/** The envelope that `text` begins with, when its name is in `names`, and what follows it. */
export function leadingEnvelope(text: string, names: ReadonlySet<string>): { envelope: Envelope; rest: string } | undefined {
  const trimmed = text.trimStart()
  if (!trimmed.startsWith('<')) return undefined
  const opening = OPENING.exec(trimmed)
  const name = opening?.[1] ?? ''
  if (opening === null || !names.has(name)) return undefined
  const closing = `</${name}>`
  const end = trimmed.indexOf(closing, opening[0].length)
  if (end === -1) return undefined
  const inner = trimmed.slice(opening[0].length, end)
  return { envelope: { name, attributes: (opening[2] ?? '').trim(), inner }, rest: trimmed.slice(end + closing.length).trimStart() }
}

/** Strips all envelopes in `names` from the beginning, and `trailing` ones from the end. A text without any comes back as it is. */
export function stripEnvelopes(text: string, names: ReadonlySet<string>, trailing: string): { rest: string; envelopes: Envelope[] } {
  const envelopes: Envelope[] = []
  let rest = text
  for (let found = leadingEnvelope(rest, names); found; found = leadingEnvelope(rest, names)) {
    envelopes.push(found.envelope)
    rest = found.rest
  }
  const closing = `</${trailing}>`
  for (let trimmed = rest.trimEnd(); trimmed.endsWith(closing); trimmed = rest.trimEnd()) {
    const start = trimmed.lastIndexOf(`<${trailing}>`)
    if (start === -1) break
    envelopes.push({ name: trailing, attributes: '', inner: trimmed.slice(start + trailing.length + 2, -closing.length) })
    rest = trimmed.slice(0, start).trimEnd()
  }
  return { rest, envelopes }
}

/** The content of the first `<name>…</name>` anywhere in a text that is an envelope itself. */
export function innerOf(text: string, name: string): string | undefined {
  const start = text.indexOf(`<${name}>`)
  if (start === -1) return undefined
  const from = start + name.length + 2
  const end = text.indexOf(`</${name}>`, from)
  return end === -1 ? undefined : text.slice(from, end)
}
