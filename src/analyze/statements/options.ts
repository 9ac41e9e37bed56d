/** The question and options at the end of an agent's message. */

export interface Proposal {
  readonly question: string
  /** Asks for permission or a choice. Other questions are answered only by an option's name. */
  readonly asksWhich: boolean
  readonly options: ReadonlyMap<string, string>
}

const END = 1_600
const MOST_QUESTION = 400
const OPTION =
  /^[ \t>]*(?:[-*•][ \t]+)?\*{0,2}(?:#{1,4}[ \t]+)?\*{0,2}(?:(?:option|approach|alternative)[ \t]+)?(\d{1,2}|[A-Ea-e])[.):][ \t]*\*{0,2}[ \t]*(\S.*)$/i
const NAMED = /^[ \t>]*(?:[-*•][ \t]+)?(?:#{1,4}[ \t]+)?\*{0,2}(?:option|approach|alternative)[ \t]+(\d{1,2}|[A-E])\b[*: \t–—-]*(\S.*)$/i
const ASKS =
  /\b(?:want me to|should (?:i|we|it|the|this)|shall (?:i|we)|would you (?:like|prefer|rather)|do you (?:want|prefer|think)|(?:ok(?:ay)?|fine|good) (?:to|if i|with)|which (?:\w+ ){0,3}|what(?:'s| is) your preference|what do you (?:think|prefer)|what would you|your (?:call|choice|preference)|ready to|sound(?:s)? (?:good|right)|does (?:this|that) (?:approach|design|work|sound)|can i|any concerns|thoughts)\b/i

export function proposalIn(text: string): Proposal | undefined {
  const end = text.slice(-END).replaceAll('’', "'")
  const options = optionsIn(text)
  // "Do you want it to be based on:" asks if options follow.
  const closes = options.size > 1 ? /[?:][*_)"']*$/ : /\?[*_)"']*$/
  const sentences = end.split(/(?<=[.!?][*_)"']{0,3})\s+|\n+/).filter((one) => closes.test(one.trim()))
  const asking = sentences.filter((one) => ASKS.test(one)).at(-1)
  const question = (asking ?? (options.size > 1 ? sentences.filter((one) => one.includes('?')).at(-1) : undefined))
    ?.replace(/[*_]{2,}/g, '')
    .trim()
  if (question === undefined || question.length > MOST_QUESTION) return undefined
  return { question, options, asksWhich: asking !== undefined }
}

function optionsIn(text: string): Map<string, string> {
  const options = new Map<string, string>()
  for (const line of text.split('\n')) {
    const found = NAMED.exec(line) ?? OPTION.exec(line)
    if (found === null) continue
    const [, label = '', words = ''] = found
    const key = label.toLowerCase()
    if (key === '1' || key === 'a') options.clear()
    options.set(key, words.replace(/\*\*/g, '').trim())
  }
  return options.size > 1 ? options : optionsInSentence(text)
}

const INSIDE = /\(?\b([1-5]|[a-e])\)[ \t]+([^()\n]{3,200}?)[,;]?(?=[ \t]+(?:(?:or|and)[ \t]+)?\(?(?:[1-5]|[a-e])\)|[.?!](?:\s|$)|\n|$)/gi

function optionsInSentence(text: string): Map<string, string> {
  const options = new Map<string, string>()
  for (const [, label = '', words = ''] of text.slice(-END).matchAll(INSIDE)) {
    const key = label.toLowerCase()
    if (key === '1' || key === 'a') options.clear()
    if (options.size > 0 || key === '1' || key === 'a') options.set(key, words.trim())
  }
  return options
}
