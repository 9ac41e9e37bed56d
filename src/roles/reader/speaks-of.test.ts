import { describe, expect, it } from 'vitest'
import { fakeEmbedder } from '../../../test/helpers/fake-embedder.ts'
import { ATLAS, LAMP, QUEUE, saidHome } from '../../../test/helpers/said-home.ts'

const NOT_OF_IT = 'nothing that was found speaks of what was asked'
const TOPICS = ['parser', 'linter', 'router', 'cache', 'logger', 'tokenizer']
/** Each names a part of the program, with words of adding, moving and deciding. */
const sessions = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    session: `${i.toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`,
    folder: ATLAS,
    texts: [
      `Let's decide how the ${TOPICS[i % TOPICS.length]} number ${i} is set up.`,
      `Done: we moved the ${TOPICS[i % TOPICS.length]} into a module, added a table of rules for it, and asked who wants it changed.`,
    ],
  }))

describe('a prompt about a subject that memory never had', () => {
  it('is given nothing, however small or large memory is', async () => {
    for (const size of [1, 3, 40]) {
      const memory = await saidHome(sessions(size))
      for (const prompt of [
        'what did we decide about the kubernetes ingress?',
        'why did we move the invoices to stripe?',
        'what do we know about Tomasz Wielgosz?',
        'when did we switch the mobile app to flutter?',
      ]) {
        const answer = await memory.read({ prompt, folder: ATLAS, explain: true })
        expect(answer, `${size}: ${prompt}`).toMatchObject({ needed: true, text: '', pieces: [] })
      }
      expect((await memory.read({ prompt: 'what did we decide about the parser?', folder: ATLAS })).text, String(size)).toContain('parser')
    }
  })

  it('says with explain why what was found is left out', async () => {
    const memory = await saidHome(sessions(3))
    const { left } = await memory.read({ prompt: 'what did we decide about the kubernetes ingress?', folder: ATLAS, explain: true })
    expect(left?.map(({ why }) => why)).toContain(NOT_OF_IT)
  })

  it('is not taken for one where its own subject stands in every chunk, or a word is spelled in another form', async () => {
    const memory = await saidHome([QUEUE], { embedder: fakeEmbedder() })
    for (const prompt of ['why did we drop the retry queue?', 'remind me about queues', 'what did we decide about retrying?'])
      expect((await memory.read({ prompt, folder: ATLAS })).text, prompt).toContain('acknowledges late')
  })

  it('is given what it names by name, whatever else it says', async () => {
    const memory = await saidHome([LAMP])
    const { text } = await memory.read({ prompt: 'why did we paint lampDriver.ts purple before the carnival parade?', folder: ATLAS })
    expect(text).toContain('zirconium')
  })

  it('is told apart from a time: who asks for a day is answered by its date', async () => {
    const memory = await saidHome([QUEUE])
    const { text } = await memory.read({ prompt: 'what did we decide about the queue on February 1?', folder: ATLAS })
    expect(text).toContain('acknowledges late')
  })

  it('a story in words of its own is given what is far less like it', async () => {
    const memory = await saidHome([...sessions(12), QUEUE])
    const story = 'the queue swallowed several jobs whenever somebody pulled the plug downstairs - why did we throw it away?'
    expect((await memory.read({ prompt: story, folder: ATLAS })).text).toContain('acknowledges late')
    expect((await memory.read({ prompt: 'why did we bury jobs and parcels downstairs?', folder: ATLAS })).text).toBe('')
  })
})
