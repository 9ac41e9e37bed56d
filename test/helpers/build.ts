/** Builds dist/ once before all tests, so that none runs an old binary, and the database that tests copy. */
import { execFileSync } from 'node:child_process'
import { makeFreshDatabase } from './fresh-database.ts'

export default async function build(): Promise<void> {
  if (process.env.MNEMONIC_TEST_SKIP_BUILD !== '1') execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  await makeFreshDatabase()
}
