import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { lockFacts } from '../../journal/index.ts'
import { verifyVerdicts } from '../domains/index.ts'
import { endFactChange, lapseLicenses } from './index.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

const load = (records: object[]) => loadLines(service.service.live, records)

const license = (license_number: string, domain: string, more: object) => ({
  kind: 'license',
  jurisdiction: 'mga',
  license_number,
  company: 'lapse',
  authorized_domains: [domain],
  ...more,
})

test('the end date ends a license without a status; a status alone decides other licenses', async () => {
  await load([
    { kind: 'company', key: 'lapse', company_name: 'Lapse Ltd', subject_kind: 'legal_entity' },
    license('L1', 'ended.example', { expires_at: '2020-01-01' }),
    license('L2', 'ended-yet-active.example', { expires_at: '2020-01-01', status: 'Active' }),
    license('L3', 'endless.example', {}),
    license('L4', 'words-after.example', { status: 'Suspended - under review' }),
  ])
  const customer = await service.customer()
  const verdictOf = async (domain: string) =>
    (await customer.ask(`/v1/domains/resolve?domain=${domain}`)).body.data.verdict
  expect(await verdictOf('ended.example')).toBe('no_record')
  expect(await verdictOf('ended-yet-active.example')).toBe('licensed')
  expect(await verdictOf('endless.example')).toBe('licensed')
  expect(await verdictOf('words-after.example')).toBe('no_record')
})

test('a license that expires stops licensing on that day, although no register changed', async () => {
  const { database } = service.service.live
  await load([
    { kind: 'company', key: 'lapse', company_name: 'Lapse Ltd', subject_kind: 'legal_entity' },
    license('L5', 'passing.example', { expires_at: '2099-01-01' }),
  ])
  await sql`update license_states set expires_at = current_date - 1 where license_number = 'L5'`.execute(
    database,
  )
  expect(await lapseLicenses(database)).toBe(1)
  expect(await lapseLicenses(database)).toBe(0)
  const customer = await service.customer()
  expect((await customer.ask('/v1/domains/resolve?domain=passing.example')).body.data.verdict).toBe(
    'no_record',
  )
  expect((await verifyVerdicts(database)).differences).toEqual([])
})

test('a lapse that a check of the site finds first is a verdict change of an event of its own', async () => {
  const { database } = service.service.live
  await load([
    { kind: 'company', key: 'lapse', company_name: 'Lapse Ltd', subject_kind: 'legal_entity' },
    license('L6', 'checked.example', { expires_at: '2099-01-01' }),
  ])
  await sql`update license_states set expires_at = '2020-01-31' where license_number = 'L6'`.execute(database)
  const { id } = await database
    .selectFrom('domains')
    .select('id')
    .where('domain', '=', 'checked.example')
    .executeTakeFirstOrThrow()
  const derive = () =>
    database.transaction().execute(async tx => {
      await lockFacts(tx)
      await endFactChange(tx, { domainIds: [id] })
    })
  const events = () =>
    database.selectFrom('dataset_events').select(['number', 'kind']).orderBy('number').execute()
  await derive()
  const recorded = await events()
  const change = await database
    .selectFrom('verdict_changes')
    .select(['event', 'occurred_at'])
    .where('domain_id', '=', id)
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow()
  expect(recorded.at(-1)).toEqual({ number: change.event, kind: 'lapse' })
  expect(change.occurred_at).toEqual(new Date('2020-02-01T00:00:00Z'))
  await derive()
  expect(await events()).toEqual(recorded)
})
