/** The extractor that needs no model: rules over single sentences. */
import type { Extractor, SaidText, Statement } from './extractor.ts'
import { isOpen, isPointing, RULES, type Rule, triggerOf } from './rules.ts'
import { sentencesWith } from './sentences.ts'

/** Grows with every change of what the rules find: the next sync makes all again. */
const VERSION = 'rules-2'

export const RULE_EXTRACTOR: Extractor = {
  version: VERSION,
  extract: async (texts) => texts.flatMap(statementsOf),
}

export function statementsOf(said: SaidText): Statement[] {
  const text = said.text
  const trigger = triggerOf(said.by)
  if (text.search(trigger) === -1 || isHandedOver(said)) return []
  const found: Statement[] = []
  for (const { start, end, plain } of sentencesWith(text, trigger, { lists: said.by === 'person' && said.to === 'people' })) {
    if (!isOwn(said, start, end) || isOpen(plain) || isPointing(plain) || plain.includes('"')) continue
    const rule = RULES.find((one) => applies(one, said) && one.pattern.test(plain))
    if (rule === undefined) continue
    found.push({ message: said.message, type: rule.type, start, end, rule: `rules:${rule.name}`, confidence: rule.confidence })
  }
  return found
}

function applies({ by = 'person', to }: Rule, said: SaidText): boolean {
  return (by === 'anyone' || by === said.by) && (to === undefined || to === said.to)
}

function isOwn({ ownWords }: SaidText, start: number, end: number): boolean {
  return ownWords === undefined || ownWords.some(([from, to]) => start >= from && end <= to)
}

/** What a person hands to an agent as it is: a plan, a review, a log. Only short prompts are the person's own words. */
const LONGEST_PROMPT = 1_500
const HANDED_OVER =
  /^\s*(?:implement the following|<|caveat:|this session is being continued|\[request interrupted|base directory for this skill|#{1,3} )/i

/** A letter that an agent writes for somebody says nothing in the agent's own name. */
const LETTER = /^\W*(?:subject:|dear )/im

function isHandedOver({ by, to, text }: SaidText): boolean {
  if (by === 'agent') return LETTER.test(text)
  return to === 'agent' && (text.length > LONGEST_PROMPT || HANDED_OVER.test(text))
}
