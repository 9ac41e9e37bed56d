import { given } from '../../../core/given.ts'
import { sha256 } from '../../../core/hash.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, isFields } from '../fields.ts'

export const ATTACHED: ReadonlySet<string> = new Set([
  ...[
    'context',
    'attachedCodeChunks',
    'attachedFolders',
    'attachedFoldersNew',
    'attachedFoldersListDirResults',
    'attachedFileCodeChunksUris',
  ],
  ...['relevantFiles', 'images', 'docsReferences', 'webReferences', 'aiWebSearchResults', 'gitDiffs', 'commits', 'pullRequests'],
  ...['externalLinks', 'uiElementPicked', 'recentLocationsHistory', 'recentlyViewedFiles', 'currentFileLocationData', 'ideEditorsState'],
  ...['projectLayouts', 'knowledgeItems', 'summarizedComposers', 'documentationSelections', 'notepads', 'selections', 'fileSelections'],
  ...['folderSelections', 'selectedDocs', 'selectedCommits', 'selectedPullRequests', 'terminalSelections', 'terminalFiles', 'quotes'],
  ...['selectedImages', 'mentions', 'contextPieces', 'codebaseContextChunks', 'multiFileLinterErrors', 'approximateLintErrors', 'lints'],
  ...['deletedFiles', 'editTrailContexts', 'allAttachedFileCodeChunksUris', 'cursorRules'],
])

/** Every request repeats the project listing: stored as a fingerprint. */
const LISTINGS: ReadonlySet<string> = new Set(['projectLayouts'])
const DEPTH = 40
const LEAST_BYTES = 256

export interface Attached {
  readonly context?: unknown
  readonly cursorRules?: unknown
}

export function attachedTo(bubble: Fields, request: Fields | undefined): Attached {
  const context: Record<string, unknown> = {}
  let rules: unknown
  for (const source of [bubble, request ?? {}]) {
    for (const [key, value] of Object.entries(source)) {
      if (!ATTACHED.has(key)) continue
      if (key === 'cursorRules') rules ??= pruned(value, 0)
      else if (key === 'context' && isFields(value)) {
        const { cursorRules, ...rest } = value
        rules ??= pruned(cursorRules, 0)
        add(context, pruned(rest, 0))
      } else add(context, pruned({ [key]: LISTINGS.has(key) ? fingerprint(value) : value }, 0))
    }
  }
  return {
    ...given({ context: Object.keys(context).length === 0 ? undefined : withoutBinary(context), cursorRules: rules }),
  }
}

function add(context: Record<string, unknown>, more: unknown): void {
  if (isFields(more)) for (const [key, value] of Object.entries(more)) context[key] ??= value
}

function fingerprint(value: unknown): unknown {
  const text = JSON.stringify(value ?? null)
  return text.length <= 4 ? undefined : { sha256: sha256(text), bytes: Buffer.byteLength(text) }
}

export function pruned(value: unknown, depth: number): unknown {
  if (value === null || value === undefined || value === '' || depth > DEPTH) return undefined
  if (typeof value !== 'object') return value
  const bytes = bytesOf(value)
  if (bytes !== undefined) return { sha256: sha256(bytes), bytes: bytes.length }
  if (Array.isArray(value)) {
    const kept = value.map((item) => pruned(item, depth + 1)).filter((item) => item !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  const kept = Object.entries(value)
    .map(([key, item]) => [key, pruned(item, depth + 1)] as const)
    .filter(([, item]) => item !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** Image bytes stored as a list or as an object with numeric keys. */
function bytesOf(value: object): Buffer | undefined {
  const list = Array.isArray(value) ? value : '0' in value && '1' in value ? Object.values(value) : []
  if (list.length < LEAST_BYTES || !list.every((item) => Number.isInteger(item) && item >= 0 && item < 256)) return undefined
  return Buffer.from(list as number[])
}
