/** Merges names, addresses and accounts that git or the code host show together. */

import { type CardItem, item } from './card-item.ts'
import type { StoredFact } from './read-facts.ts'

export interface CardPerson extends CardItem {
  readonly name: string
  readonly login: string | null
  readonly roles: readonly string[]
}

const MOST = 16

export function peopleOf(facts: readonly StoredFact[]): CardPerson[] {
  return merged(facts)
    .map(({ facts: all, names, logins }) => {
      const name = [...names].sort((a, b) => Number(b.includes(' ')) - Number(a.includes(' ')) || b.length - a.length)[0] ?? ''
      const login = [...logins].find((one) => one.toLowerCase() !== name.toLowerCase()) ?? null
      const roles = [...new Set(all.map(({ detail }) => String(detail.role)))].sort()
      const sorted = [...all].sort((a, b) => a.at - b.at)
      return { ...item(`${name}${login === null ? '' : ` (${login})`}`, sorted), name, login, roles }
    })
    .sort((a, b) => b.sessions - a.sessions || b.at - a.at || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
}

interface Group {
  readonly facts: StoredFact[]
  readonly keys: Set<string>
  readonly names: Set<string>
  readonly logins: Set<string>
}

function merged(facts: readonly StoredFact[]): Group[] {
  let groups: Group[] = []
  for (const fact of facts) {
    const login = typeof fact.detail.login === 'string' ? fact.detail.login : undefined
    const keys = [fact.key, ...(login === undefined ? [] : [login.toLowerCase()]), fact.value.toLowerCase()]
    const own = groups.filter((group) => keys.some((key) => group.keys.has(key)))
    const into: Group = {
      facts: [],
      keys: new Set(keys),
      names: new Set([fact.value]),
      logins: new Set(login === undefined ? [] : [login]),
    }
    for (const group of own) {
      into.facts.push(...group.facts)
      for (const key of group.keys) into.keys.add(key)
      for (const name of group.names) into.names.add(name)
      for (const one of group.logins) into.logins.add(one)
    }
    into.facts.push(fact)
    groups = [...groups.filter((group) => !own.includes(group)), into]
  }
  return groups
}
