/** Writes the gate file that lets tool-call hooks exit early (core/hook-gate.ts). Contains only hashes. */
import { shellKey } from '../../analyze/failures/command-key.ts'
import { fileName, gateHash, writeGate } from '../../core/hook-gate.ts'
import type { Store } from '../../store/store.ts'

const MOST_FILES = 20_000
const MOST_COMMANDS = 2_000
const MOST_WORDS = 8
const PLAIN = /^[\w./:=@+,%~#-]{2,80}$/

/** Call after updating decisions and failures. False if the file is not writable: hooks keep the old one. */
export async function updateGate({ read }: Pick<Store, 'read'>, home: string): Promise<boolean> {
  const terms = await read
    .selectFrom('decision_terms as t')
    .innerJoin('decisions as d', 'd.event_id', 't.event_id')
    .select('t.term')
    .distinct()
    .where('t.is_name', '=', 1)
    .where('t.term', 'like', '%.%')
    .where('d.session_id', 'is not', null)
    .limit(MOST_FILES)
    .execute()
  const forms = await read
    .selectFrom('failures')
    .select('shown')
    .distinct()
    .where('state', '=', 'form')
    .where('rank', '=', 0)
    .limit(MOST_COMMANDS)
    .execute()
  const solved = await read
    .selectFrom('failures')
    .select('call_id')
    .where((eb) => eb.or([eb('state', '=', 'fixed'), eb('state', '=', 'form')]))
    .limit(1)
    .execute()
  return writeGate(home, {
    version: 1,
    files: [...new Set(terms.map(({ term }) => gateHash(fileName(term))))],
    commands: forms.flatMap(({ shown }) => {
      const words = wordsOf(shown)
      return words.length === 0 ? [] : [words.map(gateHash)]
    }),
    solved: solved.length,
  })
}

/** Words common to all texts of the command: no quotes, variables or shortened parts. */
function wordsOf(shown: string): string[] {
  const words = shellKey(shown)?.all.flat() ?? []
  return [...new Set(words.filter((word) => PLAIN.test(word)))].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS)
}
