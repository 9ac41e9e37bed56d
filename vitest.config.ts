import { defineConfig } from 'vitest/config'
import { makeRunFolder } from './test/helpers/run-folder.ts'

makeRunFolder()

/** Files that put something else in the place of a module: they are loaded by themselves. */
const ALONE = ['src/forget/evidence.test.ts', 'src/embed/minilm/load-minilm.test.ts']

/** More than half a minute each: `npm run test:long` runs them, beside the long forms of the campaigns of kills. */
const LONG = ['crash-large', 'derived-secrets', 'projects-merged', 'quotes', 'repair', 'stops', 'tarball'].map(
  (name) => `test/e2e/${name}.test.ts`,
)

export default defineConfig({
  test: {
    // Every test file gets a throw-away home: no test can touch the owner's data.
    setupFiles: ['test/helpers/setup.ts'],
    globalSetup: ['test/helpers/build.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...ALONE, ...LONG],
          // Loading the modules anew for each of the files took as long as a third of the tests. No file leaves anything behind in a module.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'long', include: LONG, isolate: false } },
    ],
  },
})
