import type { LanguageModel } from '../analyze/llm/language-model.ts'
import type { Dossier } from '../artifacts/dossiers/cited.ts'
import { MnemonicError } from '../core/error.ts'
import { redactVisible } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import { notIndexed } from '../store/tool-gate.ts'
import type { DossierRequest, MnemonicDossiers } from './dossier-calls.ts'
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

const ASKED = ['entity', 'topic', 'project', 'howTo', 'projectHowTo'] as const
const MOST_SESSIONS = 5

export function dossiers(home: Home, search: Mnemonic['search']): MnemonicDossiers {
  const { config, clock, paths } = home

  async function made(request: DossierRequest): Promise<Dossier> {
    const [asked, other] = ASKED.filter((key) => request[key]?.trim())
    if (asked === undefined || other !== undefined)
      throw new MnemonicError('USAGE', 'a dossier is about one thing', { hint: 'Give a name, or one of --topic, --project and --how-to.' })
    const [store, agentId] = [await home.current(), request.agent ?? config.agent]
    const about = (request[asked] ?? '').trim()
    if (asked === 'entity') {
      const { entityCalled } = await import('../graph/find-entity.ts')
      const { entityDossier } = await import('../artifacts/dossiers/entity-dossier.ts')
      return entityDossier(store, (await entityCalled({ db: store.read }, about, { agentId })).entity_id, { agentId, now: clock() })
    }
    const { projectDossier, topicDossier } = await import('../artifacts/dossiers/project-dossier.ts')
    if (asked === 'topic') return topicDossier(store, about, { agentId })
    if (asked === 'howTo') return fix(about, agentId)
    const { projectCalled } = await import('../ingest/project-called.ts')
    const scope = await projectCalled(store, about)
    const named = await store.read
      .selectFrom('agent_sessions')
      .select('project_name')
      .where((eb) => eb.or([eb(eb.fn.coalesce('repository', 'project'), 'in', scope.keys), eb('id', 'in', scope.ids)]))
      .where('project_name', 'is not', null)
      .orderBy('last_message_at', 'desc')
      .executeTakeFirst()
    const name = named?.project_name ?? about
    if (asked === 'project') return projectDossier(store, name, { ...scope, agentId })
    if (store.work.tools === 'off') throw notIndexed('off')
    const { projectHowTo } = await import('../artifacts/dossiers/project-how-to.ts')
    return projectHowTo(store, name, { ...scope, agentId })
  }

  async function fix(about: string, agentId: string): Promise<Dossier> {
    const store = await home.current()
    if (store.work.tools === 'off') throw notIndexed('off')
    const { howTo } = await import('../artifacts/dossiers/how-to.ts')
    const { resolveAny } = await import('../ledgers/resolve.ts')
    const named = /\s/.test(about) ? undefined : await resolveAny(store, about, agentId === 'all' ? undefined : agentId)
    const words = about.split(/\s+/)
    const sessions =
      named === undefined
        ? (
            await search({ query: about, by: 'session', limit: MOST_SESSIONS, filters: { sources: ['sessions'], agent: agentId } })
          ).groups.map(({ session_id }) => session_id)
        : [named.session.id]
    for (const session of sessions) {
      const found = await howTo(store, session, { words: named === undefined ? words : [], agentId })
      if (found !== undefined) return found
    }
    throw new MnemonicError('NOT_FOUND', `nothing that failed and was then mended was found for ${JSON.stringify(oneLine(about, 80))}`, {
      details: { asked: oneLine(about, 80) },
      hint: 'Name the session: mnemonic search WORDS finds it, and dossier --how-to takes its id.',
    })
  }

  async function model(): Promise<LanguageModel | undefined> {
    if (config.analyze.provider === 'rules') return undefined
    const { openModel } = await import('../analyze/llm/open-model.ts')
    return openModel(config.analyze, { store: await home.current(), clock, configFile: paths.config })
  }

  return {
    async make({ force, ...request }) {
      const { withNarrative } = await import('../artifacts/dossiers/narrative.ts')
      const { dossier, warnings } = await withNarrative(await made(request), await model())
      const { countOf } = await import('../artifacts/dossiers/cited.ts')
      if (countOf(dossier) === 0)
        throw new MnemonicError('NOT_FOUND', `nothing is known of ${JSON.stringify(dossier.title)} that could be cited`, {
          details: { subject: dossier.subject },
          hint: 'What is extracted is found by: mnemonic sync. To search everything: mnemonic search.',
        })
      const { keepDossier } = await import('../artifacts/dossiers/dossiers.ts')
      const { renderDossier } = await import('../artifacts/dossiers/render-dossier.ts')
      const written = keepDossier(paths.workspace, dossier, { force: force ?? false })
      const { kind, subject, title } = dossier
      return { ...written, kind, subject, title, sentences: countOf(dossier), markdown: renderDossier(dossier), warnings }
    },
    async list() {
      const { listDossiers } = await import('../artifacts/dossiers/dossiers.ts')
      return listDossiers({ store: await home.current(), workspace: paths.workspace, now: clock() })
    },
    async names() {
      const { ownDossiers } = await import('../artifacts/dossiers/own-dossiers.ts')
      return ownDossiers(paths.workspace, config.agent).map(({ name }) => name)
    },
    async read(name) {
      const { ownDossiers } = await import('../artifacts/dossiers/own-dossiers.ts')
      const found = ownDossiers(paths.workspace, config.agent).find((one) => one.name === name)
      if (found !== undefined) return { path: found.path, kind: found.kind, text: redactVisible(found.text) }
      throw new MnemonicError('NOT_FOUND', `there is no dossier called ${JSON.stringify(oneLine(name, 80))}`, {
        details: { name: oneLine(name, 80) },
        hint: 'A person writes one: mnemonic dossier NAME',
      })
    },
  }
}
