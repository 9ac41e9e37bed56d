import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { type Deeds, deedsOf } from '../../ledgers/deeds/deeds.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { Store } from '../../store/store.ts'
import type { Cite, CitedSentence, Dossier, Section } from './cited.ts'
import { latest } from './entity-dossier.ts'
import { type DoneCall, type Incident, incidentsOf } from './incidents.ts'

const MOST_INCIDENTS = 5
const MOST_REMEDIES = 8
const LONGEST = 160

export async function howTo(
  store: Store,
  session: string,
  { words, agentId }: { words: readonly string[]; agentId: string },
): Promise<Dossier | undefined> {
  const calls = await callsOf(store, session)
  const wanted = words.map((word) => word.toLowerCase()).filter((word) => word.length > 2)
  const incidents = incidentsOf(calls.map(({ done }) => done))
    .filter((incident) => wanted.length === 0 || wanted.some((word) => textOf(incident).includes(word)))
    .slice(0, MOST_INCIDENTS)
  if (incidents.length === 0) return undefined
  const short = await shortTurnIds(
    store,
    calls.flatMap(({ turn }) => turn ?? []),
  )
  const turnOf = new Map(calls.map(({ done, turn }) => [done.id, short.get(turn ?? '') ?? null]))
  const cite = ({ id, message }: DoneCall): Cite => ({
    message: message ?? '',
    call: id.slice(id.lastIndexOf('/') + 1),
    id: turnOf.get(id) ?? null,
  })
  const row = await store.read.selectFrom('agent_sessions').select('title').where('id', '=', session).executeTakeFirst()
  return {
    ...{
      kind: 'how-to',
      subject: [session, ...wanted].join(' '),
      title: `How to: ${clean((wanted.length === 0 ? row?.title : undefined) ?? incidents[0]?.command ?? session)}`,
      agentId,
    },
    sections: incidents.map((incident) => section(incident, cite)),
    // Untrusted: an agent chose the program that printed this.
    trust: 'untrusted',
    newest: latest(calls.flatMap(({ done }) => done.at ?? [])),
  }
}

function section({ command, errors, failures, remedies, passed }: Incident, cite: (call: DoneCall) => Cite): Section {
  const [first] = failures
  const failed =
    first === undefined ? [] : [{ text: `Failed: “${clean(first.deeds.commands[0] ?? '')}”${said(errors)}`, cites: [cite(first)] }]
  const again: CitedSentence[] = failures
    .slice(1, 4)
    .map((call) => ({ text: `Failed again${said(call.deeds.lines)}`, cites: [cite(call)] }))
  const steps = remedies.slice(-MOST_REMEDIES).map((call): CitedSentence => {
    const files = [...new Set(call.deeds.files.filter(({ action }) => action !== 'read').map(({ path }) => path))]
    const [ran] = call.deeds.commands
    return { text: ran === undefined ? `Changed ${clean(files.join(', '))}` : `Ran “${clean(ran)}”`, cites: [cite(call)] }
  })
  const worked: CitedSentence = { text: `Worked: “${clean(passed.deeds.commands[0] ?? command)}”`, cites: [cite(passed)] }
  return {
    title: clean(command),
    numbered: true,
    sentences: [...failed, ...again, ...steps, worked].filter(({ cites }) => cites.every(({ message }) => message !== '')),
  }
}

function said(lines: readonly string[]): string {
  const [line] = lines
  return line === undefined ? '' : `: “${clean(line)}”`
}

function textOf({ command, errors }: Incident): string {
  return [command, ...errors].join('\n').toLowerCase()
}

function clean(text: string): string {
  return oneLine(redactSensitiveText(text, { mode: 'tools' }), LONGEST)
}

async function callsOf({ read, work }: Store, session: string): Promise<{ done: DoneCall; turn: string | null }[]> {
  const rows = await read
    .selectFrom('agent_tool_calls as c')
    .leftJoin('agent_messages as m', 'm.id', 'c.message_id')
    .select([
      'c.id',
      'c.message_id',
      'c.tool_name',
      'c.params_json',
      'c.result_json',
      'c.status',
      'c.started_at',
      'm.turn_id',
      'm.sequence',
    ])
    .where('c.session_id', '=', session)
    .orderBy('m.sequence')
    .orderBy('c.tool_number')
    .orderBy('c.id')
    .execute()
  // Indexed text obeys the setting for tool output.
  const shown = (deeds: Deeds): Deeds => (work.tools === 'all' ? deeds : { ...deeds, lines: [] })
  return rows.map((row) => ({
    done: { id: row.id, message: row.message_id, at: row.started_at, deeds: shown(deedsOf(row)) },
    turn: row.turn_id,
  }))
}
