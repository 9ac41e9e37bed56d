/** Before the first test: builds dist/, so that those that start the real binary never run an old one, and the database that others copy. */
import { execFileSync } from 'node:child_process'
import { makeFreshDatabase } from './fresh-database.ts'

export default async function build(): Promise<void> {
  if (process.env.MNEMONIC_TEST_SKIP_BUILD !== '1') execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  await makeFreshDatabase()
}
