/** The files that raw rows name, by their absolute paths: the last road to the folder a conversation was about. Pure. */
import { folderOf } from './folder-uri.ts'

const MOST = 400
const URI = /(?:file|vscode-remote):\/\/[^"\\\s<>|]+/g
/** Fields that hold a path, also inside a JSON string. */
const PATH =
  /\\?"(?:fsPath|path|target_file|targetFile|file_path|filePath|relative_workspace_path|effectiveUri)\\?"\s*:\s*\\?"((?:\/|[A-Za-z]:[\\/])[^"\n]{2,400}?)\\?"/g

export function filesIn(rows: readonly (string | undefined)[]): string[] {
  const files = new Set<string>()
  for (const row of rows) {
    if (row === undefined) continue
    for (const [uri] of row.matchAll(URI)) add(files, folderOf(uri)?.path)
    for (const [, path] of row.matchAll(PATH)) add(files, path?.replace(/\\+/g, '\\'))
    if (files.size >= MOST) break
  }
  return [...files]
}

/** Only what looks like a file: a folder alone would lose its last part. */
function add(files: Set<string>, path: string | undefined): void {
  if (path !== undefined && files.size < MOST && /\.[A-Za-z0-9]{1,8}$/.test(path)) files.add(path)
}
