/** An installation from a clone needs the npm registry and nothing else, and npm has nothing to warn of. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const json = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'))

it('npm knows every key of .npmrc', async () => {
  const { stderr } = await promisify(execFile)('npm', ['--version'], { cwd: ROOT })
  expect(stderr).not.toContain('project config')
})

it('the script that wants GPU files from elsewhere does not run, with any npm', () => {
  // Older ones run what the lockfile says has a script; newer ones ask package.json too. `npm install` may write the first one back.
  expect(json('package-lock.json').packages['node_modules/onnxruntime-node']).toMatchObject({ version: '1.30.0', optional: true })
  expect(json('package-lock.json').packages['node_modules/onnxruntime-node']).not.toHaveProperty('hasInstallScript')
  expect(json('package.json').allowScripts).toEqual({ 'better-sqlite3': true, 'onnxruntime-node': false })
})
