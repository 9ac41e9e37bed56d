// Writes the import order of the layers into biome.json, so that the linter refuses an import to the right.
// Run it after changing ORDER: node scripts/boundaries.js
import { readFileSync, writeFileSync } from 'node:fs'

const ORDER = [
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
]
// The doors of the house: they call the public library (src/library/index.ts) and each other's nothing.
const DOORS = ['mcp', 'http', 'web', 'cli']

const rule = (folders, message) => ({
  level: 'error',
  options: { patterns: [{ group: folders.map((folder) => `**/${folder}/**`), message }] },
})
const override = (folder, forbidden, message) => ({
  includes: [`src/${folder}/**`, `!**/*.test.ts`],
  linter: { rules: { style: { noRestrictedImports: rule(forbidden, message) } } },
})

const layers = ORDER.map((folder, i) =>
  override(
    folder,
    [...ORDER.slice(i + 1), ...DOORS, ...(folder === 'store' ? [] : ['store/sqlite'])],
    `${folder} may import only what stands left of it: ${ORDER.slice(0, i).join(', ') || 'nothing'}.`,
  ),
)
const doors = DOORS.map((folder) =>
  override(
    folder,
    // The command line opens the other doors: `mnemonic mcp`.
    [...ORDER.filter((name) => name !== 'core'), ...DOORS.filter((name) => name !== folder && folder !== 'cli')],
    `${folder} calls the public library (../index.ts) and core, nothing else.`,
  ),
)

const config = JSON.parse(readFileSync('biome.json', 'utf8'))
const others = (config.overrides ?? []).filter((entry) => !entry.linter?.rules?.style?.noRestrictedImports)
writeFileSync('biome.json', `${JSON.stringify({ ...config, overrides: [...others, ...layers, ...doors] }, null, 2)}\n`)
