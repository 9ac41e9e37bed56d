/** VS Code folders: file URIs, remote URIs, plain paths. Pure; never throws. */

export interface Folder {
  readonly path: string
  /** `ssh-remote+host`, `wsl+Ubuntu` … */
  readonly remote?: string
}

export function folderOf(uri: string): Folder | undefined {
  const match = /^([a-z][a-z0-9+.-]+):\/\/([^/]*)(\/.*)?$/i.exec(uri)
  if (match === null) return /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(uri) ? { path: trimmed(uri) } : undefined
  const [, scheme = '', authority = '', rest = '/'] = match
  const path = trimmed(decoded(rest).replace(/^\/([a-z]:)/i, '$1'))
  if (scheme === 'file') return { path: authority === '' ? path : `//${authority}${path}` }
  return scheme === 'vscode-remote' ? { path, remote: decoded(authority) } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a literal percent sign
  }
}

function trimmed(path: string): string {
  return path.length > 1 && !/^[a-z]:[\\/]$/i.test(path) ? path.replace(/[\\/]+$/, '') : path
}

/** Undefined if too general: a root, home or drive. */
export function commonFolder(files: readonly string[]): string | undefined {
  const split = files.map((file) => file.split(/[\\/]/).slice(0, -1))
  const [first, ...rest] = split
  if (first === undefined) return undefined
  let length = first.length
  for (const parts of rest) {
    let same = 0
    while (same < length && parts[same] === first[same]) same += 1
    length = same
  }
  const names = first.slice(0, length)
  if (names.filter((name) => name !== '' && !name.endsWith(':')).length < 3) return undefined
  return names.join(files[0]?.includes('\\') ? '\\' : '/')
}
