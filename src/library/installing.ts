import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeValue } from '../config/write-value.ts'
import { type TimerState, timerState } from '../operations/timer-state.ts'
import { claudePlugin, enabledPlugin, REMOVE_PLUGIN, requireNoEntries, requireNoPlugin } from '../roles/install/claude-plugin.ts'
import { HARNESSES, harnessCalled } from '../roles/install/harnesses.ts'
import { install, registeredIn, uninstall } from '../roles/install/install.ts'
import { type Machine, thisMachine } from '../roles/install/machine.ts'
import { findProgram, requirePlainPaths } from '../roles/install/program.ts'
import { firstHit } from './first-hit.ts'
import type { HarnessState, InitPlan, MnemonicInstalling } from './install-calls.ts'
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function installing(home: Home, memory: Pick<Mnemonic, 'sources' | 'decisions' | 'sessions'>): MnemonicInstalling {
  const { paths, config } = home
  return {
    harnesses: async () => statesOf(thisMachine(), home),
    async install(name, options) {
      const harness = harnessCalled(name)
      const context = contextOf(home)
      requirePlainPaths(context.program)
      if (name === 'claude-code') requireNoPlugin(context.machine)
      return install(harness, context, options)
    },
    async uninstall(name, options) {
      const context = contextOf(home)
      const report = uninstall(harnessCalled(name), context, options)
      if (name !== 'claude-code' || enabledPlugin(context.machine) === undefined) return report
      return { ...report, notes: ['It is a plugin there. To remove that:', `$ ${REMOVE_PLUGIN}`] }
    },
    async plugin({ folder = join(paths.home, 'claude-code-plugin'), ...options } = {}) {
      const context = contextOf(home)
      requirePlainPaths(context.program)
      requireNoEntries(context.machine, context.program)
      return install(claudePlugin(folder), context, options)
    },
    plan: async () => planOf(home, await memory.sources.list(), await timerHere(home)),
    timer: () => timerHere(home),
    setAutoPublish: async (enabled) => writeValue(paths.config, ['memory', 'auto_publish'], enabled),
    firstHit: () => firstHit(memory, config.agent === 'all' ? undefined : config.agent),
  }
}

export function contextOf({ paths }: Pick<Home, 'paths'>, machine: Machine = thisMachine()) {
  return { machine, program: findProgram(machine, paths) }
}

function statesOf(machine: Machine, home: Home): HarnessState[] {
  const context = contextOf(home, machine)
  return HARNESSES.map((harness) => {
    const { found, warnings } = registeredIn(harness, context)
    const { name, title } = harness
    const plugin = name === 'claude-code' ? enabledPlugin(machine) : undefined
    const files = plugin === undefined ? found : [...found, plugin]
    return { name, title, detected: harness.detect(machine), installed: files.length > 0, as_plugin: plugin !== undefined, files, warnings }
  })
}

export async function timerHere(home: Home): Promise<TimerState> {
  return timerState(contextOf(home), existsSync(home.paths.database) ? await home.open() : undefined)
}

function planOf(home: Home, sources: Awaited<ReturnType<Mnemonic['sources']['list']>>, timer: TimerState): InitPlan {
  const { paths, config } = home
  return {
    home: paths.home,
    workspace: paths.workspace,
    sources: sources
      .filter(({ kind, enabled, units }) => kind === 'harness' && enabled && units > 0)
      .map(({ name, units, bytes, waiting, oldest_waiting, retention }) => ({
        name,
        files: units,
        bytes,
        waiting,
        oldest_waiting,
        retention,
      })),
    personal: sources.flatMap(({ name, kind, enabled, available, places }) => {
      const place = places.find(({ exists }) => exists)
      return kind === 'personal' && available && place !== undefined ? [{ name, path: place.path, enabled }] : []
    }),
    harnesses: statesOf(thisMachine(), home),
    auto_publish: config.memory.auto_publish,
    timer,
  }
}
