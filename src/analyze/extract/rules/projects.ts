import type { Fact, Match, Named, Rule } from '../fact.ts'
import { nameKind } from '../name-lexicon.ts'
import { isPersonName, isProperName } from '../names.ts'
import { fact, rule } from './grammar.ts'

const SMALL =
  'pnpm|npm|yarn|bun|deno|vite|vitest|jest|mocha|playwright|cypress|webpack|esbuild|rollup|eslint|prettier|biome|sqlite|postgres|postgresql|mysql|mariadb|mongodb|redis|kafka|rabbitmq|nats|docker|podman|kubernetes|terraform|ansible|nginx|caddy|react|vue|svelte|angular|nextjs|express|fastify|django|flask|fastapi|rails|laravel|spring|tailwind|typescript|python|rust|go|golang|java|kotlin|swift|prisma|drizzle|kysely|zod|graphql|grpc|pytest|poetry|uv|cargo|gradle|maven|bazel|make|git|jujutsu|sentry|datadog|grafana|prometheus|elasticsearch|opensearch|clickhouse|duckdb|snowflake|supabase|firebase|vercel|netlify|cobra|viper|zap|testify|golangci-lint|goreleaser'
const TOOL = (group: string) =>
  `(?<${group}>(?:${SMALL})\\b|(?!I\\b|The\\b|A\\b|It\\b)[A-Z][\\p{L}\\d+#-]*(?:\\.js|\\.io)?(?: (?!I\\b)[A-Z][\\p{L}\\d+#-]*)?)`
const END =
  '(?=\\s*(?:[.,;:!()]|$| (?:for|to|as|on|with|and|since|now|in|here|instead|because|already|everywhere|rather|not|after|before|last|but|so|at|from|this|over)\\b))'
/** "We" in a session means the project; in a chat it is unknown. */
const WE =
  '(?<s>\\b(?:[Ww]e|(?:[Tt]he|[Oo]ur|[Tt]his) (?:project|repo|repository|app|codebase|service|backend|frontend|server|site|website|api|API|product|stack|team)))'
const BY_NAME = '(?<n>\\b[A-Z][\\p{L}\\d-]+)'
const DONE = "(?:'ve| have|'s| has)?(?: (?:now|just|recently|already|finally|all))*"

const NOBODY = /^(?:I|He|She|It|They|This|That|You|Who|Everyone|Everybody|Nobody|One|The|A|We|What|Which|Someone|People)$/

function subject(m: Match): Named | undefined {
  if (m.has('s')) return { kind: 'project', at: m.at('s') }
  const text = m.text('n')
  if (NOBODY.test(text)) return undefined
  return { kind: 'name', type: isPersonName(text) && nameKind(text) === 'person' ? 'person' : 'project', text, at: m.at('n') }
}

/** "US English" is a language, "Team Slack" a tool: the last word decides. */
const isTool = (text: string): boolean => !/^[A-Z]/.test(text) || isProperName(text.split(' ').at(-1) ?? '')

const tool = (m: Match, group: string): Named | undefined =>
  m.has(group) && isTool(m.text(group).trim()) ? { kind: 'name', type: 'entity', text: m.text(group).trim(), at: m.at(group) } : undefined

function switched(m: Match): Fact[] {
  const who = subject(m)
  // "Tom moved to Berlin" is a residence.
  if (who?.kind === 'name' && who.type === 'person' && /\bmoved\b/.test(m.text('v'))) return []
  return [
    ...fact(who, 'USES', tool(m, 'x'), { confidence: 0.85, former: true, dated: 'until' }),
    ...fact(who, 'USES', tool(m, 'o'), { confidence: 0.9, dated: 'since' }),
  ]
}

const uses = (confidence: number) => (m: Match) => fact(subject(m), 'USES', tool(m, 'o'), { confidence })

export const PROJECT_RULES: readonly Rule[] = [
  rule('project uses', `${WE}(?:{ADV} uses?|(?:'re| are| is|'s){ADV} (?:using|on)) ${TOOL('o')}${END}`, uses(0.9)),
  rule('named project uses', `^${BY_NAME}(?:{ADV} uses|(?: is|'s){ADV} using) ${TOOL('o')}${END}`, uses(0.8)),
  rule(
    'switched',
    `(?:${WE}|^${BY_NAME})${DONE} (?<v>switched|moved|migrated|changed)(?: over)?(?: from ${TOOL('x')})? to ${TOOL('o')}${END}`,
    switched,
  ),
  rule(
    'decided to use',
    `${WE}${DONE} (?:decided|agreed|chose|opted) (?:to (?:use|go with|adopt|switch to|move to|migrate to)|on|for) ${TOOL('o')}(?:(?: instead of| rather than| over| and not) ${TOOL('x')})?${END}`,
    (m) => [...fact(subject(m), 'USES', tool(m, 'o'), { confidence: 0.85, dated: 'since' })],
  ),
  rule('replaced', `${WE}${DONE} (?:replaced|swapped(?: out)?) ${TOOL('x')} (?:with|by|for) ${TOOL('o')}${END}`, switched),
]
