import { expect, it } from 'vitest'
import type { Fix } from '../../analyze/failures/fixes.ts'
import { agreedFix, type SolvedRow } from './agreed-fix.ts'

const ATLAS = { keys: ['/home/dev/atlas'], folders: [], ids: [] }
const EDIT: Fix = { edits: [{ file: 'ship.yml', before: 'zone: quay', after: 'zone: lighthouse' }], did: [], edited: 1 }
const SETTING: Fix = { edits: [], did: ['brew install tidewatch'], edited: 0 }

const row = (session: string, fix: Fix, line = 'error: the harbour refused the ship'): SolvedRow => ({
  ...{ call_id: `${session}/1`, session_id: session, rank: 0, tool: 'Bash', program: 'ship', command: 'c', line, shown: 'ship it' },
  ...{ state: 'fixed', fix_json: JSON.stringify(fix), solved_call: null, at: Date.UTC(2026, 2, 1) },
  ...{ project: '/home/dev/atlas', repository: null, workspace_path: null },
})
const shown = (...rows: SolvedRow[]) => agreedFix(rows, { tool: 'Bash', command: 'ship it', project: ATLAS })?.what

it('an edit counts when two sessions made it, not one', () => {
  expect(shown(row('a', EDIT))).toBeUndefined()
  expect(shown(row('a', EDIT), row('a', EDIT))).toBeUndefined()
  expect(shown(row('a', EDIT), row('b', EDIT))).toBe('in ship.yml `zone: quay` became `zone: lighthouse`, then it passed')
})

it('a set-up that was mended once is enough', () => {
  expect(shown(row('a', SETTING, 'ship: command not found'))).toBe('ran `brew install tidewatch`, then it passed')
  expect(shown(row('a', SETTING))).toBeUndefined()
})
