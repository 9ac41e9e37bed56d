/** Preferences and decisions in reach that closely match the prompt. Redacted. */
import { OWNER_SCOPE } from '../../analyze/history/owner-scope.ts'
import { askedTerms } from '../../analyze/history/terms.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { inWords, isPersonalStatement } from '../../core/stated-as.ts'
import { toIso } from '../../core/time.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { StatedRequest, StatedRow } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'
import { type Candidate, lastPart } from './piece.ts'

export interface Asked {
  readonly agent: string
  readonly prompt: string
  readonly keys: readonly string[] | undefined
  readonly personal: boolean
}

/** One shared word is chance. */
const LEAST_TERMS = 2
const MOST = 1
const LOOKED_AT = 20

export async function statedPieces(store: Store, { agent, prompt, keys, personal }: Asked): Promise<Candidate[]> {
  const terms = askedTerms(prompt)
  if (terms.length < LEAST_TERMS) return []
  const least = Math.max(LEAST_TERMS, Math.ceil(terms.length / 2))
  const ask = async (type: StatedRequest['type']) =>
    (await store.reader.stated({ agentId: agent, type, terms, least, limit: LOOKED_AT })).filter(
      ({ session_id: unit, rule }) => personal || !isPersonalStatement({ unit, rule }),
    )
  const inReach = (scope: string) => keys === undefined || keys.includes(scope)
  const preferences = (await ask('preference_stated'))
    .filter(({ trust, scope }) => trust === 'owner' && (scope === OWNER_SCOPE || inReach(scope)))
    .slice(0, MOST)
  const decisions = (await ask('decision'))
    // A plan's heading answers nothing; its content is found as a turn.
    .filter(({ rule }) => rule !== 'rules:plan approved')
    .filter(({ project, repository, scope }) => inReach(repository ?? project ?? scope))
    .slice(0, MOST)
  const rows = [
    ...preferences.map((row) => ({ row, kind: 'preference' as const })),
    ...decisions.map((row) => ({ row, kind: 'decision' as const })),
  ]
  const short = await shortTurnIds(
    store,
    rows.flatMap(({ row }) => row.turn_id ?? []),
  )
  const clean = (text: string | null) => redactSensitiveText(text ?? '', { mode: 'tools' })
  return rows.map(({ row, kind }) => ({
    ...{ citation: short.get(row.turn_id ?? '') ?? `d:${row.key.slice(0, 8)}`, kind, date: toIso(row.made_at).slice(0, 10) },
    ...{
      title: row.title === null ? null : clean(row.title),
      project: row.project_name ?? lastPart(row.project ?? statedFor(row)),
      trust: row.trust,
    },
    parts: [
      { label: '', text: inWords({ text: clean(row.content), rule: row.rule, about: row.about === null ? null : clean(row.about) }) },
    ],
    isShort: true,
    why: kind === 'preference' ? 'the owner prefers so' : 'decided, and it holds',
    key: { kind: 'decision' as const, id: row.event_id, part: '' },
  }))
}

function statedFor({ session_id, scope }: StatedRow): string | null {
  return session_id !== null || scope === OWNER_SCOPE ? null : scope
}
