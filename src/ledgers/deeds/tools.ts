/** Kind of a tool by its name: `Edit`, `str_replace`, `edit_file`, `mcp__fs__edit-file` are the same. Pure. */

export type ToolKind = 'shell' | 'read' | 'edit' | 'create' | 'delete' | 'move' | 'search' | 'list' | 'fetch' | 'other'

/** Order matters: `search_replace` edits, `delete_file` deletes, `read_terminal` shows output. */
const KINDS: readonly (readonly [ToolKind, RegExp])[] = [
  [
    'shell',
    /^(?:bash|sh|zsh|shell|powershell|exec|terminal|localshell|command|writestdin)$|(?:shell|bash|terminal)(?:command|cmd|exec|output)?$|(?:run|exec(?:ute)?)(?:in)?(?:command|cmd|terminal|shell|script|tests?|code)/,
  ],
  ['delete', /^(?:delete|remove|unlink|rm)(?:$|file|path|dir)|(?:delete|remove)file/],
  ['move', /^(?:move|rename|mv|copy)(?:$|file|path)|(?:move|rename|copy)file/],
  [
    'edit',
    /^(?:edit|multiedit|strreplace|replace|patch|apply|insert|append|notebookedit|update(?:file)|searchreplace|modify)|editfile|(?:file|block|symbol|notebook)edit|applypatch|applydiff|replacein|strreplace|insertcontent|appendfile|replacesymbol|replacelines/,
  ],
  ['create', /^(?:write|create|save)(?:$|file|tofile|text)|writefile|createfile|(?:create|write)textfile|writetofile|savefile/],
  ['search', /grep|search|find|glob|query/],
  ['list', /^(?:ls|list|tree)|listdir|listfiles|directorytree/],
  ['fetch', /fetch|browse|navigate|openurl|webopen|http|curl/],
  [
    'read',
    /^(?:read|view|cat|open|notebookread|get)(?:$|file|files|many|text|multiple|notebook)|readfile|viewfile|openfile|fileread|readmanyfiles/,
  ],
]

const known = new Map<string, ToolKind>()

export function toolKind(name: string | null): ToolKind {
  if (name === null) return 'other'
  let kind = known.get(name)
  if (kind === undefined) {
    const plain = plainName(name)
    kind = KINDS.find(([, names]) => names.test(plain))?.[0] ?? 'other'
    if (known.size < 1_000) known.set(name, kind)
  }
  return kind
}

/** `mcp__fs__read_file`, `fs.read_file` and `ReadFile` become `readfile`. */
function plainName(name: string): string {
  const own = name
    .slice(0, 200)
    .split(/__|[.:/]/)
    .at(-1) as string
  return own.toLowerCase().replace(/[^a-z]/g, '')
}
