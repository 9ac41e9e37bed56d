/** Answers are redacted. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asMnemonicError } from '../core/error.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { toIso } from '../core/time.ts'
import type { RememberedNow } from '../jobs/remember.ts'
import type { Remembered, RememberedStatus } from '../ledgers/remembered.ts'
import type { Home } from './open-home.ts'
import type { MnemonicRemembering, RememberAnswer, ShownRemembered } from './remember-calls.ts'

const SHORT = 8

export function remembering(home: Home): MnemonicRemembering {
  const job = () => import('../jobs/remember.ts')
  return {
    async remember(request) {
      const made = await (await job()).remember(await home.stages(), request)
      if (made.isNew && request.by === 'owner') await renderAgain(home)
      return answerOf(made)
    },
    async confirmRemembered(id) {
      const made = await (await job()).confirmRemembered(await home.stages(), id)
      await renderAgain(home)
      return answerOf(made)
    },
    async undoRemembered(id, { by }) {
      const undone = await (await job()).takeBack(await home.stages(), id, by)
      if (by === 'owner') await renderAgain(home)
      return { undone: shownRemembered(undone) }
    },
    async remembered({ proposed = false, type, all = false, agent, limit = 100 } = {}) {
      const { readRemembered } = await import('../ledgers/remembered.ts')
      const rows = await readRemembered((await home.current()).read, agent ?? home.config.agent)
      const statuses: readonly RememberedStatus[] = proposed
        ? ['proposed']
        : all
          ? ['holds', 'proposed', 'confirmed', 'undone']
          : ['holds', 'proposed']
      const found = rows.filter((row) => statuses.includes(row.status) && (type === undefined || row.type === type)).reverse()
      return {
        remembered: found.slice(0, limit).map(shownRemembered),
        ...{ total: found.length, proposed: rows.filter(({ status }) => status === 'proposed').length },
      }
    },
  }
}

/** MEMORY.md contains the owner's rules. If another process renders it now, that one includes the new rule. */
async function renderAgain(home: Home): Promise<void> {
  const { memoryPath, MEMORY_MARKER } = await import('../artifacts/format/memory-paths.ts')
  const agent = home.config.agent
  const file = join(home.paths.workspace, memoryPath(agent))
  if (!existsSync(file) || !readFileSync(file, 'utf8').startsWith(MEMORY_MARKER)) return
  try {
    await (await home.artifacts(agent)).render({})
  } catch (error) {
    if (asMnemonicError(error).code !== 'JOB_RUNNING') throw error
  }
}

function answerOf({ remembered, isNew, newEntity, searchable, warnings }: RememberedNow): RememberAnswer {
  const shown = shownRemembered(remembered)
  const { about } = shown
  const made = newEntity && about !== null && about.id !== null ? { id: about.id, name: about.name, type: about.type } : null
  return { remembered: shown, is_new: isNew, new_entity: made, searchable, warnings }
}

export function shownRemembered(one: Remembered): ShownRemembered {
  const { id, type, status, by, at, entity, project, alias, corrects, confirms, confirmedBy, from } = one
  return {
    ...{ id: shortId(id), event_id: id, type, text: clean(one.text), status, by, trust: by, stated_at: toIso(at) },
    from: from === null ? null : clean(from),
    about: entity === null ? null : { id: entity.id, name: clean(entity.name), type: entity.type },
    project: project === null ? null : clean(project.name),
    alias: alias === null ? null : { type: alias.type, value: clean(alias.value) },
    corrects: corrects === null ? null : corrects.kind === 'remembered' ? shortId(corrects.id) : corrects.id,
    confirms: confirms === null ? null : shortId(confirms),
    confirmed_by: confirmedBy === null ? null : shortId(confirmedBy),
  }
}

function shortId(id: string): string {
  return `r:${id.slice(id.indexOf(':') + 1).slice(0, SHORT)}`
}

function clean(text: string): string {
  return redactSensitiveText(text, { mode: 'tools' })
}
