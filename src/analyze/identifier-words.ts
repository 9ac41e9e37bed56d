/**
 * Splits names in code and file names into words: `turnCheckpointID`, `turn_checkpoint_id` and `turn-checkpoint-id.ts` are equal. Never
 * returns anything like a secret.
 */

const CAMEL = /^[a-z]{2,}(?:[A-Z][a-z]+\d{0,2}|[A-Z]{2,4}(?=[A-Z][a-z]|$))+(?:[A-Z]{2,4})?$/
const PASCAL = /^(?=.*[a-z][A-Z]|[A-Z]{3})(?:[A-Z]{2,4}(?=[A-Z][a-z]))?(?:[A-Z][a-z]+\d{0,2})+(?:[A-Z]{2,4}s?)?$/
const SNAKE = /^[a-z]{2,}\d{0,2}(?:_[a-z]{2,}\d{0,2}){1,5}$/i
const FILE =
  /(?:^|[/\\])([a-z][\w-]{2,40})(?:\.(?:test|spec|d))?\.(?:tsx?|jsx?|mjs|cjs|go|py|rs|rb|java|kt|swift|cc?|cpp|hpp|h|cs|php|sql|sh|vue|svelte|proto|tf)(?::\d+)*$/i
const LONGEST = 40
const NO_FILE = /^(?:index|main|mod|lib|utils?|helpers?|types?|constants?|__init__|setup|conftest|app|common|test|tests)$/i
/** Single words with an inner capital. */
const ONE_WORD =
  /^(?:git(?:hub|lab|ops)|(?:type|java|coffee|app|action)script|(?:postgre|my|no|mari|graph)(?:sql|ql|db)|postgresql|mongodb|dynamodb|open(?:ai|api|telemetry|search|claw|code)|chatgpt|you(?:tube)|linkedin|facebook|whatsapp|macos|webassembly|websocket|websockets|javadoc|devops|fastapi|nodejs|nextjs|pytorch|tensorflow|deepseek|langchain|clickhouse|bigquery|cloudflare|stackoverflow|powershell|powerpoint|wordpress|paypal|playstation|airbnb|doordash|tiktok|snapchat|mcdonald|intellij|jetbrains|datadog|posthog|hashicorp|circleci|readme)s?$/i

export function identifierOf(text: string, start: number, end: number): string | undefined {
  if (end - start < 5 || end - start > 120) return undefined
  const token = text.slice(start, end)
  const file = FILE.exec(token)?.[1]
  if (file !== undefined) return NO_FILE.test(file) ? undefined : inWords(file)
  return token.length <= LONGEST && (CAMEL.test(token) || SNAKE.test(token)) ? inWords(token) : undefined
}

export function splitName(word: string): string | undefined {
  return word.length >= 6 && word.length <= LONGEST && PASCAL.test(word) && !ONE_WORD.test(word) ? inWords(word) : undefined
}

function inWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/[_-]+/g, '-')
    .toLowerCase()
}
