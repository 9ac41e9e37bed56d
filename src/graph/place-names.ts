/** Unambiguous short names only: "New York" and "Georgia" each mean two places. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ nyc: 'new york city', 'city of new york': 'new york city', 'san fran': 'san francisco' },
  ...{ philly: 'philadelphia', vegas: 'las vegas', dc: 'washington dc', 'washington d c': 'washington dc', 'd c': 'washington dc' },
  ...{ uk: 'united kingdom', 'u k': 'united kingdom', usa: 'united states', us: 'united states', 'u s': 'united states' },
  ...{ 'u s a': 'united states', 'united states of america': 'united states', uae: 'united arab emirates', nz: 'new zealand' },
  ...{ cdmx: 'mexico city', kl: 'kuala lumpur', hk: 'hong kong', holland: 'netherlands', deutschland: 'germany', munchen: 'munich' },
}

export function placeName(folded: string): string {
  const plain = folded.replace(/^the /, '')
  return SHORT[plain] ?? plain
}

export function isWithin(one: string, other: string): boolean {
  return one !== other && (one.startsWith(`${other} `) || other.startsWith(`${one} `))
}

export function beginningsOf(name: string): string[] {
  const words = name.split(' ')
  return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '))
}
