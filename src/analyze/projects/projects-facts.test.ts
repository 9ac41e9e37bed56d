import { describe, expect, it } from 'vitest'
import { projectCard } from './card.ts'
import { projectCommands } from './commands.ts'
import type { Fact } from './fact.ts'
import { factsOfCall, factsOfMessage, type Place } from './facts-of-call.ts'
import type { StoredFact } from './read-facts.ts'
import { definitionsIn } from './terms.ts'

const PLACE: Place = { project: '/home/ada/harbor', workspace_path: '/home/ada/harbor', repository: 'github.com/ada/harbor' }
const shellCall = (command: string, text: string, status = 'completed', tool = 'Bash') => ({
  ...{ tool_name: tool, params_json: JSON.stringify({ command }), result_json: JSON.stringify({ content: text }), status },
})
const shell = (command: string, text: string, status = 'completed', tool = 'Bash') =>
  factsOfCall(shellCall(command, text, status, tool), PLACE)
const read = (path: string, text: string, tool = 'Read') =>
  factsOfCall(
    {
      tool_name: tool,
      params_json: JSON.stringify({ file_path: path }),
      result_json: JSON.stringify({ content: text }),
      status: 'completed',
    },
    PLACE,
  )
const keys = (facts: readonly Fact[], kind: Fact['kind']) =>
  facts.filter((fact) => fact.kind === kind).map(({ key, value }) => [key, value].filter(Boolean).join(' '))
const numbered = (text: string) =>
  text
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
    .join('\n')

describe('commands', () => {
  const root = { root: '/home/ada/harbor', folder: '/home/ada/harbor' }
  it.each([
    ['npm test', 'test', 'npm test'],
    ['npm run test:integration -- --verbose 2>&1 | tail -5', 'integration test', 'npm run test:integration --'],
    ['cd /home/ada/harbor && npx vitest run src/tide.test.ts -t "high tide"', 'one test', 'npx vitest run <path> -t <name>'],
    ['go test ./...', 'test', 'go test ./...'],
    ['go test -v -count=1 ./tide -run TestHigh', 'one test', 'go test <path> -run <name>'],
    ['go test -tags=integration ./...', 'integration test', 'go test -tags=integration ./...'],
    ['uv run pytest tests/test_tide.py -k high -q', 'one test', 'uv run pytest <path> -k <name>'],
    ['python -m pytest', 'test', 'python -m pytest'],
    ['cargo clippy --all-targets', 'lint', 'cargo clippy --all-targets'],
    ['bundle exec rspec spec/tide_spec.rb', 'test', 'bundle exec rspec <path>'],
    ['./gradlew :app:test', 'test', './gradlew :app:test'],
    ['mvn -q verify', 'test', 'mvn verify'],
    ['CGO_ENABLED=0 go build -o /tmp/harbor ./cmd/harbor', 'build', 'go build -o <path> ./cmd/harbor'],
    ['make release', 'release', 'make release'],
    ['mise run fmt:check', 'format check', 'mise run fmt:check'],
    ['prettier --write src', 'format', 'prettier --write src'],
    ['go run ./cmd/harbor serve --port 3000', 'run', 'go run ./cmd/harbor <args>'],
  ])('%s is run to %s', (command, purpose, form) =>
    expect(projectCommands(command, root)).toEqual([expect.objectContaining({ purpose, form, folder: '' })]),
  )

  it.each([
    'ls -la',
    'cat package.json',
    'npm test --help',
    'echo npm test',
    'cd /srv/other && npm test',
    'npm test || true',
    'git commit -m "npm test"',
  ])('%s is none of the project', (command) => expect(projectCommands(command, root)).toEqual([]))

  it('says below which folder a command ran', () =>
    expect(projectCommands('cd web && pnpm build', root)).toEqual([expect.objectContaining({ form: 'pnpm build', folder: 'web' })]))

  it('passed or failed; unknown of several that failed together, of one whose exit code is hidden, and in the background', () => {
    const states = (facts: readonly Fact[]) =>
      facts.filter(({ kind }) => kind === 'command').map(({ key, detail }) => `${key} ${detail?.state}`)
    expect(states(shell('npm test', '12 passing'))).toEqual(['test passed'])
    expect(states(shell('npm test', 'Exit code 1\n2 failing', 'error'))).toEqual(['test failed'])
    expect(states(shell('npm run lint && npm test', 'all fine'))).toEqual(['lint passed', 'test passed'])
    expect(states(shell('npm run lint && npm test', 'Exit code 1', 'error'))).toEqual([])
    expect(states(shell('npm run lint | tail -3', 'src/a.ts: error no-undef'))).toEqual([])
    expect(states(shell('npm test', 'Command running in background with ID: 7'))).toEqual([])
  })

  it('are read from calls of several harnesses', () => {
    const codex = factsOfCall(
      {
        tool_name: 'shell',
        params_json: '{"command":["bash","-lc","cargo test"]}',
        result_json: '{"output":"test result: ok","metadata":{"exit_code":0}}',
        status: 'completed',
      },
      PLACE,
    )
    expect(keys(codex, 'command')).toEqual(['test cargo test'])
    expect(keys(shell('npm test', 'ok', 'success', 'run_shell_command'), 'command')).toEqual(['test npm test'])
  })
})

