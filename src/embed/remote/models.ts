export interface KnownModel {
  /** Tokens. Some servers reject longer input, others truncate silently. */
  readonly window: number
  readonly dimensions?: number
  /** Absent if free or unknown: then only tokens are capped. */
  readonly usdPerMillion?: number
  /** Prefixes from the model's training. */
  readonly prefix?: { readonly document?: string; readonly query?: string }
}

const SEARCH_QUERY = 'Represent this sentence for searching relevant passages: '

/** By name prefix without namespace and tag; the longest match wins. */
const MODELS: Readonly<Record<string, KnownModel>> = {
  'text-embedding-3-small': { window: 8191, dimensions: 1536, usdPerMillion: 0.02 },
  'text-embedding-3-large': { window: 8191, dimensions: 3072, usdPerMillion: 0.13 },
  'text-embedding-ada-002': { window: 8191, dimensions: 1536, usdPerMillion: 0.1 },
  'gemini-embedding-001': { window: 2048, dimensions: 3072, usdPerMillion: 0.15 },
  'text-embedding-004': { window: 2048, dimensions: 768 },
  'nomic-embed-text': { window: 2048, dimensions: 768, prefix: { document: 'search_document: ', query: 'search_query: ' } },
  'mxbai-embed-large': { window: 512, dimensions: 1024, prefix: { query: SEARCH_QUERY } },
  'all-minilm': { window: 256, dimensions: 384 },
  'bge-m3': { window: 8192, dimensions: 1024 },
  'bge-large': { window: 512, dimensions: 1024, prefix: { query: SEARCH_QUERY } },
  embeddinggemma: { window: 2048, dimensions: 768, prefix: { document: 'title: none | text: ', query: 'task: search result | query: ' } },
}

/** Small enough for common models; longer texts are split into windows. */
const UNKNOWN: KnownModel = { window: 512 }

export function knownModel(model: string): KnownModel {
  const name = (model.split('/').at(-1) ?? model).toLowerCase()
  const key = Object.keys(MODELS)
    .filter((known) => name.startsWith(known))
    .sort((a, b) => b.length - a.length)[0]
  return key === undefined ? UNKNOWN : (MODELS[key] ?? UNKNOWN)
}
