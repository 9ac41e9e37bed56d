import { expect, it } from 'vitest'
import { HOSTILE } from '../../../test/helpers/hostile-text.ts'
import { call } from '../../../test/helpers/outcome.ts'
import { outcomeReader } from './outcome.ts'

function filesOf(calls: readonly [tool: string, params: unknown][], project: string | null = '/home/ada/app') {
  const reader = outcomeReader({ project })
  for (const [tool, params] of calls) reader.did(call(tool, params))
  const { files, read } = reader.outcome()
  return { changed: files.map(({ path }) => path), read }
}

it('changed files come apart from those that were only read, relative to the project', () => {
  const { changed, read } = filesOf([
    ['Read', { file_path: '/home/ada/app/src/a.ts' }],
    ['Read', { file_path: '/home/ada/app/src/b.ts' }],
    ['Edit', { file_path: '/home/ada/app/src/b.ts', old_string: 'x' }],
    ['Edit', { file_path: '/home/ada/app/src/b.ts', old_string: 'y' }],
    ['Write', { file_path: '/etc/hosts' }],
    ['Bash', { command: 'rm -rf /' }],
  ])
  expect(changed).toEqual(['src/b.ts', '/etc/hosts'])
  expect(read).toEqual(['src/a.ts'])
})

it('the files of a patch are found in a text and in a list', () => {
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: docs/b.md\n+x\n*** End Patch'
  expect(filesOf([['apply_patch', patch]]).changed).toEqual(['docs/b.md', 'src/a.ts'])
  expect(filesOf([['shell', { command: ['apply_patch', patch] }]]).changed).toEqual(['docs/b.md', 'src/a.ts'])
  expect(filesOf([['exec', { input: patch }]]).changed).toEqual(['docs/b.md', 'src/a.ts'])
})

it('other shapes of parameters, addresses, patterns and secrets give nothing', () => {
  const secret = `gh${'p_'}${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d'}`
  const params = [null, 7, [], { path: 7 }, { path: 'https://example.com/x' }, { path: 'src/**/*.ts' }, { path: '' }, { path: secret }]
  expect(filesOf(params.map((one) => ['Edit', one]))).toEqual({ changed: [], read: [] })
})

it('a call that failed changed nothing', () => {
  const reader = outcomeReader({ project: null })
  reader.did({ ...call('Edit', { file_path: 'a.ts' }), status: 'error' })
  expect(reader.outcome().files).toEqual([])
})

it('no hostile path breaks a line', () => {
  for (const path of filesOf(
    HOSTILE.map((path) => ['Edit', { path }]),
    null,
  ).changed)
    expect(path).not.toMatch(/[\x00-\x1f|<>]|\u2028/)
})
