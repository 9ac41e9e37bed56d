export type Purpose =
  | 'setup'
  | 'build'
  | 'test'
  | 'unit test'
  | 'integration test'
  | 'end-to-end test'
  | 'one test'
  | 'type check'
  | 'lint'
  | 'format'
  | 'format check'
  | 'run'
  | 'release'
  | 'generate'
  | 'benchmark'
  | 'task'

const RUNNERS: readonly (readonly [program: RegExp, before: readonly string[]])[] = [
  [/^mise$/, ['run', 'r']],
  [/^(?:npm|pnpm|yarn|bun)$/, ['run', 'run-script']],
  [/^deno$/, ['task']],
  [/^(?:task|just|rake)$/, []],
  [/^(?:g?make)$/, []],
  [/^(?:pdm|hatch|rye|pixi|poe|nox|tox|composer|lerna|nx|turbo|moon)$/, ['run', '-s', '-e', 'run-script']],
]
const SHORT_TASKS = /^(?:test|t|start|build|lint|dev|format)$/

export function taskName(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words
  const runner = RUNNERS.find(([name]) => name.test(program))
  if (runner === undefined) return undefined
  const [, before] = runner
  const args = rest.filter((word, i) => !word.startsWith('-') || before.includes(word) || i === 0)
  const [first = '', second = ''] = args
  const name = before.includes(first) ? second : before.length === 0 || (isPackageManager(program) && SHORT_TASKS.test(first)) ? first : ''
  if (name === '' || name.startsWith('-') || name.includes('=') || !/^[A-Za-z0-9][\w:.@/-]{0,60}$/.test(name)) return undefined
  return name === 't' ? 'test' : name
}

function isPackageManager(program: string): boolean {
  return /^(?:npm|pnpm|yarn|bun|composer)$/.test(program)
}

/** Matches words of a task name: `test:integration`, `fmt`, `ci-lint`. */
const NAMED: readonly (readonly [Purpose, RegExp])[] = [
  ['format check', /(?:fmt|format|prettier|style)[^a-z]*(?:check|verify|diff)|check[^a-z]*(?:fmt|format)/],
  ['benchmark', /\bbench/],
  ['end-to-end test', /\be2e|end-?to-?end|acceptance|playwright|cypress|system-?tests?/],
  ['integration test', /\binteg|\bit-?tests?\b/],
  ['unit test', /\bunit/],
  ['type check', /type-?s?-?check|\btypes\b|\btsc\b|mypy|pyright/],
  ['test', /\btests?\b|\bspecs?\b|\bcheck-?tests?\b|pytest|vitest|jest/],
  ['format', /\bfmt\b|\bformat\b|prettier|\bstyle\b/],
  ['lint', /\blint|\bvet\b|clippy|eslint|rubocop|ruff|golangci/],
  ['release', /\brelease|\bpublish|\bdeploy|goreleaser/],
  ['generate', /\bgen(?:erate)?\b|codegen/],
  ['build', /\bbuild|\bcompile|\bbundle\b|\bdist\b|\bpackage\b/],
  ['setup', /\bsetup|\binstall|\bbootstrap|\bdeps\b|\btidy\b/],
  ['run', /^(?:dev|start|serve|server|run|up|watch)\b|[:-](?:dev|start|serve)$/],
]

export function purposeOfTask(name: string): Purpose {
  const words = name.toLowerCase().replaceAll(/[_/.]/g, '-')
  return NAMED.find(([, pattern]) => pattern.test(words))?.[0] ?? 'task'
}

/** Matches programs without wrappers. Unknown programs have no purpose. */
const PROGRAMS: readonly (readonly [Purpose, RegExp])[] = [
  ['benchmark', /^(?:go test .*-bench\b|cargo bench\b|hyperfine\b)/],
  [
    'test',
    /^(?:go test|gotestsum|cargo (?:test|nextest run)|vitest|jest|mocha|ava|pytest|py\.test|unittest|tox|nox|rspec|phpunit|pest|ctest)\b/,
  ],
  ['test', /^(?:node --test|deno test|bun test|mix test|swift test|dotnet test|rails test|flutter test|dart test|zig build test|nose2)\b/],
  ['test', /^(?:mvnw?|gradlew?) (?:\S+ )*?(?::?[\w:-]*test|verify|check)\b/],
  ['end-to-end test', /^(?:playwright test|cypress run)\b/],
  ['type check', /^(?:tsc\b.*--noEmit|tsc$|vue-tsc|mypy|pyright|cargo check|go vet|sorbet tc|srb tc)\b/],
  [
    'lint',
    /^(?:golangci-lint run|eslint|oxlint|biome (?:check|lint|ci)|ruff check|flake8|pylint|cargo clippy|rubocop|staticcheck|shellcheck|hadolint|stylelint|ktlint|phpstan|swiftlint|credo|yamllint|actionlint|pre-commit run)\b/,
  ],
  [
    'format check',
    /^(?:gofmt -l|prettier .*--check|black .*--check|ruff format .*--check|cargo fmt .*--check|rustfmt .*--check|terraform fmt .*-check)/,
  ],
  [
    'format',
    /^(?:gofmt|goimports|gofumpt|go fmt|prettier|biome format|black|ruff format|isort|cargo fmt|rustfmt|clang-format|rufo|mix format|swift-format|dart format|terraform fmt|autopep8)\b/,
  ],
  [
    'release',
    /^(?:goreleaser|npm publish|cargo publish|twine upload|gem push|semantic-release|changeset publish|helm (?:upgrade|install)|terraform apply|kubectl apply|fly deploy|vercel deploy|serverless deploy)\b/,
  ],
  [
    'build',
    /^(?:go build|go install|cargo build|vite build|next build|webpack|rollup|esbuild|tsup|tsc -p|tsc -b|docker build|docker compose build|cmake --build|ninja|swift build|dotnet build|mix compile|python3? -m build|bazel build|gem build)\b/,
  ],
  ['build', /^(?:mvnw?|gradlew?) (?:\S+ )*?(?::?[\w:-]*(?:build|assemble|package|install|compile\w*))\b/],
  [
    'run',
    /^(?:go run|cargo run|rails (?:server|s)|vite$|vite dev|next dev|flask run|uvicorn|gunicorn|docker compose up|docker-compose up|python3? manage\.py runserver|dotnet run|mix phx\.server|swift run|(?:mvnw?|gradlew?) .*(?:bootRun|run)$)\b/,
  ],
  [
    'setup',
    /^(?:npm (?:ci|install|i)$|pnpm (?:install|i)$|yarn(?: install)?$|bun install$|go mod (?:tidy|download)|cargo fetch|uv sync|poetry install|pipenv install|pip3? install -(?:r|e)\b|bundle install|composer install|mise install|mix deps\.get|dotnet restore|pre-commit install|bundle$)/,
  ],
  ['generate', /^(?:go generate|buf generate|protoc|sqlc generate|prisma generate|openapi-generator)\b/],
]

export function purposeOf(words: readonly string[]): Purpose | undefined {
  const task = taskName(words)
  if (task !== undefined) return purposeOfTask(task)
  const text = words.join(' ')
  const found = PROGRAMS.find(([, pattern]) => pattern.test(text))?.[0]
  if (found !== 'test') return found
  const rest = text.toLowerCase()
  if (/\be2e|end-?to-?end|acceptance|playwright/.test(rest)) return 'end-to-end test'
  return /integration|\bit\b/.test(rest) ? 'integration test' : 'test'
}
