import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Every test file gets a throw-away home: no test can touch the owner's data.
    setupFiles: ['test/helpers/setup.ts'],
    globalSetup: ['test/helpers/build.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Loading the modules anew for each of the files took as long as a third of the tests. No file leaves anything behind in a module.
    isolate: false,
    maxWorkers: 2,
  },
})
