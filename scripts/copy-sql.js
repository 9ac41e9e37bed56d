// Copies SQL migrations after tsc. Removes those of other branches: they would run.
import { chmodSync, cpSync, rmSync } from 'node:fs'

rmSync('dist/store/sqlite/migrations', { recursive: true, force: true })
cpSync('src/store/sqlite/migrations', 'dist/store/sqlite/migrations', { recursive: true })
chmodSync('dist/cli/bin.js', 0o755)
