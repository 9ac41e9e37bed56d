const RUNNER =
  /(?:^|[\s;&|(])(?:go test|gotestsum|cargo (?:test|nextest)|(?:npm|pnpm|yarn|bun)(?: run)? (?:-\S+ )*test\S*|npx (?:vitest|jest|mocha|playwright test)|vitest|jest|mocha|pytest|python3? -m (?:pytest|unittest)|tox|nox|rspec|bundle exec rspec|phpunit|mix test|dotnet test|gradlew? (?:\S+ )*test|mvn (?:\S+ )*(?:test|verify)|swift test|ctest|make (?:\S+ )*(?:test|check)\S*|mise run (?:\S*test\S*|check)|just (?:test|check)\S*|deno test|node --test|rake test)\b/

export function runsTests(command: string): boolean {
  return RUNNER.test(command)
}
