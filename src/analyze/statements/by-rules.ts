import { given } from '../../core/given.ts'
import { remembered } from '../../core/remembered.ts'
import { answerTo } from './answers.ts'
import { approvedPlanIn } from './approved-plan.ts'
import { ASKED_INSTEAD, PROJECT_RULE } from './decision-rules.ts'
import type { Choice, Extractor, SaidText, Statement } from './extractor.ts'
import { isOpen, isPointing, isToldFirst, toldFirst } from './open-sentence.ts'
import { isCopied, isOthersLead, isOwnRule, isRestated, pastedFrom } from './plain-words.ts'
import type { Rule } from './rule.ts'
import { RULES, triggerOf } from './rules.ts'
import { sentencesWith } from './sentences.ts'

/** Bump if any rule's findings change: the next sync re-derives everything. */
const VERSION = 'rules-12'

export const RULE_EXTRACTOR: Extractor = {
  version: VERSION,
  extract: async (texts) => texts.flatMap(statementsOf),
}

export function statementsOf(said: SaidText): Statement[] {
  const plan = said.by === 'person' && said.to === 'agent' ? approvedPlanIn(said.text) : undefined
  if (plan !== undefined && said.isCarriedOut === false) return []
  if (plan !== undefined) return [{ message: said.message, type: 'decision', ...plan, rule: 'rules:plan approved', confidence: 0.9 }]
  if (said.choices !== undefined) return said.choices.flatMap((choice) => chosen(said, choice))
  const answer =
    said.answers !== undefined && said.ownWords === undefined && said.by === 'person' && said.to === 'agent'
      ? answerTo(said.answers.text, said.text)
      : undefined
  const found = inSentences(said)
  if (answer === undefined) return found
  const { rule, ...where } = answer
  const statement = {
    message: said.message,
    type: 'decision' as const,
    ...where,
    ...given({ answered: said.answers?.message }),
    rule: `rules:${rule}`,
  }
  return [statement, ...found.filter(({ start, end }) => start >= statement.end || end <= statement.start)]
}

function inSentences(said: SaidText): Statement[] {
  const found: Statement[] = []
  const prompts = said.by === 'person' && said.to === 'agent'
  const pasted = prompts ? pastedFrom(said.text) : said.text.length
  for (const { start, end, from, rule, points } of RULED[said.by][said.to](said.text)) {
    if (!isOwn(said, start, end) || start >= pasted) continue
    if (said.by === 'agent' && isRestated(said.text, from, rule.name === 'label')) continue
    const about = points ? pointedAt(rule, said) : undefined
    if (points && about === undefined) continue
    found.push({
      message: said.message,
      type: rule.type,
      start,
      end,
      ...(about === undefined ? {} : { about, ...given({ answered: said.answers?.message }) }),
      rule: `rules:${rule.name}`,
      confidence: rule.confidence,
      ...(prompts && isDoubtful(rule, said.text, { start, from }) ? { isDoubtful: true } : {}),
    })
  }
  return found
}

function isDoubtful({ type }: Rule, text: string, { start, from }: Pick<Ruled, 'start' | 'from'>): boolean {
  if (type === 'preference_stated') return !isOwnRule(text, from)
  return type === 'decision' && (isCopied(text, from) || isOthersLead(text.slice(start, from)))
}

interface Ruled {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly rule: Rule
  readonly points: boolean
}

/** Cached, since several analyses ask for the same text in turn. */
function ruled(by: SaidText['by'], to: SaidText['to']): (text: string) => readonly Ruled[] {
  const trigger = triggerOf(by)
  return remembered((text) => {
    if (text.search(trigger) === -1 || isHandedOver({ by, to, text })) return []
    const found: Ruled[] = []
    for (const { start, end, plain } of sentencesWith(text, trigger, { lists: by === 'person' && to === 'people' })) {
      if (plain.includes('"')) continue
      const isRequest = by === 'person' && to === 'agent' && (PROJECT_RULE.test(plain) || ASKED_INSTEAD.test(plain))
      const part = isOpen(plain) && !isRequest ? (by === 'person' && to === 'agent' ? toldFirst(plain) : undefined) : plain
      if (part === undefined) continue
      const rule = RULES.find((one) => applies(one, { by, to }) && (part === plain || isToldFirst(one)) && one.pattern.test(part))
      if (rule === undefined) continue
      const from = start + (rule.pattern.exec(part)?.index ?? 0)
      found.push({ start, end: end - plain.length + part.length, from, rule, points: isPointing(part) })
    }
    return found
  })
}

const RULED = {
  person: { people: ruled('person', 'people'), agent: ruled('person', 'agent') },
  agent: { people: ruled('agent', 'people'), agent: ruled('agent', 'agent') },
}

/** Allowed to refer back: the previous message's last paragraph says what "it" is. */
const MAY_POINT: ReadonlySet<string> = new Set([
  'lets',
  'lets change',
  'lets do',
  'told otherwise',
  'go with',
  'put off',
  'undo',
  'right thing',
  'answered it should',
])
const LAST_PARAGRAPH = 400

function pointedAt({ name }: Rule, { answers }: SaidText): string | undefined {
  if (answers === undefined || !MAY_POINT.has(name)) return undefined
  const paragraph =
    answers.text
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  return paragraph.slice(-LAST_PARAGRAPH)
}

/** Permission for a step settles nothing, nor does an answer that asks back. */
const STEP =
  /^\W*(?:ready\b|(?:shall|should|may|can) i (?:start|begin|proceed|continue|push|commit|merge|run)|(?:ok(?:ay)?|fine) to (?:proceed|continue|push|commit|merge|run)|which (?:pr|pull request|issue|file|branch)\b|what would you like|any (?:other|concerns)|are there (?:other|any)|(?:can|could) you clarify|where should i (?:write|save|put) (?:the|this|it)\b|how should (?:these|the|this) \w+ be committed)/i

function chosen({ message, isCarriedOut }: SaidText, { question, answer, start, end, isPlan }: Choice): Statement[] {
  if (isPlan && isCarriedOut === false) return []
  if (isPlan) return [{ message, type: 'decision', start, end, about: question, rule: 'rules:plan approved', confidence: 0.95 }]
  if (STEP.test(question) || answer.includes('?') || answer.trim() === '') return []
  return [{ message, type: 'decision', start, end, about: question, rule: 'rules:chosen', confidence: 0.9 }]
}

function applies({ by = 'person', to }: Rule, said: Pick<SaidText, 'by' | 'to'>): boolean {
  return (by === 'anyone' || by === said.by) && (to === undefined || to === said.to)
}

function isOwn({ ownWords }: SaidText, start: number, end: number): boolean {
  return ownWords === undefined || ownWords.some(([from, to]) => start >= from && end <= to)
}

/** Longer prompts are pasted, not the person's own words. */
const LONGEST_PROMPT = 1_500
const HANDED_OVER =
  /^\s*(?:implement the following|<|caveat:|this session is being continued|\[request interrupted|base directory for this skill|#{1,3} )/i

const FINDING = /^\s*(?:low|medium|high|critical) severity\b/im

/** A letter that an agent drafts is not its own statement. */
const LETTER = /^[^\w\n]*(?:subject:|dear )/im

function isHandedOver({ by, to, text }: Pick<SaidText, 'by' | 'to' | 'text'>): boolean {
  if (by === 'agent') return LETTER.test(text)
  return to === 'agent' && (text.length > LONGEST_PROMPT || HANDED_OVER.test(text) || FINDING.test(text))
}
