import run from './demo-run.json' with { type: 'json' }
import type { StoredRun } from './lobby-store.ts'

/** The run of the demo world, whose titles are fictional. */
export const demoRun = {
  ...run,
  requestedAt: new Date(run.requestedAt),
  finishedAt: new Date(run.finishedAt),
} as StoredRun
