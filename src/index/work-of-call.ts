/** Maps a ledger call to its searchable row. Pure. */
import { redactVisible } from '../core/redact.ts'
import { type Deeds, deedsOf } from '../ledgers/deeds/deeds.ts'
import { valuesOf } from '../ledgers/deeds/json.ts'
import { resultOf } from '../ledgers/deeds/result.ts'
import type { ToolIndexing } from '../store/work.ts'
import type { LedgerCall, NewWork } from '../store/work-rows.ts'
import { safeLines } from './safe-lines.ts'
import { textOfCall } from './work-text.ts'

/** `words`: indexes the parameters, and whether the call failed or touched files. */
export function workOfCall(call: LedgerCall, tools: ToolIndexing): NewWork {
  const whole = workOfWhole(call)
  if (tools === 'all') return whole
  const work = workOfWhole({ ...call, result_json: null })
  const touched = new Set(whole.files.map(({ path, action }) => `${action} ${path}`))
  return { ...work, failed: whole.failed, files: work.files.filter(({ path, action }) => touched.has(`${action} ${path}`)) }
}

function workOfWhole(call: LedgerCall): NewWork {
  const values = valuesOf(call)
  const { text, redacted, shortened } = textOfCall(call, values)
  const deeds = deedsOf(call, values)
  // If the whole has no secret, no part has one.
  const safe = redacted ? redactVisible : (part: string) => part
  return {
    callId: call.id,
    tool: call.tool_name === null ? null : redactVisible(call.tool_name),
    timestamp: call.timestamp,
    superseded: call.superseded,
    failed: deeds.failed,
    shortened,
    // Joined words may reveal a secret.
    command: redactVisible(deeds.commands.join('\n')),
    did: safe(didOf(redacted ? { ...deeds, lines: safeLines(resultOf(call, values.result).coloured, deeds.lines) } : deeds)),
    text,
    files: deeds.files.map(({ path, action }) => ({ path: safe(path), action })),
  }
}

function didOf({ files, patterns, urls, lines }: Deeds): string {
  return [...new Set(files.map(({ path }) => path)), ...patterns, ...urls, ...lines].join('\n')
}
