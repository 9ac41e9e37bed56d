/** A secret that only its context reveals must not be indexed or shown. None of these is real. */
import { expect, it } from 'vitest'
import { workOfCall } from '../../index/work-of-call.ts'
import type { Term } from '../../store/work.ts'
import { workText } from './text.ts'

const SECRET = 'Xk29fhQ7mZpL'
/** Looks like key material. */
function base64(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, (_, i) => letters[(i * i * 7 + i * 13) % letters.length]).join('')
}
const KEY = base64(60_000)
const END_OF_KEY = KEY.slice(-100, -60)
const folded = KEY.replace(/.{64}/g, '$&\n')
const BEGIN = `-----BEGIN RSA ${'PRIVATE'} KEY-----`
const END = `-----END RSA ${'PRIVATE'} KEY-----`

const ids = {
  id: 1,
  call_id: 'c',
  native_id: 'c',
  session_id: 's',
  agent_id: 'a',
  turn_id: null,
  message_id: null,
  result_message_id: null,
}

it.each<readonly [what: string, params: object, result: string, sought: string, secret: string]>([
  ['the value below its name', { command: 'x' }, `env:\n  - name: DB_PASSWORD\n    value: ${SECRET}\n`, 'value', SECRET],
  ['an error line below its name', { command: 'x' }, `Exit code 1\n- name: DB_PASSWORD\n  value: ${SECRET} error: x\n`, 'exit', SECRET],
  ['lines of a .netrc', { command: 'cat' }, `machine api.example\n login me\n password ${SECRET}\nfatal: beacon`, 'beacon', SECRET],
  ['a long value', { command: 'x' }, `client-key-data: LS0tLS1CRUdJTi${KEY} beacon`, 'beacon', END_OF_KEY],
  ['a very long value', { command: 'x' }, `client-key-data: LS0tLS1CRUdJTi${KEY.repeat(3)} beacon`, 'beacon', END_OF_KEY],
  ['a key in one line', { command: 'x' }, `${BEGIN}\\n${KEY}\\n${END} beacon`, 'beacon', END_OF_KEY],
  ['the end of a long key', { command: 'x' }, `${BEGIN}\n${folded}\n${END}\nbeacon`, 'end', KEY.slice(-20)],
  [
    'what a colour sets apart',
    { command: 'x' },
    `Exit code 1\nerror: beacon\u001b[32mdocker login -u me -p ${SECRET} r.example\u001b[0m`,
    'exit',
    SECRET,
  ],
  ['a command of words', { command: ['mysql', '-uroot', `-p${SECRET}`, 'app'] }, 'ok', 'mysql', SECRET],
  ['a flag and its value', { command: ['sshpass', '-p', SECRET, 'ssh', 'me@host'] }, 'ok', 'ssh', SECRET],
  ['a user of curl', { argv: ['curl', '-u', `me:${SECRET}`, 'https://host'] }, 'ok', 'curl', SECRET],
])('%s', (_what, params, result, sought, secret) => {
  const json = { params_json: JSON.stringify(params), result_json: JSON.stringify(result) }
  const work = workOfCall({ id: 'c', tool_name: 'Bash', status: 'completed', timestamp: 0, superseded: 0, ...json }, 'all')
  expect([work.command, work.did, work.text].filter((text) => text.includes(secret))).toEqual([])
  const terms: Term[] = [{ words: [sought] }]
  const call = { ...ids, tool: 'Bash', status: 'completed', failed: 0, superseded: 0, timestamp: 0, ...json }
  const { content, excerpt } = workText(call, terms, null)
  expect(content).toMatch(/^Bash: \S/)
  expect([content, excerpt].filter((text) => text.includes(secret))).toEqual([])
})

it('words of a command stand side by side, so that a phrase finds them', () => {
  const params_json = JSON.stringify({ command: ['git', 'rebase', '--onto', 'main'] })
  const call = { id: 'c', tool_name: 'exec', status: 'completed', timestamp: 0, superseded: 0, params_json, result_json: null }
  expect(workOfCall(call, 'all').text).toContain('git rebase --onto main')
})

it('the line that holds most of what was looked for is shown, not the first that holds some of it', () => {
  const json = {
    params_json: JSON.stringify({ command: 'make' }),
    result_json: JSON.stringify('Exit code 1\nfatal: no remote: exit status 128\n'),
  }
  const call = { ...ids, tool: 'Bash', status: 'failed', failed: 1, superseded: 0, timestamp: 0, ...json }
  const terms = ['exit', 'status', '128'].map((word) => ({ words: [word] }))
  expect(workText(call, terms, null).excerpt).toBe('Bash: make (failed)\nfatal: no remote: exit status 128')
})
