import type { MnemonicDossiers } from './dossier-calls.ts'
import type { MnemonicFixes } from './fix-calls.ts'
import type { Forking } from './fork-calls.ts'
import type { HookAnswer, HookRequest } from './hook-request.ts'
import type { MnemonicInstalling } from './install-calls.ts'
import type {
  Mnemonic,
  MnemonicAnalyses,
  MnemonicArtifacts,
  MnemonicEntities,
  MnemonicProjects,
  MnemonicSafekeeping,
  OpenMnemonicOptions,
} from './mnemonic.ts'
import { type Home, openHome, type TestHooks } from './open-home.ts'
import type { MnemonicReader } from './prompt-reader.ts'
import { reading } from './reading.ts'
import type { MnemonicRemembering } from './remember-calls.ts'
import type { MnemonicSkills } from './skill-calls.ts'
import { syncing } from './syncing.ts'
import type { Understanding } from './understanding.ts'

/** Opens the database on the first call that needs it, so that a damaged one can be diagnosed. */
export async function openMnemonic(options: OpenMnemonicOptions = {}): Promise<Mnemonic> {
  return openWithHooks(options, {})
}

/** For tests; not exported by the package. */
export async function openWithHooks(options: OpenMnemonicOptions, hooks: TestHooks): Promise<Mnemonic> {
  const home = await openHome(options, hooks)
  const { flush, plain, ...read } = reading(home, options.embedder)
  async function close(): Promise<void> {
    await flush()
    await home.close()
  }
  const filled = syncing(home)
  const known = understood(home, plain)
  return {
    paths: home.paths,
    agent: home.config.agent,
    get timezone() {
      return home.owner().timezone
    },
    warnings: home.warnings,
    ...filled,
    ...read,
    ...known,
    ...later<Pick<Mnemonic, 'rebuild'>>({ rebuild: true }, async () => (await import('./rebuilding.ts')).rebuilding(home)),
    ...later<Pick<Mnemonic, 'route'>>({ route: true }, async () => (await import('./routing.ts')).routing(home, plain)),
    ...later<Forking>({ buildForkContext: true, forkText: true, writeFork: true, forkSession: true }, async () =>
      (await import('./forking.ts')).forking(home, plain),
    ),
    ...later<MnemonicReader>({ read: true, brief: true, personalIn: true }, async () =>
      (await import('./reader-calls.ts')).readerCalls(home, options.embedder),
    ),
    ...kept(home),
    testHook: async (request) => (await import('./hook-test.ts')).testHook(home, request),
    installing: later<MnemonicInstalling>(
      { harnesses: true, install: true, uninstall: true, plugin: true, plan: true, timer: true, setAutoPublish: true, firstHit: true },
      async () => (await import('./installing.ts')).installing(home, { ...read, ...known, sources: filled.sources }),
    ),
    write: async (options) => (await import('./writing.ts')).write(home, options),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Deciding = Pick<Mnemonic, 'decisions' | 'separateDecisions' | 'joinDecisions'>
type Understood = Deciding &
  Understanding &
  MnemonicRemembering &
  Pick<Mnemonic, 'analyze' | 'analyses' | 'entities' | 'projects' | 'fixes' | 'dossiers'>

function understood(home: Home, search: Mnemonic['search']): Understood {
  const analyzing = () => import('./analyzing.ts')
  return {
    analyze: async (options) => (await analyzing()).analyze(home, options),
    analyses: later<MnemonicAnalyses>({ types: true, addType: true, removeType: true }, async () => (await analyzing()).analyses(home)),
    entities: later<MnemonicEntities>(
      {
        list: true,
        show: true,
        review: true,
        merge: true,
        unmerge: true,
        reject: true,
        alias: true,
        retype: true,
        places: true,
        split: true,
        unsplit: true,
      },
      async () => (await import('./entities.ts')).entities(home),
    ),
    projects: later<MnemonicProjects>({ list: true, merge: true, unmerge: true, card: true }, async () =>
      (await import('./projects.ts')).projects(home),
    ),
    fixes: later<MnemonicFixes>({ how: true, find: true, friction: true }, async () => (await import('./fixes.ts')).fixes(home)),
    ...later<Deciding>({ decisions: true, separateDecisions: true, joinDecisions: true }, async () =>
      (await import('./deciding.ts')).deciding(home),
    ),
    ...later<MnemonicRemembering>({ remember: true, remembered: true, confirmRemembered: true, undoRemembered: true }, async () =>
      (await import('./remembering.ts')).remembering(home),
    ),
    ...later<Understanding>({ related: true, findEntities: true, synthesize: true, relatedEntities: true }, async () =>
      (await import('./graph-reading.ts')).understanding(home),
    ),
    dossiers: later<MnemonicDossiers>({ make: true, list: true, names: true, read: true }, async () =>
      (await import('./dossiers.ts')).dossiers(home, search),
    ),
  }
}

type Forgetting = Pick<Mnemonic, 'planForget' | 'forget' | 'resumeForgetting'>
type Inspection = Pick<Mnemonic, 'status' | 'agentStatus' | 'health' | 'doctor'>

function kept(home: Home): Forgetting & MnemonicSkills & Inspection & Pick<Mnemonic, 'artifacts' | 'safekeeping'> {
  return {
    artifacts: later<MnemonicArtifacts>(
      { publish: true, render: true, reindex: true, verify: true, open: true, recover: true, restore: true, accept: true, archive: true },
      async () => (await import('./artifacts.ts')).artifacts(home),
    ),
    safekeeping: later<MnemonicSafekeeping>(
      { backup: true, restore: true, repair: true, export: true, exportSession: true, writeSession: true, uninstall: true },
      async () => (await import('./safekeeping.ts')).safekeeping(home),
    ),
    ...later<MnemonicSkills>({ writeSkills: true }, async () => (await import('./skills.ts')).skills(home)),
    ...later<Forgetting>({ planForget: true, forget: true, resumeForgetting: true }, async () =>
      (await import('./forgetting.ts')).forgetting(home),
    ),
    ...later<Inspection>({ status: true, agentStatus: true, health: true, doctor: true }, async () =>
      (await import('./inspection.ts')).inspection(home),
    ),
  }
}

/** Throws on failure; the caller must hide it from the harness. */
export async function answerHook(request: HookRequest): Promise<HookAnswer> {
  return (await import('./hooking.ts')).answerHook(request)
}

/** Creates `folder` and writes sample sessions, mail, meetings, contacts and a Messages database. */
export async function copySamples(folder: string): Promise<void> {
  return (await import('./samples.ts')).copySamples(folder)
}
type Call = (...given: unknown[]) => Promise<unknown>

/** Proxies calls to the object that `load` returns; the first call loads it. `names` must list every call. */
function later<T extends { readonly [K in keyof T]: (...given: never[]) => Promise<unknown> }>(
  names: Readonly<Record<keyof T & string, true>>,
  load: () => Promise<T>,
): T {
  const called = (name: string): Call => {
    return async (...given) => ((await load()) as unknown as Record<string, Call>)[name]?.(...given)
  }
  return Object.fromEntries(Object.keys(names).map((name) => [name, called(name)])) as unknown as T
}
