import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadScenarios } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { verifyAll } from '../../verify/index.ts'
import { siteOutcome } from './fixture.ts'

const scenarios = loadScenarios().filter(({ slow }) => !slow)
const asked = scenarios.filter(({ background }) => !background)
/** The worker runs as many checks at once. */
const askedAtOnce = 8
const answers = new Map<string, Awaited<ReturnType<CheckingService['check']>>>()
let service: CheckingService
let worker: { stop(): Promise<void> }

beforeAll(async () => {
  service = await startCheckingService(scenarios)
  worker = await service.startWorker()
  const left = [...scenarios]
  const ask = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      answers.set(next.domain, await service.check(next))
  }
  // A check spends most of its time in pauses between two requests.
  await Promise.all(Array.from({ length: askedAtOnce }, ask))
})
afterAll(async () => {
  await worker.stop()
  await service.close()
})

test.each(scenarios)('the check of $domain has the expected outcome: $about', async scenario => {
  const { expected, seen } = await siteOutcome(service, scenario)
  expect(seen).toEqual(expected)
})

test.each(asked)(
  'the answer about $domain has the outcome of its check',
  ({ domain, licensed, expect: expected }) => {
    const { status, body } = answers.get(domain) ?? {}
    expect(status).toBe(200)
    const { billing, observations } = body.data
    const isCompleted = expected.outcome === 'completed'
    expect(observations.enrichment_run.status).toBe(isCompleted ? 'completed' : 'failed')
    expect(billing.refresh).toEqual(
      isCompleted ? { status: 'charged', credits: 10 } : { status: 'not_charged', credits: 0 },
    )
    const profile = observations.operator_launch_profile
    if (!licensed) expect(profile).toMatchObject({ availability: 'not_available', launch: null })
    else if (profile.availability === 'available')
      expect([profile.web_presence.status, profile.launch.status]).toEqual([
        expected.web_presence,
        expected.launch,
      ])
  },
)

test('a site that refuses, fails or is parked is never reported as live', () => {
  const files = ['refusals.yaml', 'parked.yaml', 'certificates.yaml', 'names.yaml', 'redirects.yaml']
  const reached = ['robotsasked.example', 'mixedaddresses.example', 'wwwalone.example', 'chain.example']
  const statuses = files
    .flatMap(file => loadScenarios(file))
    .filter(({ domain, slow }) => !slow && !reached.includes(domain))
    .map(({ domain }) => answers.get(domain)?.body.data.observations.operator_launch_profile.launch?.status)
  expect(statuses.filter(status => status !== undefined && status !== 'unknown')).toEqual(['pre_launch'])
})

test('a check of a casino finds a value for every section', () => {
  const { observations } = answers.get('luckyotter.example')?.body.data ?? {}
  expect(observations).toMatchObject({
    affiliate_programs: [{ program_url: 'https://affiliates.luckyotter.example/' }],
    geo: { languages: ['en', 'sv', 'fi'], currencies: ['EUR', 'SEK'] },
    related_domains: [{ related_domain_normalized: 'luckyotter-finland.example', relationship: 'hreflang' }],
    operator_launch_profile: {
      availability: 'available',
      registration: { registrar: 'Harbour Registrar Ltd', registered_at: '2019-03-01T00:00:00.000Z' },
      dns: { records: { a: ['93.184.215.14'], ns: ['ns1.hosting.example'] } },
      web_presence: { title: 'Lucky Otter Casino', http_status: 200, parked: false },
      public_contacts: { items: [{ type: 'email', value: 'support@luckyotter.example' }] },
    },
  })
  const names = (section: string, field: string) =>
    observations[section].map((value: Record<string, string>) => value[field])
  expect(names('payment_methods', 'normalized_name')).toEqual(['mastercard', 'skrill', 'trustly', 'visa'])
  expect(names('supplier_brands', 'normalized_provider_name')).toEqual([
    'Evolution',
    'NetEnt',
    "Play'n GO",
    'Pragmatic Play',
  ])
})

test("no answer contains a person's name or address, or data for staff", () => {
  for (const answer of answers.values()) {
    expect(answer?.text ?? '').not.toMatch(/ottilie|product_lobby|parking_nameservers/i)
    const launch = answer?.body.data.observations.operator_launch_profile.launch
    if (launch) expect(Object.keys(launch).toSorted()).toEqual(['observed_at', 'status'])
  }
})

test('a body of 30 MB and a gzip bomb are stored cut at 5 MB', async () => {
  const { rows } = await sql`
    select domain.domain, capture.truncated
      from site_captures capture
      join site_checks checked on checked.id = capture.check_id
      join domains domain on domain.id = checked.domain_id
     where domain.domain in ('large.example', 'bomb.example') and capture.purpose = 'root'
     order by domain.domain`.execute(service.service.live.database)
  expect(rows).toEqual([
    { domain: 'bomb.example', truncated: true },
    { domain: 'large.example', truncated: true },
  ])
})

test('a site gets at most 8 requests, a second apart, whose user agent names the service', () => {
  const { internet } = service
  expect(internet.requests.every(({ userAgent }) => /^Baize\/\d\S* \(\+http/.test(userAgent))).toBe(true)
  for (const { domain } of scenarios) {
    const times = internet.requestsTo(domain).map(({ at }) => at)
    expect(times.length).toBeLessThanOrEqual(8)
    // Turns are a second apart. A busy machine may send a request late.
    const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
    expect(spanMs).toBeGreaterThanOrEqual((times.length - 2) * 1_000)
  }
})

test('an RDAP server that asked for a pause gets no request during the pause', async () => {
  const { internet } = service
  const [scenario] = scenarios.filter(({ domain }) => domain === 'rdapbusy.example')
  expect(internet.rdapRequests('rdapbusy.example')).toHaveLength(1)
  if (scenario !== undefined) await service.check(scenario)
  expect(await service.checksOf('rdapbusy.example')).toHaveLength(2)
  expect(internet.rdapRequests('rdapbusy.example')).toHaveLength(1)
})

test('/metrics has the checks by outcome, their waiting time, and the findings by rule', async () => {
  const { database } = service.service.live
  const { text } = await service.ask('/metrics', { key: null })
  const counted = (name: string, label: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{${label}="(.*)"\\} (\\d+)$`, 'gm'))]
      .map(([, value, count]) => `${value} ${count}`)
      .toSorted()
  const stored = async (query: RawBuilder<{ line: string }>) =>
    (await query.execute(database)).rows.map(({ line }) => line).toSorted()
  expect(counted('baize_site_checks_total', 'outcome')).toEqual(
    await stored(sql`
      select coalesce(reason, state) || ' ' || count(*) as line
        from site_checks
       group by coalesce(reason, state)`),
  )
  expect(counted('baize_site_findings_total', 'rule')).toEqual(
    await stored(sql`select rule || ' ' || count(*) as line from site_findings group by rule`),
  )
  const [checks] = await stored(sql`select count(*)::text as line from site_checks`)
  expect(text).toContain(`baize_site_check_waiting_seconds_count ${checks}\n`)
})

test('reading the stored captures again gives the same derived data', async () => {
  const { checks } = await verifyAll(service.service.live, service.database.connection)
  expect(checks.filter(({ differences }) => differences.length > 0)).toEqual([])
})

test('each check was charged exactly once, or not at all', async () => {
  await service.expectConsistentBooks()
  for (const { domain } of asked.filter(each => each.domain !== 'rdapbusy.example'))
    expect(await service.checksOf(domain)).toHaveLength(1)
})
