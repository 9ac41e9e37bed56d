import { MnemonicError } from '../core/error.ts'

const MOST_QUESTIONS = 8

/** One text, or a question with its other phrasings. */
export type Question = string | readonly string[]

export async function searchEach<R extends { readonly query?: string; readonly queries?: readonly string[] }, A>(
  search: (request: R) => Promise<A>,
  questions: readonly Question[],
  request: Omit<R, 'query' | 'queries'>,
): Promise<A[]> {
  const { query, queries } = request as R
  const wrong =
    (query ?? queries) !== undefined
      ? 'questions go without query and queries, which are one question'
      : questions.length === 0 || questions.length > MOST_QUESTIONS
        ? `questions must be 1 to ${MOST_QUESTIONS}, each a text or a list of its phrasings`
        : undefined
  if (wrong !== undefined)
    throw new MnemonicError('USAGE', wrong, {
      details: { keys: ['questions'] },
      hint: 'Give each question as a text of its own, or as a list: the question, then its other phrasings.',
    })
  const answers: A[] = []
  for (const question of questions) {
    const [first, ...phrasings] = typeof question === 'string' ? [question] : question
    answers.push(await search({ ...request, query: first, ...(phrasings.length > 0 ? { queries: phrasings } : {}) } as unknown as R))
  }
  return answers
}
