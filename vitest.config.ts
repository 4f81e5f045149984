import { configDefaults, defineConfig } from 'vitest/config'

export const faultTests = '**/*.faults.test.ts'
export const browserTests = 'test/browser/**/*.test.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts', 'clients/**/*.test.ts'],
    exclude: [...configDefaults.exclude, faultTests, browserTests],
    globalSetup: 'test/harness/global-setup.ts',
    setupFiles: 'test/harness/limit-properties.ts',
    provide: { propertyLimitMs: 90_000 },
    pool: 'forks',
    // Threads and processes for hostile input start with compiled code.
    execArgv: ['--import=./src/main/compile-cache.js'],
    // Files share the modules that a worker has loaded, so a test restores whatever it changes in them.
    isolate: false,
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
})
