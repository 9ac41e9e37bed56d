import type { Store } from '../../store/store.ts'
import { type CardCommand, commandLines } from './card-commands.ts'
import { changedFiles, type FactScope, readFacts } from './read-facts.ts'

export interface BriefCardLine {
  readonly text: string
  readonly turn: string | null
}

const PURPOSES = ['test', 'integration test', 'build', 'lint', 'format'] as const
const MOST_FOLDERS = 4

/** At most six. */
export async function briefCardLines(store: Store, whose: FactScope): Promise<BriefCardLine[]> {
  const facts = await readFacts(store, { ...whose, kinds: ['command'] })
  const { works } = commandLines(facts, [])
  const lines = PURPOSES.flatMap((purpose): BriefCardLine[] => {
    const [best] = works.filter((one): one is CardCommand => one.purpose === purpose && one.passed > 1)
    if (best === undefined) return []
    return [
      {
        text: `${purpose}: \`${best.command}\`${best.folder === '' ? '' : ` in ${best.folder}`} (passed ${best.passed}×)`,
        turn: best.turn,
      },
    ]
  })
  if (lines.length === 0) return []
  const folders = new Map<string, number>()
  for (const { path, changes } of await changedFiles(store, whose)) {
    const folder = path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/` : './'
    folders.set(folder, (folders.get(folder) ?? 0) + changes)
  }
  const busiest = [...folders].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_FOLDERS)
  return busiest.length === 0 ? lines : [...lines, { text: `most worked on: ${busiest.map(([folder]) => folder).join(', ')}`, turn: null }]
}
