import { join } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import type { Harness, Told, When } from './harness.ts'
import { configHome, type Machine, mustRun, onPath, run } from './machine.ts'
import { markedLines } from './marked-lines.ts'
import { ownFile } from './own-file.ts'
import type { ConfigPart } from './part.ts'
import { asCommandLine, type Program } from './program.ts'

const MARK = 'Written by "mnemonic install timer"'
const UNIT = 'mnemonic-sync'
const LABEL = 'agent-mnemonic.sync'

export const timer: Harness = {
  name: 'timer',
  title: 'sync every hour',
  detect: (machine) => kindOf(machine) !== undefined,
  parts(machine, program) {
    const kind = kindOf(machine)
    if (kind === 'systemd') return systemdParts(machine, program)
    if (kind === 'launchd') return [launchdPart(machine, program)]
    return kind === 'crontab' ? [crontabPart(machine, program)] : []
  },
  leftovers: everyPart,
  commands(machine, when) {
    const kind = kindOf(machine)
    if (kind === 'launchd') return launchd(machine, when)
    return kind === 'systemd' ? SYSTEMD[when] : []
  },
}

type Kind = 'systemd' | 'launchd' | 'crontab'

/** Tests that systemctl answers: containers often have it without a user manager. */
export function kindOf(machine: Machine): Kind | undefined {
  if (!KINDS.has(machine)) KINDS.set(machine, lookForKind(machine))
  return KINDS.get(machine)
}

const KINDS = new WeakMap<Machine, Kind | undefined>()

function lookForKind(machine: Machine): Kind | undefined {
  if (machine.platform === 'darwin') return 'launchd'
  if (machine.platform === 'win32') return undefined
  if (onPath(machine, 'systemctl') !== undefined && run(machine, 'systemctl', ['--user', 'show-environment']).code === 0) return 'systemd'
  return onPath(machine, 'crontab') === undefined ? undefined : 'crontab'
}

/** Includes other kinds: the machine may have gained or lost systemd since. */
function everyPart(machine: Machine, program: Program): ConfigPart[] {
  if (machine.platform === 'darwin') return [launchdPart(machine, program)]
  const hasCrontab = machine.platform !== 'win32' && onPath(machine, 'crontab') !== undefined
  return [...systemdParts(machine, program), ...(hasCrontab ? [crontabPart(machine, program)] : [])]
}

const TIMER = `${UNIT}.timer`

/** Null if unknown: a crontab runs while its daemon does. */
export function isTimerRunning(machine: Machine): boolean | null {
  const kind = kindOf(machine)
  if (kind === 'systemd') return run(machine, 'systemctl', ['--user', 'is-active', TIMER]).code === 0
  if (kind === 'launchd') return run(machine, 'launchctl', ['print', `${domain(machine)}/${LABEL}`]).code === 0
  return null
}

const SYSTEMD: Readonly<Record<When, readonly Told[]>> = {
  installed: [{ words: ['systemctl', '--user', 'daemon-reload'] }, { words: ['systemctl', '--user', 'enable', '--now', TIMER] }],
  'before-removal': [{ words: ['systemctl', '--user', 'disable', '--now', TIMER], mayFail: true }],
  removed: [{ words: ['systemctl', '--user', 'daemon-reload'], mayFail: true }],
}

function launchd(machine: Machine, when: When): Told[] {
  const unload: Told = { words: ['launchctl', 'bootout', `${domain(machine)}/${LABEL}`], mayFail: true }
  if (when === 'installed') return [unload, { words: ['launchctl', 'bootstrap', domain(machine), plist(machine)] }]
  return when === 'before-removal' ? [unload] : []
}

function domain({ env }: Machine): string {
  return `gui/${env.UID ?? process.getuid?.() ?? 501}`
}

function systemdParts(machine: Machine, program: Program): ConfigPart[] {
  const folder = join(configHome(machine), 'systemd', 'user')
  const what = 'the timer that runs sync every hour (systemd)'
  const command = [...program.words, 'sync', ...program.options].map(systemdWord).join(' ')
  const service = [
    `# ${MARK}; "mnemonic uninstall timer" removes it.`,
    '[Unit]',
    'Description=Mnemonic: import what is new in session logs',
    '',
    '[Service]',
    'Type=oneshot',
    `ExecStart=${command}`,
    '# 3: done, but some files could not be read; "mnemonic health" says which.',
    'SuccessExitStatus=3',
    'Nice=10',
    '',
  ]
  const times = [
    `# ${MARK}; "mnemonic uninstall timer" removes it.`,
    '[Unit]',
    'Description=Mnemonic: sync every hour',
    '',
    '[Timer]',
    'OnCalendar=hourly',
    'RandomizedDelaySec=300',
    'Persistent=true',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ]
  return [
    ownFile({ path: join(folder, `${UNIT}.service`), what, text: service.join('\n'), mark: MARK }),
    ownFile({ path: join(folder, `${UNIT}.timer`), what, text: times.join('\n'), mark: MARK }),
  ]
}

/** systemd expands percent signs and dollars. */
function systemdWord(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w@+=:,./%-]+$/.test(escaped) ? escaped : `"${escaped}"`
}

function plist({ home }: Machine): string {
  return join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`)
}

function launchdPart(machine: Machine, program: Program): ConfigPart {
  const strings = [...program.words, 'sync', ...program.options].map((word) => `    <string>${escapeXml(word)}</string>`)
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${MARK}; "mnemonic uninstall timer" removes it. -->`,
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key>',
    `  <string>${LABEL}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...strings,
    '  </array>',
    '  <key>StartInterval</key>',
    '  <integer>3600</integer>',
    '  <key>RunAtLoad</key>',
    '  <true/>',
    '  <key>ProcessType</key>',
    '  <string>Background</string>',
    '</dict>',
    '</plist>',
    '',
  ]
  return ownFile({ path: plist(machine), what: 'the timer that runs sync every hour (launchd)', text: text.join('\n'), mark: MARK })
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function crontabPart(machine: Machine, program: Program): ConfigPart {
  // cron reads a percent sign as a line break.
  const command = asCommandLine(machine, [...program.words, 'sync', ...program.options]).replaceAll('%', '\\%')
  return markedLines({
    path: 'crontab',
    what: 'the timer that runs sync every hour (crontab)',
    lines: [`# ${MARK}; "mnemonic uninstall timer" removes it.`, `17 * * * * ${command} >/dev/null 2>&1`],
    place: {
      read() {
        const { code, stdout, stderr } = run(machine, 'crontab', ['-l'])
        if (code === 0) return stdout
        // `crontab -l` fails if there is none. After other failures a write could overwrite entries.
        if (/no crontab/i.test(stderr)) return undefined
        throw new MnemonicError('STORAGE_ERROR', `crontab -l failed: ${stderr.trim().split('\n')[0]}`, {
          hint: 'Run "crontab -l" to see why.',
        })
      },
      write: (text) => void (text === undefined ? mustRun(machine, 'crontab', ['-r']) : mustRun(machine, 'crontab', ['-'], text)),
    },
  })
}
