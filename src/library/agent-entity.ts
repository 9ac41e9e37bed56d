import { markMemory, NOTICE } from '../core/marked-text.ts'
import { named, safe } from '../core/named.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import { tokenCost } from '../core/tokens.ts'
import type { ShownEntity } from '../graph/entity-answers.ts'
import type { SynthesizedStatement } from '../graph/read/synthesize.ts'
import type { Hints } from './agent-text.ts'

const VALUE = 160
const MOST_ALIASES = 6

export interface EntityText {
  readonly text: string
  readonly cited: readonly string[]
}

export function entityForAgent(shown: ShownEntity, { budget, hints }: { readonly budget: number; readonly hints: Hints }): EntityText {
  const { entity, as_of, current, former, uncertain, aliases, episodes } = shown
  const cited: string[] = []
  const lines = [`${safe(entity.name)} (${safe(entity.type)})${trustOf(entity.trust)}`]
  let left = budget
  const add = (line: string, cite?: string | null) => {
    const whole = cite == null ? `   ${line}` : `${cited.length + 1}. ${line}`
    left -= tokenCost(whole)
    if (left < 0 && lines.length > 2) return false
    if (cite != null) cited.push(cite)
    lines.push(whole)
    return true
  }
  const called = [...new Set(aliases.map(({ value }) => value))].filter((value) => value !== entity.name).slice(0, MOST_ALIASES)
  if (called.length > 0) add(`called: ${called.map((value) => safe(value)).join(', ')}`)
  let leftOut = 0
  const section = (word: string, statements: readonly SynthesizedStatement[]) => {
    for (const one of statements) {
      const from = one.observations.at(-1)
      if (!add(`${word}: ${statementText(one, entity.id)}`, from?.id ?? null)) leftOut += 1
    }
  }
  section('holds', current)
  section('before', former)
  section('claimed', uncertain)
  for (const { start, channel, mentions, episode_id } of episodes) {
    const id = mentions.find((one) => one.id !== null)?.id ?? `e:${episode_id.slice(0, 8)}`
    if (!add(`named ${start.slice(0, 10)} ${[...(channel === null ? [] : [safe(channel)]), named(id)].join(' ')}`, id)) leftOut += 1
  }
  const head = [
    `${plural(entity.mentions, 'message')} ${entity.mentions === 1 ? 'names' : 'name'} it`,
    ...(as_of === null ? [] : [`as of ${as_of.slice(0, 10)}`]),
    ...(leftOut === 0 ? [] : [`${leftOut} left out`]),
  ]
  const more = cited.length === 0 ? [] : [`More of one: ${hints.readHit(1, cited[0] ?? '')}`]
  return { text: [`${head.join(', ')}. ${NOTICE}`, markMemory(lines.join('\n')), ...more].join('\n'), cited }
}

function statementText(one: SynthesizedStatement, entity: string): string {
  const { subject, type, object, literal, since, until, replaced_by, why, observations } = one
  const from = observations.at(-1)
  const who = subject.entity_id === entity ? '' : `${safe(subject.name)} `
  const notes = [
    ...(since === null ? [] : [`since ${since.slice(0, 10)}`]),
    ...(until === null ? [] : [`until ${until.slice(0, 10)}`]),
    ...(why === null ? [] : [replaced_by === null ? why : `${why} by ${safe(replaced_by)}`]),
    ...(from === undefined
      ? []
      : [
          from.source_type === 'inferred' && from.counted !== null
            ? `counted from ${from.counted} events`
            : `${named(from.id ?? from.message_id)}`,
        ]),
  ]
  const said = `${who}${printable(type).toLowerCase().replaceAll('_', ' ')} ${oneLine(printable(object?.name ?? literal ?? ''), VALUE)}`
  return `${said} (${notes.join(', ')})${trustOf(from?.trust ?? 'owner')}`
}

function trustOf(trust: string): string {
  return trust === 'owner' || trust === 'agent' ? '' : ` [${trust}]`
}