describe('manifests', () => {
  it('of Node.js', () => {
    const facts = read(
      '/home/ada/harbor/package.json',
      numbered(
        JSON.stringify(
          {
            name: 'harbor',
            description: 'Tide tables for harbours',
            scripts: { build: 'tsc -p .' },
            dependencies: { zod: '^3.22.0' },
            devDependencies: { typescript: '5.4.2' },
            engines: { node: '>=20' },
          },
          null,
          2,
        ),
      ),
    )
    expect(keys(facts, 'language')).toEqual(['Node.js >=20', 'TypeScript 5.4.2'])
    expect(keys(facts, 'dependency')).toEqual(['zod ^3.22.0', 'typescript 5.4.2'])
    expect(keys(facts, 'task')).toEqual(['build tsc -p .'])
    expect(keys(facts, 'about')).toEqual(['description Tide tables for harbours', 'package harbor'])
  })
  it('of Go: only what it requires itself', () => {
    const facts = read(
      '/home/ada/harbor/go.mod',
      'module github.com/ada/harbor\n\ngo 1.22.1\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n\tgithub.com/x/y v0.1.0 // indirect\n)\n',
    )
    expect(keys(facts, 'language')).toEqual(['Go 1.22.1'])
    expect(keys(facts, 'dependency')).toEqual(['github.com/spf13/cobra v1.8.0'])
  })
  it('of Rust, Python, Ruby, Java', () => {
    const dependencies = (path: string, text: string) => keys(read(`/home/ada/harbor/${path}`, text), 'dependency')
    expect(
      dependencies(
        'Cargo.toml',
        '[package]\nname = "harbor"\nrust-version = "1.75"\n\n[dependencies]\nserde = { version = "1.0", features = ["derive"] }\ntokio = "1.36"\n',
      ),
    ).toEqual(['serde 1.0', 'tokio 1.36'])
    expect(
      dependencies(
        'pyproject.toml',
        '[project]\nname = "harbor"\nrequires-python = ">=3.11"\ndependencies = [\n  "httpx>=0.27",\n  "pydantic~=2.6",\n]\n',
      ),
    ).toEqual(['httpx >=0.27', 'pydantic ~=2.6'])
    expect(dependencies('requirements.txt', '# tools\nflask==3.0.2\n-r other.txt\n')).toEqual(['flask ==3.0.2'])
    expect(dependencies('Gemfile', 'ruby "3.3.0"\ngem "rails", "~> 7.1"\n')).toEqual(['rails ~> 7.1'])
    expect(
      dependencies(
        'pom.xml',
        '<dependencies><dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>2.0.12</version></dependency></dependencies>',
      ),
    ).toEqual(['org.slf4j:slf4j-api 2.0.12'])
    expect(dependencies('build.gradle.kts', 'dependencies {\n  implementation("com.squareup.okhttp3:okhttp:4.12.0")\n}\n')).toEqual([
      'com.squareup.okhttp3:okhttp 4.12.0',
    ])
  })
  it('of tasks, tools, services and variables', () => {
    expect(
      keys(
        read('/home/ada/harbor/mise.toml', '[tools]\ngo = "1.22"\nlefthook = "1.6"\n\n[tasks."test:ci"]\nrun = "go test -race ./..."\n'),
        'task',
      ),
    ).toEqual(['test:ci go test -race ./...'])
    expect(keys(read('/home/ada/harbor/Makefile', 'lint:\n\tgolangci-lint run\n\nVERSION := 1\n'), 'task')).toEqual([
      'lint golangci-lint run',
    ])
    expect(
      keys(read('/home/ada/harbor/compose.yaml', 'services:\n  db:\n    image: postgres:16\n    ports:\n      - "5432:5432"\n'), 'service'),
    ).toEqual(['db postgres:16', 'db localhost:5432'])
    expect(keys(read('/home/ada/harbor/.env.example', 'HARBOR_TOKEN=change-me\n# HARBOR_LOG=debug\n'), 'env')).toEqual([
      'HARBOR_TOKEN',
      'HARBOR_LOG',
    ])
    expect(
      keys(read('/home/ada/harbor/src/tide.ts', 'const key = process.env.HARBOR_KEY ?? ""\nconst home = process.env.HOME\n'), 'env'),
    ).toEqual(['HARBOR_KEY'])
  })
  it('of other projects, of vendored code and of boot files say nothing', () => {
    const text = 'module github.com/x/y\n\ngo 1.20\n'
    for (const path of ['/srv/other/go.mod', '/home/ada/harbor/node_modules/x/go.mod', '/home/ada/harbor/vendor/y/go.mod'])
      expect(read(path, text)).toEqual([])
    const boot = '**Tide gate**: a tide gate is a sluice that closes by itself.\n\nA tide gate is a sluice that closes by itself.\n'
    for (const name of ['CLAUDE.md', 'AGENTS.md', 'docs/CLAUDE.md', '.claude/skills/x.md', 'SOUL.md'])
      expect(read(`/home/ada/harbor/${name}`, boot)).toEqual([])
    expect(keys(read('/home/ada/harbor/docs/words.md', boot), 'term')).toEqual(['tide gate A tide gate is a sluice that closes by itself.'])
  })
})

