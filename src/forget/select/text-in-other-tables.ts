import { parseArtifactPath } from '../../artifacts/format/artifact-name.ts'
import { given } from '../../core/given.ts'
import { COPY_KINDS } from '../../store/copies.ts'
import { messagesIn } from './find-published.ts'
import type { Finder, Finders, Found } from './finder.ts'
import { addForgotten, addValue, count, type HitKind, type Selection } from './selection.ts'
import { heldStrings } from './text-match.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function where({ row }: Found, keys: readonly string[]): Record<string, string | number> {
  return Object.fromEntries(keys.map((key) => [key, row[key] as string | number]))
}

function dropped(kind: HitKind, ...keys: string[]): Finder {
  return {
    keys,
    take(found, selection) {
      selection.sweeps.push({ table: found.table, where: where(found, keys) })
      count(selection, kind, found.table)
    },
  }
}

function blanked(...keys: string[]): Finder {
  return {
    keys,
    take(found, selection) {
      const set = Object.fromEntries(found.columns.map((column) => [column, null]))
      selection.sweeps.push({ table: found.table, where: where(found, keys), set })
      count(selection, 'operations', found.table)
    },
  }
}

function unit(take: (found: Found, selection: Selection) => void): Finder {
  return {
    keys: ['adapter', 'path'],
    take(found, selection) {
      const { row, columns, table } = found
      if (columns.includes('path')) {
        addForgotten(selection, { kind: row.adapter === 'memory' ? 'document' : 'path', id: text(row.path) })
        count(selection, row.adapter === 'memory' ? 'document' : 'path', table)
      }
      take(found, selection)
    },
  }
}

function addStrings({ row, match }: Found, column: string, selection: Selection): void {
  for (const one of heldStrings(text(row[column]), match) ?? [text(row[column])]) addValue(selection, one)
}

const document: Finder = {
  keys: ['path', 'source', 'session_id'],
  take({ row, table }, selection) {
    const [path, session] = [text(row.path), text(row.session_id)]
    if (session !== '') selection.stale.add(session)
    // For published files, `documents` below decides.
    else if (row.source === 'memory' && parseArtifactPath(path) === undefined) addForgotten(selection, { kind: 'document', id: path })
    else selection.sweeps.push({ table: 'files', where: { path, source: text(row.source) } })
    count(selection, 'derived', table)
  },
}

export const OTHER_FINDERS: Finders = {
  episodes: dropped('derived', 'id'),
  analysis_runs: dropped('derived', 'id'),
  // The ledger's event matches too.
  decisions: dropped('derived', 'event_id'),
  decision_terms: dropped('derived', 'event_id', 'term'),
  facets: dropped('derived', 'id'),
  entities: {
    keys: ['id'],
    take(found, selection) {
      addForgotten(selection, { kind: 'entity', id: text(found.row.id) })
      addValue(selection, found.row.name)
      selection.sweeps.push({ table: found.table, where: where(found, ['id']) })
      count(selection, 'entity', found.table)
    },
  },
  entity_aliases: {
    keys: ['id'],
    take(found, selection) {
      addValue(selection, found.row.value)
      selection.sweeps.push({ table: found.table, where: where(found, ['id']) })
      count(selection, 'entity', found.table)
    },
  },
  relationships: dropped('derived', 'id'),
  merge_candidates: dropped('derived', 'id'),
  // The owner's event matches too.
  graph_owner_aliases: dropped('derived', 'event_id'),
  graph_splits: dropped('derived', 'part_id', 'message_id', 'span_start'),
  discussions: dropped('derived', 'unit'),
  discussion_terms: dropped('derived', 'unit', 'term'),
  project_facts: dropped('derived', 'id'),
  failures: dropped('derived', 'call_id', 'signature'),
  session_commits: dropped('derived', 'session_id', 'hash'),
  discussion_waiting: dropped('operations', 'unit'),
  index_sessions: {
    keys: ['id'],
    take({ row, table }, selection) {
      selection.stale.add(text(row.id))
      count(selection, 'derived', table)
    },
  },
  // The ledger's calls match too; rows of older versions may not.
  work_names: dropped('derived', 'number'),
  work: {
    keys: ['session_id'],
    take({ row, table }, selection) {
      selection.stale.add(text(row.session_id))
      count(selection, 'derived', table)
    },
  },
  files: document,
  chunks: document,
  documents: {
    keys: ['path', 'kind', 'session_id'],
    take(found, selection) {
      const { row, match } = found
      // A person's document stays on disk but leaves the index.
      if (row.kind === 'document') {
        // Also removes index and sync state.
        addForgotten(selection, { kind: 'document', id: text(row.path) })
        count(selection, 'document', found.table)
        return
      }
      selection.sessions.add(text(row.session_id))
      // The mirrored session is not in the ledger: keep its messages out.
      for (const said of row.kind === 'transcript' ? messagesIn(text(row.text)) : [])
        if (match.holds(said)) addForgotten(selection, { kind: 'text', text: said })
      selection.sweeps.push({ table: found.table, where: where(found, ['path']) })
      count(selection, row.kind === 'summary' ? 'operations' : 'document', found.table)
    },
  },
  llm_answers: dropped('derived', 'key'),
  extraction_cache: dropped('derived', 'content_hash', 'extractor'),
  index_state: {
    keys: ['session_id'],
    take({ row, table }, selection) {
      selection.stale.add(text(row.session_id))
      count(selection, 'derived', table)
    },
  },
  meta: {
    keys: ['key'],
    take(found, selection) {
      const { row, table, match } = found
      // The other copies must still be found.
      const listed = COPY_KINDS.includes(text(row.key)) ? (JSON.parse(text(row.value)) as string[]) : undefined
      const value = listed && JSON.stringify(listed.filter((path) => !match.holds(path)))
      selection.sweeps.push({ table, where: where(found, ['key']), ...given({ set: value === undefined ? undefined : { value } }) })
      count(selection, 'operations', table)
    },
  },
  sync_state: unit((found, selection) => {
    if (found.columns.includes('carry_json')) addStrings(found, 'carry_json', selection)
    if (found.columns.includes('session_id')) addValue(selection, found.row.session_id)
    if (!found.columns.includes('path')) count(selection, 'operations', found.table)
  }),
  quarantine: unit((found, selection) => {
    if (!found.columns.includes('reasons_json')) return
    addStrings(found, 'reasons_json', selection)
    count(selection, 'operations', found.table)
  }),
  format_drift: unit((found, selection) => {
    if (!found.columns.includes('name')) return
    addValue(selection, found.row.name)
    count(selection, 'operations', found.table)
  }),
  jobs: blanked('id'),
  artifacts: {
    keys: ['session_id', 'source_sha256'],
    take({ row, table }, selection) {
      selection.sessions.add(text(row.session_id))
      count(selection, 'operations', table)
    },
  },
  artifact_journal: dropped('operations', 'key'),
  writer_tasks: dropped('operations', 'kind', 'agent_id', 'harness', 'session'),
  reader_given: dropped('operations', 'agent_id', 'harness', 'session', 'kind', 'id', 'part'),
}
