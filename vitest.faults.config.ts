import { configDefaults, defineConfig } from 'vitest/config'
import suite, { faultTests } from './vitest.config.ts'

// `npm run test:faults`: tests that start, kill or freeze processes, and long properties.
export default defineConfig({
  test: { ...suite.test, include: [faultTests], exclude: configDefaults.exclude },
})