describe('what git and the code host print', () => {
  it('authors, with their commits', () => {
    const facts = shell(
      'git log -2',
      'commit 1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d\nAuthor: Ada Byron <ada@harbor.example>\nDate:   Mon Mar 2 10:00:00 2026 +0000\n\n    Close the gate at high tide\n',
    )
    expect(facts).toContainEqual(expect.objectContaining({ kind: 'person', key: 'ada@harbor.example', value: 'Ada Byron' }))
    expect(facts).toContainEqual(expect.objectContaining({ kind: 'commit', key: '1a2b3c4', value: 'Close the gate at high tide' }))
  })
  it('where a name ends is not guessed', () =>
    expect(shell('git log --format="%h %an %s"', '1a2b3c4 Ada Byron Close the gate')).toEqual([]))
  it('by a format of the caller’s own, blame, and shortlog', () => {
    expect(keys(shell('git log --format="%h|%an|%s"', '1a2b3c4|Ada Byron|Close the gate'), 'person')).toEqual(['ada byron Ada Byron'])
    expect(keys(shell('git shortlog -sn', '    12\tAda Byron\n     3\tdependabot[bot]\n'), 'person')).toEqual(['ada byron Ada Byron'])
    expect(keys(shell('git blame tide.go', '1a2b3c4d (Ada Byron 2026-03-02 10:00:00 +0000 1) package tide'), 'person')).toEqual([
      'ada byron Ada Byron',
    ])
  })
  it('pull requests with state and branch, reviewers, no bots, no other repository', () => {
    const pull = JSON.stringify({
      number: 12,
      title: 'Close the gate',
      state: 'OPEN',
      headRefName: 'gate',
      author: { login: 'ada', name: 'Ada Byron' },
      reviews: [{ author: { login: 'grace' } }, { author: { login: 'copilot-pull-request-reviewer' } }],
    })
    const facts = shell('gh pr view 12 --json number,title', pull)
    expect(facts).toContainEqual(
      expect.objectContaining({
        kind: 'pull',
        key: '#12',
        value: 'Close the gate',
        detail: { state: 'open', branch: 'gate', author: 'ada' },
      }),
    )
    expect(keys(facts, 'person')).toEqual(['ada Ada Byron', 'grace grace'])
    expect(keys(shell('gh pr view 12 --repo someone/else --json number,title', pull), 'pull')).toEqual([])
    expect(keys(shell('cd /srv/other && gh pr view 12 --json number,title', pull), 'pull')).toEqual([])
    expect(keys(shell('gh pr list', '12\tClose the gate\tgate\tOPEN\t2026-03-02\n'), 'pull')).toEqual(['#12 Close the gate'])
  })
})

