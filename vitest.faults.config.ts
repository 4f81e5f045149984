import { configDefaults, defineConfig } from 'vitest/config'
import suite, { faultTests } from './vitest.config.ts'

/** These tests compare times. They run one after another, when all others have ended. */
const timedTests = '**/*.timed.faults.test.ts'

// `npm run test:faults`: tests that start, kill or freeze processes, and long properties.
export default defineConfig({
  test: {
    ...suite.test,
    // A project would add its own to these.
    include: [],
    exclude: configDefaults.exclude,
    // Starts are slow on a busy machine: a test fails by what it sees, not by a clock.
    provide: { propertyLimitMs: 240_000 },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'faults',
          include: [faultTests],
          exclude: [timedTests],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'timed',
          include: [timedTests],
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
    ],
  },
})
