import { expect, it } from 'vitest'
import type { SourceInfo } from '../../library/index.ts'
import { formatSources } from './sources.ts'
import { style } from './style.ts'

const source = (name: string, more: Partial<SourceInfo> = {}): SourceInfo => ({
  name,
  kind: 'harness',
  available: true,
  enabled: true,
  places: [],
  units: 2,
  bytes: 1500,
  waiting: 1,
  oldest_waiting: null,
  retention: null,
  unknown: [],
  warnings: [],
  ...more,
})

it('says what is there, what is off and how to switch it on, and what this version cannot read', () => {
  const unknown = { name: 'foo\u001b[2J', count: 3, files: 1, first_seen: '', last_seen: '', example_path: '/x' }
  const hint = 'mnemonic sources enable chatgpt'
  const text = formatSources(
    [
      source('codex', { places: [{ path: '/a', exists: false }], unknown: [unknown] }),
      source('chatgpt', { kind: 'personal', enabled: false, hint }),
      source('calendar', { kind: 'personal', units: 0, bytes: 0, waiting: 0 }),
      source('gmail', { available: false, kind: 'personal' }),
      source('aix-events', { kind: 'derived', units: 0 }),
      source('pi', { units: 0, places: [{ path: '/b', exists: false }] }),
      source('nexus', { units: 0, places: [{ path: '/c', exists: false }], enabled: false }),
      source('cursor', { units: 0, bytes: 0, waiting: 0, places: [{ path: '/d', exists: true }] }),
    ],
    { installed: false, running: null, last_sync: null },
    style(false),
  )
  expect(text).toBe(
    [
      'codex  on  2 files, 1.5 kB, 1 new or changed',
      '  /a  (not there)',
      '  3 records of an unknown type "foo\\u001b[2J" in 1 file',
      '',
      'chatgpt  off  private: not read until you enable it',
      `  switch it on: ${hint}`,
      '',
      'calendar  on  0 files, 0 B, nothing new',
      '  read a folder: mnemonic sync --adapter calendar --path FOLDER; read it in every sync: sources.calendar.paths in config.yaml',
      '',
      'aix-events  on  the turns of all sessions as events',
      '',
      'cursor  on  0 files, 0 B, nothing new',
      '  /d',
      '',
      'not on this machine: pi, nexus (off)',
      '',
      'to read one file of a private source without switching it on: mnemonic sync --path FILE',
      '',
      'not in this version yet: gmail',
      '',
      'Sync every hour: off; mnemonic install timer keeps what harnesses delete',
    ].join('\n'),
  )
})
