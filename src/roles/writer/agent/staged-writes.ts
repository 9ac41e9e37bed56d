/**
 * Stages the writes of a run, checked like the answer of a model: each must quote a message of somebody who may say so. They reach the
 * graph only after a successful run.
 */
import { graphOf, messageOf } from '../../../analyze/llm/graph-of-reading.ts'
import type { ReadWindow } from '../../../analyze/llm/language-model.ts'
import { statementsOf } from '../../../analyze/llm/lines-of-reading.ts'
import type { Reading } from '../../../analyze/llm/prompts/conversation.ts'
import { callArguments } from './call-arguments.ts'
import { type Entry, Refused, writeEntry } from './write-entry.ts'

export interface StagedWrites {
  write(args: readonly string[]): { readonly text: string; readonly refused: boolean }
  count(): number
  reading(soFar: string): Reading
}

export interface StagedOptions {
  readonly window: ReadWindow
  readonly entityTypes: readonly string[]
  readonly mostWrites: number
}

const OPTIONS = ['--quote', '--message', '--confidence', '--source-type', '--from', '--until']

export function stagedWrites({ window, entityTypes, mostWrites }: StagedOptions): StagedWrites {
  const written = new Map<string, Entry>()
  let [writes, entities] = [0, 0]
  const passes = (entries: readonly Entry[]) => refusedOf(readingOf(entries, ''), window, entityTypes) === 0

  function put(verb: string, args: readonly string[]): string {
    const call = callArguments(args, OPTIONS)
    if (typeof call === 'string') throw new Refused(call)
    if (verb === 'undo') return undo(call.words[0] ?? '')
    if (writes >= mostWrites) throw new Refused(`this run may write ${mostWrites} times, and has`)
    const before = [...written.values()]
    const entry = writeEntry(verb, call, { window, entityTypes, written: before, nextEntity: `e${entities + 1}` })
    const twin = [...written].find(([, other]) => sayingOf(other) === sayingOf(entry))
    if (twin !== undefined) throw new Refused(`that is ${twin[0]} already`)
    if (!passes([...before, entry])) throw new Refused(whyNot(entry, window))
    const id = `w${++writes}`
    if (entry.list === 'entities') entities++
    written.set(id, entry)
    return `written ${id}${entry.list === 'entities' ? `, entity ${entry.value.id}` : ''}`
  }

  function undo(id: string): string {
    const entry = written.get(id)
    if (entry === undefined) throw new Refused(`this run wrote nothing called ${JSON.stringify(id)}`)
    if (!passes([...written.values()].filter((other) => other !== entry)))
      throw new Refused(`something else that you wrote needs ${id}: undo that first`)
    written.delete(id)
    return `taken back ${id}`
  }

  return {
    write([verb = '', ...args]) {
      try {
        return { text: `${put(verb, args)}\n`, refused: false }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return { text: `refused: ${error.message}\n`, refused: true }
      }
    },
    count: () => written.size,
    reading: (soFar) => readingOf(written.values(), soFar),
  }
}

function readingOf(entries: Iterable<Entry>, soFar: string): Reading {
  const reading: Reading = { turns: [], topics: [], entities: [], aliases: [], same: [], observations: [], statements: [], so_far: soFar }
  for (const { list, value } of entries) (reading[list] as unknown[]).push(value)
  return reading
}

function refusedOf(reading: Reading, { recorded, project }: ReadWindow, types: readonly string[]): number {
  const own = new Set(recorded.messages.map(({ message }) => message.message))
  const graph = graphOf(reading, { recorded, project, types, own, isFirst: true })
  return graph.refused + statementsOf({ reading, recorded, own, isFirst: true }, '').refused
}

function whyNot({ list, value }: Entry, { recorded }: ReadWindow): string {
  const said = messageOf(recorded, value.message)?.message
  if (said?.by === 'agent' && list !== 'statements') return 'an agent said it: of its words nothing is noted of people and things'
  if (said?.trust === 'untrusted') return 'a stranger said it: they may only speak of themselves'
  if (list === 'entities') return 'the name does not stand in these words'
  if (list === 'aliases') return 'the value does not stand in that message'
  if (list === 'observations' && value.literal !== null)
    return `${JSON.stringify(value.literal)} is no entity, and as a value it must stand in the quote; types are written WORKS_AT`
  return 'it has no form that can be written: types are written WORKS_AT, and nothing leads to itself'
}

function sayingOf({ list, value }: Entry): string {
  return JSON.stringify([list, { ...value, id: undefined, confidence: undefined }])
}
