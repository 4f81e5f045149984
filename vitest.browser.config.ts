import { configDefaults, defineConfig } from 'vitest/config'
import suite, { browserTests } from './vitest.config.ts'

// `npm run test:browser`: people's journeys through the pages, in Chromium.
export default defineConfig({
  test: { ...suite.test, include: [browserTests], exclude: configDefaults.exclude, testTimeout: 120_000 },
})
