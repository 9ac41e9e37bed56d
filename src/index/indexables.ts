import { compactions } from './compactions.ts'
import { episodes } from './episodes.ts'
import type { Feed, Indexable } from './indexable.ts'
import { publishedHistory } from './published-history.ts'
import { turns } from './turns.ts'
import { workspaceDocuments } from './workspace-documents.ts'

export const INDEXABLES: readonly Indexable[] = [turns, compactions, episodes, workspaceDocuments, publishedHistory]

export const FEEDS: readonly Feed[] = [...new Set(INDEXABLES.map(({ feed }) => feed))]
