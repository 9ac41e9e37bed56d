/** Language model over a driver, with a cache, daily limits, retries and answer checks. */
import type { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { asMnemonicError } from '../../core/error.ts'
import { estimateTokens } from '../../core/estimate-tokens.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import type { Failure } from '../../embed/remote/failure.ts'
import { PATIENCE, type Patience, tryAgain } from '../../embed/remote/try-again.ts'
import type { Spend, Tokens } from '../../store/spend.ts'
import type { Store } from '../../store/store.ts'
import { answerKey, keepAnswer, readAnswer } from './answers.ts'
import type { Driver, Said } from './driver.ts'
import { type Answer, type LanguageModel, modelFailed, type Question } from './language-model.ts'
import { clearRest, describeRest, noteFailure, readRest } from './rest.ts'

export interface PaidOptions {
  readonly store: Store
  readonly clock: Clock
  readonly spend: Spend
  readonly patience?: Partial<Patience> | undefined
}

const ATTEMPTS = 4
/** Other tokenizers count up to this factor more than the estimate. */
const ESTIMATE_MARGIN = 1.3

export function paidModel(driver: Driver, { store, clock, spend, patience: given = {} }: PaidOptions): LanguageModel {
  const { provider, model } = driver
  const patience = { ...PATIENCE, ...given }
  /** Concurrent equal questions pay once. */
  const underWay = new Map<string, Promise<Answer<unknown>>>()

  async function refuseWhileResting(): Promise<void> {
    const rest = await readRest(store.read, driver)
    if (rest !== undefined && clock() < rest.until) throw resting(describeRest(rest), {})
  }

  const resting = (message: string, details: Readonly<Record<string, unknown>>) =>
    modelFailed(
      message,
      { ...details, fault: 'provider', provider, model, address: driver.address, resting: true },
      { hint: 'It is asked again by then.' },
    )

  /** A failing provider is not asked for each text of a long history. */
  async function counted(failure: Failure): Promise<Failure> {
    const rest = await noteFailure(store, driver, { message: asMnemonicError(failure.error).message, now: clock() })
    return rest.until === 0 ? failure : { error: resting(describeRest(rest), asMnemonicError(failure.error).details), retryable: false }
  }

  async function pay(question: Question<unknown>, key: string, signal: AbortSignal | undefined): Promise<Answer<unknown>> {
    const { prompt, text, purpose, window } = question
    const expected = expectedTokens(question)
    const { instructions, schema, longestAnswer } = prompt
    return tryAgain<Answer<unknown>>(
      async (): Promise<Answer<unknown> | { failure: Failure }> => {
        const settle = await spend.reserve(expected, purpose)
        const said = await driver.call({ instructions, text, schema, longestAnswer, window }, { signal, timeoutMs: patience.timeoutMs })
        if ('failure' in said) {
          // A timed-out call may have been billed; a refused one was not.
          if (said.usage !== undefined) await settle(said.usage)
          else if (said.failure.timedOut !== true) await settle({ input: 0, output: 0 })
          throwIfStopped(signal, 'the analysis')
          return { failure: await counted(said.failure) }
        }
        const usage = said.usage ?? { input: Math.round(expected.input / ESTIMATE_MARGIN), output: estimateTokens(said.text) }
        const checked = check(said, schema, driver)
        await store.write(async (tx) => {
          await settle(usage, tx)
          if ('value' in checked) await keepAnswer(tx, { key, question, model, value: checked.value, now: clock() })
        })
        // The provider answered, so it is not failing; another text may succeed.
        await clearRest(store, driver)
        if (!('value' in checked)) return checked
        return { value: checked.value, usage }
      },
      { attempts: ATTEMPTS, patience, signal, what: 'the analysis' },
    )
  }

  return {
    provider,
    model,
    async knows(question) {
      return (await readAnswer(store.read, answerKey(driver, question))) !== undefined
    },
    async ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Answer<T>> {
      throwIfStopped(signal, 'the analysis')
      const key = answerKey(driver, question)
      const kept = question.prompt.schema.safeParse(await readAnswer(store.read, key))
      if (kept.success) return { value: kept.data }
      const running = underWay.get(key)
      if (running !== undefined) return { value: ((await running) as Answer<T>).value }
      await refuseWhileResting()
      const asked = pay(question, key, signal).finally(() => underWay.delete(key))
      asked.catch(() => undefined)
      underWay.set(key, asked)
      return (await asked) as Answer<T>
    },
  }
}

/** Upper bound, reserved before the call. */
export function expectedTokens({ prompt, text }: Pick<Question<unknown>, 'prompt' | 'text'>): Tokens {
  const sent = estimateTokens(prompt.instructions) + estimateTokens(text)
  return { input: Math.ceil(sent * ESTIMATE_MARGIN), output: prompt.longestAnswer }
}

function check(said: Said, schema: z.ZodType, { provider, model, address }: Driver): { value: unknown } | { failure: Failure } {
  const target = { provider, model, address }
  const refused = (why: string) => ({
    // No retry: the same text would fail alike and cost again.
    failure: { error: modelFailed(`${provider} (${model}) answered ${why}`, { fault: 'input', ...target }), retryable: false },
  })
  let value: unknown
  try {
    value = JSON.parse(unfenced(said.text))
  } catch {
    return refused(said.text.trim() === '' ? 'nothing' : 'something that is no JSON')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  // Path and issue code only, never the text.
  const [issue] = parsed.error.issues
  return refused(
    `JSON that does not fit the schema${issue === undefined ? '' : ` (${issue.path.join('.') || 'at its root'}: ${issue.code})`}`,
  )
}

/** Models like to wrap JSON in a Markdown fence. Strips nothing else. */
function unfenced(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i.exec(text)?.[1] ?? text
}
