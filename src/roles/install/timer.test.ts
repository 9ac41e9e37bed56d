import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type TestMachine, testMachine } from '../../../test/helpers/install-machine.ts'
import { install, registeredIn, uninstall } from './install.ts'
import { timer } from './timer.ts'

const program = { words: ['/opt/n o/node', '/opt/m/100%/cli/bin.js'] as [string, string], options: ['--home', '/data/$m'], notes: [] }

function told(test: TestMachine): string[] {
  const log = join(test.bin, 'told')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

function systemctl(test: TestMachine, answer = 'exit 0'): void {
  test.script('systemctl', `echo "systemctl $*" >> "${test.bin}/told"\n${answer}`)
}

/** A fake crontab, with the answers of the real one. */
function crontab(test: TestMachine, text?: string): string {
  const file = join(test.bin, 'tab')
  if (text !== undefined) writeFileSync(file, text)
  test.script(
    'crontab',
    `case "$1" in
-l) if [ -f "${file}" ]; then while IFS= read -r line || [ -n "$line" ]; do lines="$lines$line\n"; done < "${file}"; /bin/cat "${file}"; else echo "no crontab for you" >&2; exit 1; fi ;;
-r) /bin/rm "${file}" ;;
-) /bin/cat > "${file}" ;;
esac`,
  )
  return file
}

it('systemd: two units, started, and gone again', () => {
  const test = testMachine()
  systemctl(test)
  const context = { ...test, program }
  const report = install(timer, context)
  expect(report.files.map(({ path, change }) => [path, change])).toEqual([
    [test.at('.config/systemd/user/mnemonic-sync.service'), 'created'],
    [test.at('.config/systemd/user/mnemonic-sync.timer'), 'created'],
  ])
  const service = test.read('.config/systemd/user/mnemonic-sync.service')
  expect(service).toContain('ExecStart="/opt/n o/node" /opt/m/100%%/cli/bin.js sync --home "/data/$$m"\n')
  expect(test.read('.config/systemd/user/mnemonic-sync.timer')).toContain('OnCalendar=hourly')
  expect(told(test).slice(-2)).toEqual(['systemctl --user daemon-reload', 'systemctl --user enable --now mnemonic-sync.timer'])
  const before = told(test).length
  expect(install(timer, context).changed).toBe(false)
  expect(told(test)).toHaveLength(before)
  expect(registeredIn(timer, context).found).toHaveLength(2)
  uninstall(timer, context)
  expect(told(test).slice(-2)).toEqual(['systemctl --user disable --now mnemonic-sync.timer', 'systemctl --user daemon-reload'])
  expect(test.files()).toEqual({})
})

it('systemd that refuses leaves nothing behind', () => {
  const test = testMachine()
  systemctl(test, 'case "$*" in *enable*) echo "no bus" >&2; exit 1 ;; esac')
  expect(() => install(timer, { ...test, program })).toThrow(
    expect.objectContaining({ code: 'STORAGE_ERROR', message: expect.stringContaining('no bus') }),
  )
  expect(test.files()).toEqual({})
})

it('a systemctl without a user’s manager behind it is passed over for crontab', () => {
  const test = testMachine()
  systemctl(test, 'exit 1')
  const text = 'MAILTO=""\n# mine\n0 5 * * * backup # no newline at the end'
  const file = crontab(test, text)
  const context = { ...test, program }
  expect(install(timer, context)).toMatchObject({ changed: true, files: [{ path: 'crontab', change: 'changed', backup: null }] })
  const installed = readFileSync(file, 'utf8')
  expect(installed.startsWith(text)).toBe(true)
  expect(installed).toContain("17 * * * * '/opt/n o/node' /opt/m/100\\%/cli/bin.js sync --home '/data/$m' >/dev/null 2>&1\n")
  expect(install(timer, context).changed).toBe(false)
  writeFileSync(file, `${installed}30 * * * * later\n`)
  uninstall(timer, context)
  expect(readFileSync(file, 'utf8')).toBe(`${text}\n30 * * * * later\n`)
})

it('crontab: the rest comes back byte for byte; one that was made for ours goes', () => {
  const test = testMachine()
  const text = '# mine\n0 5 * * * backup\n\n'
  const file = crontab(test, text)
  install(timer, { ...test, program })
  uninstall(timer, { ...test, program })
  expect(readFileSync(file, 'utf8')).toBe(text)
  const fresh = testMachine()
  const none = crontab(fresh)
  install(timer, { ...fresh, program })
  expect(readFileSync(none, 'utf8')).toContain('# >>> mnemonic >>>')
  uninstall(timer, { ...fresh, program })
  expect(existsSync(none)).toBe(false)
})

it('a crontab that cannot be read is never overwritten', () => {
  const test = testMachine()
  test.script('crontab', 'case "$1" in -l) echo "permission denied" >&2; exit 1 ;; *) echo wrote > "$0.wrote" ;; esac')
  expect(() => install(timer, { ...test, program })).toThrow(
    expect.objectContaining({ message: expect.stringContaining('permission denied') }),
  )
  expect(existsSync(join(test.bin, 'crontab.wrote'))).toBe(false)
  expect(registeredIn(timer, { ...test, program }).warnings).toEqual([expect.stringContaining('permission denied')])
})

it('markers without an end are left to the person', () => {
  const test = testMachine()
  const file = crontab(test, 'a\n# >>> mnemonic >>>\nb\n')
  expect(() => uninstall(timer, { ...test, program })).toThrow(expect.objectContaining({ message: expect.stringContaining('line 2') }))
  expect(readFileSync(file, 'utf8')).toBe('a\n# >>> mnemonic >>>\nb\n')
})

it('launchd: an agent, loaded and unloaded', () => {
  const test = testMachine({ UID: '501' }, 'darwin')
  test.script('launchctl', `echo "launchctl $*" >> "${test.bin}/told"`)
  install(timer, { ...test, program })
  const plist = test.at('Library/LaunchAgents/agent-mnemonic.sync.plist')
  expect(readFileSync(plist, 'utf8')).toContain('<string>/opt/n o/node</string>')
  expect(told(test)).toEqual(['launchctl bootout gui/501/agent-mnemonic.sync', `launchctl bootstrap gui/501 ${plist}`])
  uninstall(timer, { ...test, program })
  expect(told(test).at(-1)).toBe('launchctl bootout gui/501/agent-mnemonic.sync')
  expect(test.files()).toEqual({})
})

it('units from another time are found where systemd no longer answers', () => {
  const test = testMachine()
  systemctl(test)
  install(timer, { ...test, program })
  const later = { ...test.machine, env: { ...test.machine.env, PATH: '' } }
  expect(registeredIn(timer, { machine: later, program }).found).toHaveLength(2)
  uninstall(timer, { machine: later, program })
  expect(test.files()).toEqual({})
})

it('a machine with none of them says what to do', () => {
  const test = testMachine()
  expect(() => install(timer, { ...test, program })).toThrow(
    expect.objectContaining({ code: 'NOT_SUPPORTED', hint: expect.stringContaining('mnemonic sync') }),
  )
})
