import type { Answer, LanguageModel, Question } from '../../src/analyze/llm/language-model.ts'

export interface FakeModel extends LanguageModel {
  readonly asked: Question<unknown>[]
}

/** A function may throw. */
export function fakeLanguageModel(answer: unknown | ((question: Question<unknown>, number: number) => unknown)): FakeModel {
  const asked: Question<unknown>[] = []
  return {
    ...{ provider: 'fake', model: 'm', asked },
    knows: async () => false,
    async ask<T>(question: Question<T>): Promise<Answer<T>> {
      asked.push(question as Question<unknown>)
      const value: unknown = typeof answer === 'function' ? await answer(question, asked.length) : answer
      return { value: question.prompt.schema.parse(value), usage: { input: 1, output: 1 } }
    },
  }
}
