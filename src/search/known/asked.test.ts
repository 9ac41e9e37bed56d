import { describe, expect, it } from 'vitest'
import { mayNameSomebody, namesWritten } from './may-name.ts'
import { asksForOwner, asksForProject, asksWhetherProject, asksWhoOwnerIs } from './owner-asked.ts'
import { relativesIn, saysSo } from './relatives-in.ts'

describe('who a text asks for', () => {
  it.each([
    'where do I live?',
    'where did I work before',
    "what's my favourite color",
    'who do I work for?',
    'book something near where I live',
    'how old am I',
    'which theme do I prefer?',
    'since when do I live in Lisbon?',
    'how long have I worked at Initech',
    'am I allergic to anything?',
    'who am I?',
    'what do you know about me',
  ])('the owner: %s', (text) => expect(asksForOwner(text)).toBe(true))

  it.each([
    'where do I put the file?',
    'where do I work on the tests?',
    'what is my next step?',
    "what's my email field called in the schema?",
    'my city column is empty',
    'is my job queue broken',
    'I live with that',
    'who am I logged in as?',
    'what do you know about memory leaks?',
  ])('nobody: %s', (text) => expect(asksForOwner(text)).toBe(false))

  it('whatever is known of the owner, and not a single fact', () => {
    expect(['who am I', 'What do you know about me?'].map(asksWhoOwnerIs)).toEqual([true, true])
    expect(['where do I live?', 'who am I talking to?'].map(asksWhoOwnerIs)).toEqual([false, false])
  })

  it.each(['are we on mysql?', 'are we still using MySQL?', 'does this project use npm?', 'and do we use yarn?', 'is the repo on pnpm'])(
    'whether the project uses something: %s',
    (text) => expect(asksWhetherProject(text)).toBe(true),
  )

  it.each(['should we use yarn?', 'are we done?', 'are we ready to merge?', 'do we need a lock?', 'we are on main'])(
    'nothing of the kind: %s',
    (text) => expect(asksWhetherProject(text)).toBe(false),
  )

  it.each(['which database do we use?', 'what test runner does this repo use', 'What do we use for the queue?'])(
    'the project: %s',
    (text) => expect(asksForProject(text)).toBe(true),
  )
  it.each(['should we use Redis?', 'what should we use here?', 'do we use it?'])('no project: %s', (text) =>
    expect(asksForProject(text)).toBe(false),
  )

  it.each([
    ['write to my manager', ['manager']],
    ['what does my older brother do?', ['brother']],
    ['a card for mom', ['mom']],
    ['Mom called', ['mom']],
    ['my parent component renders twice', []],
    ['the manager class', []],
    ['rename dad.ts', []],
    ['the mom pattern', []],
    ['my partner service fails', []],
  ])('relatives: %s', (text, words) => expect(relativesIn(text).map(({ word }) => word)).toEqual(words))

  it('a boss is a manager, a mother is Mom, and no sister is a brother', () => {
    const [boss] = relativesIn('my boss')
    const [mother] = relativesIn('my mother')
    const [brother] = relativesIn('my brother')
    expect(boss && saysSo(boss, 'My manager Priya')).toBe(true)
    expect(mother && saysSo(mother, 'My mom Ada')).toBe(true)
    expect(brother && saysSo(brother, 'My sister Sarah')).toBe(false)
  })

  it('names are written as such', () => {
    expect(mayNameSomebody('where does Tyler work')).toBe(true)
    expect(mayNameSomebody('run the tests in store.ts')).toBe(false)
    expect(mayNameSomebody('What is it?')).toBe(false)
    expect(namesWritten('where does tyler work')).toEqual(['tyler'])
    expect(namesWritten("what's tyler's favourite colour")).toEqual(['tyler'])
    expect(namesWritten('when does mom text')).toEqual(['mom'])
    expect(namesWritten('who is tyler')).toEqual(['tyler'])
    expect(namesWritten('where does Will work? Will you ask?')).toEqual(['Will'])
    for (const chore of ['mark this as done', 'will you run the tests', 'May I ask something', 'is the frank answer in the docs'])
      expect(namesWritten(chore), chore).toEqual([])
  })
})
