/**
 * Codex has no list of allowed commands. Its sandbox limits writes to the run's folder and blocks the network, but does not limit reads.
 */
import { type HeadlessHarness, missingFlags, parsedLine, tokensIn } from './harness.ts'

const FLAGS: readonly (readonly string[])[] = [
  ['--json'],
  ['--ephemeral'],
  ['--skip-git-repo-check'],
  ['--ignore-user-config'],
  ['--ignore-rules'],
  ['--sandbox', 'workspace-write'],
]

const SETTINGS = [
  'approval_policy="never"',
  'sandbox_workspace_write.network_access=false',
  'sandbox_workspace_write.exclude_slash_tmp=true',
  'sandbox_workspace_write.exclude_tmpdir_env_var=true',
  'features.hooks=false',
  'web_search="disabled"',
  'project_doc_max_bytes=0',
  'mcp_servers={}',
]

const INPUTS = ['input_tokens']

export const codex: HeadlessHarness = {
  name: 'codex',
  args(written, { folder }) {
    const asked = written.includes('exec') || written.includes('e') ? written.filter((word) => word !== '-') : ['exec', ...written]
    const settings = SETTINGS.flatMap((setting) => ['-c', setting])
    return [...asked, ...missingFlags(asked, [...FLAGS, ['-C', folder]]), ...settings, '-']
  },
  read(stdout) {
    const lines = stdout.split('\n').map(parsedLine)
    const items = lines.flatMap((line) => (line?.type === 'item.completed' ? [line.item as { type?: unknown; text?: unknown }] : []))
    const said = items.findLast((item) => item?.type === 'agent_message')?.text
    const usage = tokensIn(lines.findLast((line) => line?.type === 'turn.completed')?.usage, INPUTS, 'output_tokens')
    const failed = lines.findLast((line) => line?.type === 'turn.failed' || line?.type === 'error')
    if (typeof said === 'string') return { text: said, usage }
    const why = (failed?.error as { message?: unknown } | undefined)?.message ?? failed?.message
    return { text: '', usage, failed: typeof why === 'string' ? why : 'it gave no answer' }
  },
}
