/** Several questions in one call, each searched by itself. */
import { MnemonicError } from '../core/error.ts'

const MOST_QUESTIONS = 8

/** The answers, in the order of the questions. */
export async function searchEach<R extends { readonly query?: string; readonly queries?: readonly string[] }, A>(
  search: (request: R) => Promise<A>,
  questions: readonly string[],
  request: Omit<R, 'query' | 'queries'>,
): Promise<A[]> {
  const { query, queries } = request as R
  const wrong =
    (query ?? queries) !== undefined
      ? 'questions go without query and queries, which are one question'
      : questions.length === 0 || questions.length > MOST_QUESTIONS
        ? `questions must be 1 to ${MOST_QUESTIONS} texts`
        : undefined
  if (wrong !== undefined)
    throw new MnemonicError('USAGE', wrong, { details: { keys: ['questions'] }, hint: 'Give each question as a text of its own.' })
  const answers: A[] = []
  for (const question of questions) answers.push(await search({ ...request, query: question } as unknown as R))
  return answers
}
