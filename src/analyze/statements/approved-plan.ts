/** A plan that a person hands to an agent is approved; its heading is the decision. */

export interface ApprovedPlan {
  readonly start: number
  readonly end: number
  readonly about: string
}

const HANDED = /^\s*(?:please )?(?:implement|execute|carry out) (?:the following|this|the) plan\b/i
const HEADING =
  /^#{1,3}[ \t]+(?:(?:implementation )?plan[ \t]*[:–—-][ \t]*)?(\S.*?)[ \t]*(?:implementation plan|- implementation plan)?[ \t]*$/im
const ABOUT = 600

export function approvedPlanIn(text: string): ApprovedPlan | undefined {
  return HANDED.test(text) ? planIn(text, 0) : undefined
}

export function planIn(text: string, from: number): ApprovedPlan | undefined {
  const found = HEADING.exec(text.slice(from))
  const title = found?.[1]
  if (found === null || title === undefined || title.length < 4) return undefined
  const start = from + found.index + found[0].indexOf(title)
  const end = start + title.length
  return { start, end, about: openingOf(text.slice(from + found.index + found[0].length)) }
}

function openingOf(rest: string): string {
  const lines: string[] = []
  let length = 0
  for (const line of rest.slice(0, 4 * ABOUT).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) break
    if (line.trim() === '' || /^\s*#/.test(line)) {
      if (lines.length > 0 && /^\s*#/.test(line)) break
      continue
    }
    lines.push(line.trim())
    length += line.length
    if (length > ABOUT) break
  }
  return lines.join(' ').slice(0, ABOUT)
}
