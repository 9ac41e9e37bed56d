/** Every capture there is, in the order they are asked whose file it is; the plainest format last. */
import { join } from 'node:path'
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import type { HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import type { Adapter } from './adapter.ts'
import { aixAgents } from './capture/aix-agents.ts'
import { chatgpt } from './capture/chatgpt.ts'
import { claudeAi } from './capture/claude-ai.ts'
import { claudeCode } from './capture/claude-code.ts'
import { codex } from './capture/codex.ts'
import { cursor } from './capture/cursor.ts'
import { geminiCli } from './capture/gemini-cli.ts'
import { jsonl } from './capture/jsonl.ts'
import { nexus } from './capture/nexus.ts'
import { openclaw } from './capture/openclaw.ts'
import { opencode } from './capture/opencode.ts'
import { pi } from './capture/pi.ts'

type Configured = (typeof HARNESS_SOURCES)[number] | (typeof PERSONAL_SOURCES)[number]

export function captures(config: Config, paths: Paths): Adapter[] {
  /** The folders that the owner named; without any the adapter has its own. */
  const placed = (name: Configured) => {
    const places = config.sources[name].paths
    return places.length > 0 ? { places } : {}
  }
  const { name, emails = [], phones } = config.owner
  const owners = [...(name === undefined ? [] : [name]), ...emails, ...phones]
  return [
    claudeCode(placed('claude-code')),
    codex(placed('codex')),
    cursor(placed('cursor')),
    openclaw({ ...placed('openclaw'), owners }),
    pi(placed('pi')),
    nexus(placed('nexus')),
    opencode(placed('opencode')),
    geminiCli(placed('gemini-cli')),
    chatgpt(placed('chatgpt')),
    claudeAi(placed('claude-ai')),
    aixAgents({ own: paths.database }),
    jsonl({ places: [join(paths.workspace, 'sessions')], ...placed('jsonl') }),
  ]
}
