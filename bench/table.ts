export function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return ['', `## ${title}`, '', line(columns), rule, ...rows.map(line)].join('\n')
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
export const milliseconds = (ms: number) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0))