describe('scripts and branches', () => {
  it('a task of several lines is known by its name, one of a single command by it', () => {
    const text = [
      ...['[tasks.dup]', 'run = """', '#!/usr/bin/env bash', 'set -euo pipefail', 'tmp=$(mktemp -d)', 'jscpd "$tmp"', '"""', ''],
      ...['[tasks.build]', 'run = """', 'go build -ldflags "-X v=$(git describe || echo "dev")" ./...', '"""', ''],
    ].join('\n')
    expect(keys(read('/home/ada/harbor/mise.toml', text), 'task')).toEqual([
      'dup',
      'build go build -ldflags "-X v=$(git describe || echo "dev")" ./...',
    ])
  })

  it('who a commit is of is told by its author, else by the account that begins its branch', () => {
    let at = 0
    const stored = (facts: readonly Fact[]): StoredFact[] =>
      facts.map((fact) => ({
        ...fact,
        detail: fact.detail ?? {},
        id: `f${at++}`,
        session: 's',
        message: 'm',
        call: null,
        turn: 't',
        at,
        trust: 'agent',
      }))
    const facts = stored([
      ...factsOfCall(
        shellCall('gh pr view 7 --json author,title', '{"author":{"login":"ada","name":"Ada L"},"title":"Close the gate"}'),
        PLACE,
      ),
      ...factsOfCall(shellCall('git commit -m x', '[ada/fix-gate 1a2b3c4] Close the gate at night'), PLACE),
      ...factsOfCall(shellCall('git commit -m y', '[feature/tide 5d6e7f8] Count the tides'), PLACE),
    ])
    expect(projectCard(facts, [], () => undefined).commits.map(({ text }) => text)).toEqual([
      '1a2b3c4 Close the gate at night (branch of Ada L (ada))',
    ])
  })
})

describe('terms', () => {
  it.each([
    ['A tide gate is a sluice that closes by itself.', 'tide gate'],
    ['Shadow branches are named gate/<commit>.', 'Shadow branches'],
    ['Slack water refers to the time between two tides.', 'Slack water'],
  ])('%s defines %s', (sentence, term) => expect(definitionsIn(sentence)?.term).toBe(term))

  it.each([
    'This is a bug in the parser that we should fix.',
    'The root cause is a missing lock in the writer.',
    'The fix is a one-line change in the gate.',
    'The tide gate is a good candidate for removal.',
    'I think a gate is a door that you open.',
    'The gate is currently a plain door without a lock.',
    'Is a tide gate a sluice that closes by itself?',
    'Overall this is a solid update of the docs of the gate.',
  ])('%s defines nothing', (sentence) => expect(definitionsIn(sentence)).toBeUndefined())

  it('comments define what stands below them; a field is no term', () => {
    const code =
      '// Gate is a door of the harbor that closes at high tide.\ntype Gate struct {\n\t// State is the name of what the gate does.\n\tState string\n}\n'
    expect(keys(read('/home/ada/harbor/gate.go', numbered(code)), 'term')).toEqual([
      'gate Gate is a door of the harbor that closes at high tide.',
    ])
  })
  it('said by people and agents: only names of several words', () => {
    expect(keys(factsOfMessage('A tide gate is a sluice that closes by itself. A gate is a door that closes at night.'), 'term')).toEqual([
      'tide gate A tide gate is a sluice that closes by itself.',
    ])
  })
  it('injected memory and reminders of harnesses define nothing', () => {
    const text =
      'fine\n<mnemonic-memory v="1">\nA tide gate is a sluice that closes by itself.\n</mnemonic-memory>\n<system-reminder>\nA night gate is a sluice that opens by itself.\n</system-reminder>'
    expect(read('/home/ada/harbor/docs/x.md', text)).toEqual([])
    expect(
      shell(
        'mnemonic search gate',
        'commit 1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d\nAuthor: Ada Byron <ada@harbor.example>\n\n    Close\n',
      ),
    ).toEqual([])
  })
})
