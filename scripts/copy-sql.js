// Copies what tsc leaves behind: the numbered SQL migrations. Runs after every build. A migration of another branch must not stay: it would be run.
import { chmodSync, cpSync, rmSync } from 'node:fs'

rmSync('dist/store/sqlite/migrations', { recursive: true, force: true })
cpSync('src/store/sqlite/migrations', 'dist/store/sqlite/migrations', { recursive: true })
chmodSync('dist/cli/bin.js', 0o755)
