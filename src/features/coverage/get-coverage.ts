import { Type } from 'typebox'
import { closed } from '../../core/schema.ts'
import { defineOperation } from '../operation.ts'
import example from './get-coverage.example.json' with { type: 'json' }
import { readCoverage } from './read-coverage.ts'
import { coverageData } from './schemas.ts'

export const getCoverage = defineOperation({
  name: 'get_coverage',
  method: 'GET',
  path: '/v1/coverage',
  tag: 'Coverage',
  section: '§2.2',
  summary: 'What is read of each market, and how current it is',
  description: `Every market once: which streams are read, from where and how often, how many rows they have,
when they were last confirmed, which fields they publish, and what none of them publishes. Free. The page
\`/coverage\` and \`/coverage.json\` show the same without a key.

A market is \`live\` while each of its streams is fetched automatically, was confirmed recently, and its
last fetch succeeded. Otherwise the last good data stays in use, and its age and state are shown, with the
reasons.`,
  query: Type.Object({}, closed),
  data: coverageData,
  prices: [],
  failures: [],
  demo: [{ title: 'The coverage of the demo world', query: {} }],
  example,
  async quote({ world, now }) {
    const data = await readCoverage(world.replica, now)
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})
