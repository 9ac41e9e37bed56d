import { expect, it } from 'vitest'
import { toolHint } from './hints.ts'
import { memoryStatusText } from './text.ts'

it('the status says how the sync went', () => {
  const sync = { state: 'failed', started_at: null, finished_at: null, imported: null, warnings: ['w'] } as const
  const counts = { version: '1', last_sync: null, sessions: 1, turns: 2, documents: 3, chunks: 4, waiting_sessions: 0, error: null }
  const text = memoryStatusText(
    { ...counts, sync: { ...sync, error: { code: 'STORAGE_ERROR', message: 'disk full', hint: 'Free some.' } } },
    0,
  )
  expect(text.split('\n')).toEqual([
    'Mnemonic 1: 1 session, 2 turns, 3 documents, 4 chunks',
    'no sync has ended yet',
    'background sync: failed, STORAGE_ERROR: disk full Try: Free some.',
    'warning: w',
  ])
})

it('hints name tools in place of commands', () => {
  expect(toolHint('List what there is with mnemonic sessions, or mnemonic show ID.')).toBe(
    'List what there is with session_list, or memory_get ID.',
  )
})
