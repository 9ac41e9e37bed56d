/** A project's card: facts from its tool calls, valid decisions and open actions. Redacted. */
import { cardSections } from '../../analyze/projects/card-sections.ts'
import { loadCard } from '../../analyze/projects/load-card.ts'
import { changesSince } from '../../browse/since.ts'
import type { ChangedSince } from '../../core/changed-since.ts'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { redactVisible } from '../../core/redact.ts'
import { AGENT_SAID, inWords } from '../../core/stated-as.ts'
import { oneLine } from '../../core/text.ts'
import { isoOrNull, toIso } from '../../core/time.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { briefFacts, type Stated } from './brief-facts.ts'

export interface ProjectCardLine {
  readonly label: string
  readonly text: string
  /** Latest source turn, as `show` takes it; null if stated outside a session. */
  readonly id: string | null
  readonly at: string | null
  readonly sessions: number
  readonly trust: string
  /** Later changes to files of the turn and to code that the decision names. Undefined if unknown. */
  readonly changed_since?: ChangedSince
}

export interface ProjectCardAnswer {
  readonly project: {
    readonly name: string
    readonly key: string
    readonly sessions: number
    readonly first: string | null
    readonly last: string | null
  }
  readonly sections: readonly { readonly title: string; readonly lines: readonly ProjectCardLine[] }[]
}

export interface ProjectCardRequest {
  readonly agentId: string
  readonly scope: ProjectScope
  /** `screen`: fits one screen; `whole`: everything. */
  readonly size: 'screen' | 'whole'
  readonly now: number
}

const MOST = { screen: { decisions: 4, actions: 3 }, whole: { decisions: 40, actions: 20 } }
const LONGEST = 170
const DECIDED = 'decided'

export async function projectCardOf(store: Store, { agentId, scope, size, now }: ProjectCardRequest): Promise<ProjectCardAnswer> {
  const project = await head(store, { agentId, scope })
  const sections = cardSections(await loadCard(store, { agentId, scope }), size)
  const short = await shortTurnIds(
    store,
    sections.flatMap(({ lines }) => lines.flatMap(({ from }) => from.turn ?? [])),
  )
  const { decisions, actions } = await briefFacts(store, { agentId, scope, keys: scope.keys, own: undefined, personal: false, now })
  const changes = await changesSince(
    store,
    [...decisions.flatMap(({ turn }) => turn ?? []), ...sections.flatMap(({ lines }) => lines.flatMap(({ from }) => from.turn ?? []))],
    { agentId },
  )
  const stated = (title: string, label: string, all: readonly Stated[]) =>
    all.length === 0
      ? []
      : [
          {
            title,
            lines: all.map(({ text, rule, about, at, turn, isReported = true }) => ({
              ...{
                label,
                text: `${oneLine(redactVisible(inWords({ text, rule, about })), LONGEST)}${label === DECIDED && isReported ? AGENT_SAID : ''}`,
                id: null,
                at: toIso(at),
                sessions: 1,
                trust: isReported ? 'agent' : 'owner',
              },
              ...given({ changed_since: changes.get(turn ?? '') }),
            })),
          },
        ]
  const made = sections.map(({ title, lines }) => ({
    title,
    lines: lines.map(({ label, text, from }) => ({
      ...{ label, text: redactVisible(text), id: short.get(from.turn ?? '') ?? null, at: from.at === 0 ? null : toIso(from.at) },
      ...{ sessions: from.sessions, trust: from.trust, ...given({ changed_since: changes.get(from.turn ?? '') }) },
    })),
  }))
  const before = made.filter(({ title }) => title !== 'Pitfalls')
  const pitfalls = made.filter(({ title }) => title === 'Pitfalls')
  return {
    project,
    sections: [
      ...before,
      ...stated('What holds', DECIDED, decisions.slice(0, MOST[size].decisions)),
      ...stated('What is open', 'to do', actions.slice(0, MOST[size].actions)),
      ...pitfalls,
    ],
  }
}

async function head(
  { read }: Store,
  { agentId, scope }: Pick<ProjectCardRequest, 'agentId' | 'scope'>,
): Promise<ProjectCardAnswer['project']> {
  let query = read
    .selectFrom('agent_sessions')
    .where('status', '<>', 'deleted')
    .where('is_subagent', '=', 0)
    .where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('repository', 'project'), 'in', scope.keys.length === 0 ? [''] : scope.keys),
        eb('workspace_path', 'in', scope.folders.length === 0 ? [''] : scope.folders),
        eb('id', 'in', scope.ids.length === 0 ? [''] : scope.ids),
      ]),
    )
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const rows = await query
    .select(['project_name', 'repository', 'project', 'started_at', 'last_message_at'])
    .orderBy('last_message_at', 'desc')
    .execute()
  const [newest] = rows
  if (newest === undefined)
    throw new MnemonicError('NOT_FOUND', 'no session is of this project', { hint: 'Which projects there are: mnemonic projects' })
  const times = rows.flatMap(({ started_at }) => started_at ?? [])
  return {
    name: redactVisible(newest.project_name ?? newest.project ?? ''),
    key: redactVisible(newest.repository ?? newest.project ?? ''),
    sessions: rows.length,
    first: times.length === 0 ? null : toIso(Math.min(...times)),
    last: isoOrNull(newest.last_message_at),
  }
}
