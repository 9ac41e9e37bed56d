/** A person's answers, plan approval or objections in the result of an asking tool. These count as the person's speech. */
import { isRecord, opened, parsed } from '../../ledgers/deeds/json.ts'
import { resultOf, type ToolCall } from '../../ledgers/deeds/result.ts'
import { PLAN_TOOLS } from '../../ledgers/names/title-of-call.ts'
import { planIn } from '../statements/approved-plan.ts'
import type { Choice, SaidText } from '../statements/extractor.ts'

const QUESTION_TOOLS = [
  'AskUserQuestion',
  'ask_user_question',
  'ask_user',
  'ask_followup_question',
  'request_user_input',
  'AskQuestion',
] as const

export const ASKING_TOOLS: readonly string[] = [...QUESTION_TOOLS, ...PLAN_TOOLS]

export type Told = Pick<SaidText, 'text' | 'choices' | 'ownWords'>

const SAID_INSTEAD = /\bthe user said:\s*/i
const APPROVED = /\bapproved\b/i
/** Written by a harness if the person wants to discuss first. */
const NO_ANSWER = /^The user wants to clarify/i

/** Undefined if nothing is worth keeping. Spans refer to the result text. */
export function toldInCall(call: ToolCall): Told | undefined {
  const { text, refused } = resultOf(call)
  if (text === '') return undefined
  if (refused) {
    const found = SAID_INSTEAD.exec(text)
    const from = found === null ? text.length : found.index + found[0].length
    return from < text.length && !NO_ANSWER.test(text.slice(from)) ? { text, ownWords: [[from, text.length]] } : undefined
  }
  if (call.status === 'error' || call.status === 'failed') return undefined
  const params = parsed(call.params_json)
  const choices = PLAN_TOOLS.some((name) => name === call.tool_name)
    ? approved(text, params)
    : questionsOf(params).flatMap((question) => answered(question, { text, result: parsed(call.result_json) }))
  return choices.length > 0 ? { text, choices } : undefined
}

function approved(text: string, params: unknown): Choice[] {
  if (!APPROVED.test(text.slice(0, 400))) return []
  const repeated = planIn(text, Math.max(0, text.search(/^#{1,3} /m)))
  const heading = /approved plan:?\s*$/i
  const own = repeated !== undefined && heading.test(text.slice(repeated.start, repeated.end)) ? planIn(text, repeated.end) : repeated
  if (own !== undefined) return [{ isPlan: true, question: own.about, answer: 'approved', start: own.start, end: own.end }]
  const plan = isRecord(params) && typeof params.plan === 'string' ? planIn(params.plan, 0) : undefined
  if (plan === undefined || !isRecord(params)) return []
  const line = text.split('\n', 1)[0] as string
  return [
    {
      isPlan: true,
      question: `${(params.plan as string).slice(plan.start, plan.end)}. ${plan.about}`,
      answer: 'approved',
      start: 0,
      end: line.length,
    },
  ]
}

function questionsOf(params: unknown): { id: string; question: string }[] {
  if (!isRecord(params)) return []
  const list = Array.isArray(params.questions) ? (params.questions as unknown[]) : [params]
  return list.flatMap((one) => {
    if (!isRecord(one)) return []
    const question = one.question ?? one.prompt
    return typeof question === 'string' ? [{ id: typeof one.id === 'string' ? one.id : question, question }] : []
  })
}

function answered(asked: { id: string; question: string }, { text, result }: { text: string; result: unknown }): Choice[] {
  const { question } = asked
  const answer = answerIn(asked, text, result)
  if (answer === undefined || answer.trim() === '') return []
  const whole = `"${question}"="${answer}"`
  const start = text.indexOf(whole)
  if (start !== -1) return [{ question, answer, start, end: start + whole.length }]
  const at = text.lastIndexOf(answer)
  return at === -1 ? [] : [{ question, answer, start: at, end: at + answer.length }]
}

function answerIn({ id, question }: { id: string; question: string }, text: string, result: unknown): string | undefined {
  const places = [isRecord(result) ? result.toolUseResult : undefined, result, opened(text)]
  for (const place of places) {
    const answers = isRecord(place) ? place.answers : undefined
    if (!isRecord(answers)) continue
    const one = answers[question] ?? answers[id]
    const given = isRecord(one) && Array.isArray(one.answers) ? one.answers.join(', ') : one
    if (typeof given === 'string') return given
  }
  return /<answer>\s*([\s\S]{1,2000}?)\s*<\/answer>/.exec(text)?.[1]
}
