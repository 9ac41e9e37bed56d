// Copies what tsc leaves behind: the numbered SQL migrations. Runs after every build.
import { chmodSync, cpSync } from 'node:fs'

cpSync('src/store/sqlite/migrations', 'dist/store/sqlite/migrations', { recursive: true })
chmodSync('dist/cli/bin.js', 0o755)
