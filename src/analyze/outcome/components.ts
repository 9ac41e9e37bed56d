const COMMON = new Set('src lib app pkg packages cmd internal main test tests docs doc scripts bin dist build . ..'.split(' '))
const MOST = 4

export function componentsOf(files: readonly { readonly path: string; readonly times: number }[]): string[] {
  const counts = new Map<string, number>()
  for (const { path, times } of files) {
    const folders = path.split('/').slice(0, -1)
    const name = folders.reverse().find((folder) => folder.length > 1 && !COMMON.has(folder.toLowerCase()) && !folder.startsWith('.'))
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + times)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST)
    .map(([name]) => name)
}
