/** What a person typed, out of what Cursor sent to the model: the query has a tag of its own, amid context that nobody typed. Pure. */

export interface UserText {
  /** What was typed; undefined where the text is context alone. */
  readonly query: string | undefined
  /** Everything around it. */
  readonly around: readonly string[]
}

const QUERY = /<user_query>([\s\S]*?)<\/user_query>/g
/** Tags that Cursor puts before or after a query. */
const CONTEXT = new RegExp(
  `^\\s*<(${[
    ...['user_info', 'rules', 'always_applied_workspace_rules', 'user_rules', 'agent_skills', 'agent_transcripts', 'project_layout'],
    ...['git_status', 'system_reminder', 'system_notification', 'attached_files', 'additional_data', 'current_file', 'image_files'],
    ...[
      'open_and_recently_viewed_files',
      'mcp_file_system',
      'mcp_instructions',
      'timestamp',
      'external_links',
      'terminal_files_information',
    ],
    ...['manually_attached_skills', 'available_skills', 'cursor_commands', 'linter_errors', 'recently_viewed_files', 'subagent_result'],
  ].join('|')})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>\\s*`,
)

export function userText(text: string): UserText {
  const queries = [...text.matchAll(QUERY)].map((match) => (match[1] ?? '').trim())
  if (queries.length > 0) {
    const rest = text.replace(QUERY, '').trim()
    return { query: queries.join('\n\n'), around: rest === '' ? [] : [rest] }
  }
  const around: string[] = []
  let rest = text
  for (let match = CONTEXT.exec(rest); match !== null; match = CONTEXT.exec(rest)) {
    around.push(match[0].trim())
    rest = rest.slice(match[0].length)
  }
  if (around.length === 0) return { query: text, around }
  return { query: rest.trim() === '' ? undefined : rest.trim(), around }
}
