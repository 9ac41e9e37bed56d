// Import order of the layers. `node scripts/boundaries.js` writes it into biome.json; test/contracts/imports.test.ts checks every form of
// import.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A folder of src/ imports only earlier ones. */
export const ORDER = [
  'core',
  'config',
  'store',
  'tombstones',
  'ledgers',
  'ingest',
  'episodes',
  'embed',
  'graph',
  'analyze',
  'index',
  'search',
  'browse',
  'fork',
  'artifacts',
  'forget',
  'roles',
  'operations',
  'jobs',
  'library',
]
/** These use only the public library (src/library/index.ts) and core. Only the command line starts the others. */
export const FRONTS = ['mcp', 'http', 'web', 'cli']
/** Order within a layer. */
export const ROOMS = { artifacts: ['format', 'publish', 'render', 'repair'] }
/** The store's engine, and who may open it. */
export const ENGINE = { folder: 'store/sqlite', openedBy: ['store', 'library'] }

const rule = (folders, message) => ({
  level: 'error',
  options: { patterns: [{ group: folders.map((folder) => `**/${folder}/**`), message }] },
})
const override = (folder, forbidden, message) => ({
  includes: [`src/${folder}/**`, `!**/*.test.ts`],
  linter: { rules: { style: { noRestrictedImports: rule(forbidden, message) } } },
})

export function withBoundaries(config) {
  const layers = ORDER.map((folder, i) =>
    override(
      folder,
      [...ORDER.slice(i + 1), ...FRONTS, ...(ENGINE.openedBy.includes(folder) ? [] : [ENGINE.folder])],
      `${folder} may import only what stands left of it: ${ORDER.slice(0, i).join(', ') || 'nothing'}.`,
    ),
  )
  const fronts = FRONTS.map((folder) =>
    override(
      folder,
      [...ORDER.filter((name) => name !== 'core' && name !== 'library'), ...FRONTS.filter((name) => name !== folder && folder !== 'cli')],
      `${folder} calls the public library (../library/index.ts) and core, nothing else.`,
    ),
  )
  const others = (config.overrides ?? []).filter((entry) => !entry.linter?.rules?.style?.noRestrictedImports)
  return { ...config, overrides: [...others, ...layers, ...fronts] }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const config = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync('biome.json', `${JSON.stringify(withBoundaries(config), null, 2)}\n`)
}
