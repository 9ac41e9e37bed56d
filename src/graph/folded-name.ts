/** Normalizes names for comparison: no case, marks, titles or punctuation, given name first. Digits stay: they distinguish. */

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }
const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'prof', 'sir', 'herr', 'frau', 'mme'])
const DEGREES = new Set(['phd', 'md', 'mba', 'esq'])

const LONGEST = 500

export function foldedName(name: string): string {
  return name
    .slice(0, LONGEST)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** 'Dr. Müller, Anna' → 'anna muller'. */
export function foldedPersonName(name: string): string {
  const plain =
    name
      .slice(0, LONGEST)
      .replace(/\([^)]*\)|\[[^\]]*\]|"[^"]*"/g, ' ')
      .trim() || name
  const [last = '', first = '', ...more] = plain.split(',')
  const turned =
    first.trim() !== '' && more.length === 0 && !DEGREES.has(foldedName(first).replaceAll(' ', '')) ? `${first} ${last}` : plain
  const words = foldedName(turned).split(' ')
  const kept = words.filter((word) => !TITLES.has(word) && !DEGREES.has(word))
  return (kept.length > 0 ? kept : words).join(' ')
}

export function isFullName(folded: string): boolean {
  const words = folded.split(' ')
  return words.length >= 2 && (words[0] ?? '').length > 1 && (words.at(-1) ?? '').length > 1
}
