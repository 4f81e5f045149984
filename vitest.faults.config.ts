import { configDefaults, defineConfig } from 'vitest/config'
import suite, { faultTests } from './vitest.config.ts'

// `npm run test:faults`: tests that start, kill or freeze processes, and long properties.
export default defineConfig({
  test: {
    ...suite.test,
    include: [faultTests],
    exclude: configDefaults.exclude,
    // Starts are slow on a busy machine: a test fails by what it sees, not by a clock.
    provide: { propertyLimitMs: 240_000 },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
