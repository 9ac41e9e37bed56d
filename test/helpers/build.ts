/** Builds dist/ once before the tests, so that those that start the real binary never run an old one. */
import { execFileSync } from 'node:child_process'

export default function build(): void {
  if (process.env.MNEMONIC_TEST_SKIP_BUILD === '1') return
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
}
