import { expect, it } from 'vitest'
import { ARTIFACT_KINDS, artifactName, artifactPath, parseArtifactName, parseArtifactPath } from './artifact-name.ts'

const AT = Date.UTC(2026, 2, 28, 22, 34, 6, 792)
const token = 'h7k3n4p2m2x2q5r5'

it('a name is the capture time with safe separators, the token and the kind', () => {
  expect(artifactName({ capturedAt: AT, token, kind: 'summary' })).toBe(`2026-03-28T22-34-06.792Z--${token}--summary.md`)
  expect(artifactPath({ capturedAt: AT, token, kind: 'manifest' })).toBe(`memory/2026-03-28T22-34-06.792Z--${token}--manifest.md`)
})

it('every kind and time comes back from its name', () => {
  for (const kind of ARTIFACT_KINDS) {
    for (const capturedAt of [AT, Date.UTC(1999, 11, 31, 23, 59, 59, 999), Date.UTC(2100, 0, 1)]) {
      const name = { capturedAt, token, kind }
      expect(parseArtifactName(artifactName(name))).toEqual(name)
      expect(parseArtifactPath(artifactPath(name))).toEqual(name)
    }
  }
})

it('names of the spec sort by time', () => {
  const names = [AT + 1000, AT, AT + 1].map((capturedAt) => artifactName({ capturedAt, token, kind: 'summary' }))
  expect([...names].sort()).toEqual([names[1], names[2], names[0]])
})

it.each([
  `2026-03-28T22:34:06.792Z--${token}--summary.md`,
  `2026-02-30T22-34-06.792Z--${token}--summary.md`,
  `2026-03-28T25-34-06.792Z--${token}--summary.md`,
  `2026-03-28T22-34-06Z--${token}--summary.md`,
  `2026-03-28T22-34-06.792Z--${token}--dossier.md`,
  '2026-03-28T22-34-06.792Z--H7K3N4P2M2X2Q5R5--summary.md',
  '2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--summary.md',
  `2026-03-28T22-34-06.792Z--${token}--summary.md.tmp`,
  `x/2026-03-28T22-34-06.792Z--${token}--summary.md`,
  `2026-03-28T22-34-06.792Z--${token}--summary.md\n`,
  'MEMORY.md',
])('%s is no name of an artifact', (name) => {
  expect(parseArtifactName(name)).toBeUndefined()
})

it('a path outside the folder of artifacts is none', () => {
  expect(parseArtifactPath(`other/2026-03-28T22-34-06.792Z--${token}--summary.md`)).toBeUndefined()
  expect(parseArtifactPath(`memory/../memory/2026-03-28T22-34-06.792Z--${token}--summary.md`)).toBeUndefined()
})

it('a time or token that no name can carry is refused', () => {
  expect(() => artifactName({ capturedAt: Number.NaN, token, kind: 'summary' })).toThrow(/captured_at/)
  expect(() => artifactName({ capturedAt: AT, token: '../../x', kind: 'summary' })).toThrow(/session_token/)
})
