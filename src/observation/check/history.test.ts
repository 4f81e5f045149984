import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../test/harness/eventually.ts'
import { loadScenarios } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { reviewPlatform } from '../../features/signals/index.ts'
import { lockFacts } from '../../journal/index.ts'
import { verifyAll } from '../../verify/index.ts'
import { applyReading } from './apply-reading.ts'
import { deleteCaptures } from './captures-store.ts'
import { rereadChecks } from './reread-checks.ts'

// These tests follow the check of a casino, in order.
const domain = 'luckyotter.example'
let service: CheckingService
let worker: { stop(): Promise<void> }
const database = () => service.service.live.database

beforeAll(async () => {
  const scenarios = loadScenarios('live.yaml').filter(each => each.domain === domain)
  service = await startCheckingService(scenarios)
  worker = await service.startWorker()
  await Promise.all(scenarios.map(each => service.check(each)))
})
afterAll(async () => {
  await worker.stop()
  await service.close()
})

async function observations(): Promise<unknown[]> {
  const { rows } = await sql`
    select section, value_key, first_seen_at, last_seen_at, last_confirmed_at
      from observations order by section, value_key`.execute(database())
  return rows
}

async function platformHistory() {
  const customer = await service.customer({ credits: 10 })
  const { body } = await customer.ask(`/v1/domains/resolve?domain=${domain}&include[]=platform_history`)
  return body.data.observations.platform_history
}

test('searches find a checked site by the values that its check found', async () => {
  const customer = await service.customer({ credits: 100 })
  const sites = await customer.ask('/v1/domains/search?verdict=licensed&payment_category=ewallet')
  expect(sites.body.data.domains.map((each: { domain: string }) => each.domain)).toEqual([domain])
  for (const filter of ['payment_method=skrill', 'supplier_brand=NetEnt', 'payment_category=card']) {
    const { body } = await customer.ask(`/v1/companies/search?${filter}`)
    expect([filter, body.data.hits.length]).toEqual([filter, 1])
  }
  const { body } = await customer.ask('/v1/companies/search?jurisdiction=mga')
  const facets = Object.fromEntries(
    body.data.facet_counts.map(({ field, values }: { field: string; values: object[] }) => [field, values]),
  )
  expect(facets.payment_category).toContainEqual({ value: 'ewallet', count: 1 })
  const nobody = await customer.ask('/v1/companies/search?payment_method=pix')
  expect(nobody.body.data.hits).toEqual([])
})

test('exports contain the values that a check found', async () => {
  const customer = await service.customer({ plan: 'starter', credits: 1_000 })
  const posted = await customer.ask('/v1/exports', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      export_format: 'json',
      filters: { payment_category: 'ewallet', supplier_brand: 'NetEnt' },
      fields: ['payment_methods', 'operator_launch_profile'],
    }),
  })
  expect(posted.status).toBe(202)
  const done = await eventually('the export is written', async () => {
    const { status, body } = await customer.ask(posted.body.data.poll_url)
    return status === 200 && body.data
  })
  expect(done.credits_used).toBe(6)
  const { body: rows } = await customer.ask(`/v1/exports/${done.id}/download`)
  const names = rows[0].payment_methods.map((each: { normalized_name: string }) => each.normalized_name)
  expect([rows.length, rows[0].domain, names]).toEqual([
    1,
    domain,
    ['mastercard', 'skrill', 'trustly', 'visa'],
  ])
  expect(rows[0].operator_launch_profile.launch.status).toBe('live')
})

test('a platform that a check found is published after its review, with the date of the check', async () => {
  expect(await platformHistory()).toEqual([])
  const { rows } = await sql<{ platform_key: string }>`select platform_key from platforms`.execute(database())
  const [platform] = rows
  expect(platform).toBeDefined()
  await reviewPlatform(service.service.live, platform?.platform_key as string, new Date(), { reviewed: true })
  expect(await platformHistory()).toMatchObject([{ to: null, observations: 1 }])
})

test('findings keep their dates when captures are read again with other rules', async () => {
  const before = await observations()
  expect(before.length).toBeGreaterThan(5)
  await sql`update site_readings set rules_version = 'earlier'`.execute(database())
  const later = () => new Date(Date.now() + 86_400_000)
  const { live } = service.service
  expect(await rereadChecks(live, service.files, { now: later })).toEqual({ reread: 1, unreadable: 0 })
  expect(await observations()).toEqual(before)
  expect(await rereadChecks(live, service.files, { now: later })).toEqual({ reread: 0, unreadable: 0 })
  expect(await verifyAll(live, service.database.connection)).toMatchObject({ ok: true })
})

