import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { median } from '../../../bench/harness/goals.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { loadScenarios, publicAddress, type Scenario } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { checkMsMax } from './run-check.ts'

const [casino] = loadScenarios('live.yaml') as [Scenario]
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const siteOf = (domain: string, responses: Scenario['responses']): Scenario => ({
  ...casino,
  domain,
  licensed: false,
  dns: { [domain]: { A: [publicAddress] } },
  responses,
})

/** Reading a megabyte of it takes a third of a second of processor time. */
const slowMarkup = (bytes: number) => `<table>${'<a>x'.repeat(bytes / 4)}`
const legalPages = ['terms', 'privacy', 'payments', 'responsible-gaming', 'contact', 'about']
const links = legalPages.map(name => `<a href="/${name}">${name}</a>`).join('')
/** The largest pages that a check reads: 15 MB in all. */
const hostileResponses = {
  '/': { html: `<title>Casino</title>${links}${slowMarkup(1_000_000)}` },
  ...Object.fromEntries(legalPages.map(name => [`/${name}`, { html: slowMarkup(2_300_000) }])),
}
const hostile = numbers(8).map(index => siteOf(`hostile${index}.example`, hostileResponses))
const honest = numbers(3).map(index => siteOf(`honest${index}.example`, casino.responses))

const endedWithinMs = 600_000
/** The end of a check is stored after its limit, by a machine that may be busy. */
const storedWithinS = 60

let service: CheckingService
let customer: Customer
beforeAll(async () => {
  service = await startCheckingService([...hostile, ...honest])
  customer = await service.customer({ credits: 10_000 })
  // The first worker creates the queue.
  await (await service.startWorker()).stop()
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const enrich = (domain: string) =>
  customer.ask('/v1/enrichments', {
    method: 'POST',
    body: JSON.stringify({ domain, max_age_days: 0 }),
    headers: { 'content-type': 'application/json' },
  })

type Ended = { domain: string; state: string; reason: string | null; seconds: number; charged: number }

async function endsOf(domains: readonly string[]): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select domain.domain, checked.state, checked.reason, checked.credits_charged as charged,
           extract(epoch from checked.finished_at - checked.started_at)::float as seconds
      from site_checks checked
      join domains domain on domain.id = checked.domain_id
     where domain.domain = any (${[...domains]}) and checked.state in ('completed', 'failed')
     order by checked.id`.execute(service.service.live.database)
  return rows
}

test(
  'sites whose pages are slow to parse do not delay the checks of other sites',
  async () => {
    const names = [...hostile, ...honest].map(({ domain }) => domain)
    const worker = await service.startWorker()
    for (const domain of names) expect((await enrich(domain)).status).toBe(202)
    const allEnded = async () => (await endsOf(names)).length === names.length
    await eventually('all checks have ended', allEnded, endedWithinMs)
    await worker.stop()
    const ofHonest = await endsOf(honest.map(({ domain }) => domain))
    const ofHostile = await endsOf(hostile.map(({ domain }) => domain))
    expect(ofHonest.map(({ state }) => state)).toEqual(honest.map(() => 'completed'))
    const secondsOf = (ended: Ended[]) => median(ended.map(({ seconds }) => seconds))
    expect(secondsOf(ofHonest)).toBeLessThan(secondsOf(ofHostile))
    for (const { seconds } of [...ofHonest, ...ofHostile])
      expect(seconds).toBeLessThan(checkMsMax / 1_000 + storedWithinS)
    for (const { state, reason, charged } of ofHostile) {
      // A page that takes the reader too long is unreadable; a check that takes too long has timed out.
      if (state === 'failed') expect(['timeout', 'unreadable']).toContain(reason)
      expect([reason === null, charged]).toEqual(state === 'completed' ? [true, 10] : [false, 0])
    }
  },
  endedWithinMs,
)