test('findings that only earlier rules made are withdrawn when captures are read again', async () => {
  const { live } = service.service
  const before = [await observations(), await platformHistory()]
  await sql`
    insert into site_findings (reading_id, section, value_key, domain_id, value, rule, strength, seen_at)
    select reading.id, line.section, line.key, checked.domain_id, line.value::jsonb, 'wrong', 3,
           checked.started_at
      from site_checks checked
      join site_readings reading on reading.id = checked.reading_id,
    (values ('payment_methods', 'pix', '{"normalized_name": "pix", "category": "local_apm"}'),
            ('platform', 'wrong', '{"platform": "wrong", "name": "Wrong"}')) as line (section, key, value)
  `.execute(database())
  await sql`
    update site_readings set rules_version = 'wrong'
     where id in (select reading_id from site_checks)`.execute(database())
  const { rows } = await sql<{ checkId: number; domainId: number }>`
    select id as "checkId", domain_id as "domainId" from site_checks`.execute(database())
  const [check] = rows as [{ checkId: number; domainId: number }]
  await database()
    .transaction()
    .execute(async tx => {
      await lockFacts(tx)
      await applyReading(tx, { ...check, now: new Date() })
    })
  await reviewPlatform(live, 'wrong', new Date(), { reviewed: true })
  expect(await observations()).toHaveLength((before[0] as unknown[]).length + 1)
  expect(await platformHistory()).not.toEqual(before[1])
  expect(await rereadChecks(live, service.files, { now: () => new Date() })).toMatchObject({ reread: 1 })
  expect([await observations(), await platformHistory()]).toEqual(before)
  expect(await verifyAll(live, service.database.connection)).toMatchObject({ ok: true })
})

test('a check with missing captures is not read again, and captures are deleted together', async () => {
  const before = await observations()
  const { live } = service.service
  const { rows } = await sql<{ first: Date; last: Date }>`
    select min(seen_at) as first, max(seen_at) as last from site_captures`.execute(database())
  const [{ first, last }] = rows as [{ first: Date; last: Date }]
  expect(last.getTime()).toBeGreaterThan(first.getTime())
  expect(await deleteCaptures(database(), last)).toBe(0)
  await database()
    .transaction()
    .execute(async tx => {
      await sql`update site_readings set rules_version = 'half ' || id`.execute(tx)
      await sql`delete from site_captures where position = 2`.execute(tx)
    })
  expect(await rereadChecks(live, service.files, { now: () => new Date() })).toMatchObject({ reread: 0 })
  expect(await observations()).toEqual(before)
})

test('a check whose captures were deleted keeps its findings', async () => {
  const before = await observations()
  await sql`update site_readings set rules_version = 'earlier ' || id`.execute(database())
  await sql`delete from site_captures`.execute(database())
  const report = await rereadChecks(service.service.live, service.files, { now: () => new Date() })
  expect(report).toEqual({ reread: 0, unreadable: 0 })
  expect(await observations()).toEqual(before)
})

const change = (text: string) => sql.raw(text).execute(database())

const observationsFollow = 'observations follow from imports and findings of checks'

test.each([
  [
    'an observation',
    observationsFollow,
    "update observations set last_seen_at = last_seen_at + interval '1 day'",
    "update observations set last_seen_at = last_seen_at - interval '1 day'",
  ],
  [
    'a finding',
    observationsFollow,
    "update site_findings set value_key = 'forged' where value_key = 'skrill'",
    "update site_findings set value_key = 'skrill' where value_key = 'forged'",
  ],
  [
    'a charge',
    'checks of sites have their reservations and charges',
    'update site_checks set credits_charged = 5',
    'update site_checks set credits_charged = 10',
  ],
])('verify finds a changed value: %s', async (_title, name, forge, restore) => {
  const wrong = async () => {
    const { checks } = await verifyAll(service.service.live)
    return checks.filter(({ differences }) => differences.length > 0).map(check => check.name)
  }
  expect(await wrong()).not.toContain(name)
  await change(forge)
  expect(await wrong()).toContain(name)
  await change(restore)
})
