import { readPublishedEntry } from '@baize/registers/entries'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { verifyAll } from '../verify/index.ts'
import { verifyReplay } from '../verify/replay.ts'
import { day, entry, fakeStream, fileOf } from './fixture.ts'
import { approveSnapshot, judgeStoredEntries, syncRegister } from './index.ts'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'empty' })
  customer = await service.customer({ credits: 1_000 })
})
afterAll(() => service.close())

const italy = fakeStream('italy.blocklist')

function listed(published: string) {
  const read = readPublishedEntry(published)
  if (!read.ok) throw new Error(published)
  const { domain, scope, key } = read
  return entry(published, { published, domain, scope, recordKey: key, listedAs: key })
}

async function sync(dayNumber: number, ...published: string[]) {
  const [takenAt, files] = [day(dayNumber), [fileOf(...published.map(listed))]]
  const report = await syncRegister(service.service.live, italy, files, { takenAt, now: takenAt })
  expect(report.status, report.reasons.join('; ')).toBe('applied')
}

const verdictOf = async (domain: string) => {
  const { data } = (await customer.ask(`/v1/domains/resolve?domain=${encodeURIComponent(domain)}`)).body
  return data
}

const signals = async () =>
  (await customer.ask('/v1/signals/register-changes?jurisdiction=italy')).body.data.total

test('entries that older rules judged are judged again, without Signals', async () => {
  await sync(1, 'poker.heron.test', 'www.badcasino.test', 't.me/casino')
  const before = await signals()
  const { live } = service.service
  // This scope is stored by rules that count every host as the site.
  await sql`
    update blocklist_entries
       set scope = case when scope = 'host' then 'domain' else scope end, listed_as = null, scope_rules = 0
    `.execute(live.database)
  await sql`update domains set verdict = 'blocklisted', mentioned = false`.execute(live.database)

  expect(await judgeStoredEntries(live, () => {})).toBe(true)
  expect(await judgeStoredEntries(live, () => {})).toBe(false)
  expect(await verdictOf('heron.test')).toMatchObject({ verdict: 'no_record', blocked_by: [] })
  expect((await verdictOf('badcasino.test')).blocked_by).toMatchObject([{ listed_as: 'www.badcasino.test' }])
  expect(await signals()).toBe(before)
  expect((await verifyAll(live)).checks.filter(check => check.differences.length > 0)).toEqual([])
})

test('a listed page on a shared host is a mention only for a request with its URL', async () => {
  const mentions = async (sent: string) => (await verdictOf(sent)).mentioned_by
  expect(await mentions('https://t.me/casino/12')).toMatchObject([
    { geo: 'italy', listed_as: 't.me/casino', scope: 'shared_host', is_asked: true },
  ])
  expect(await mentions('t.me/chess')).toEqual([])
  expect(await mentions('t.me')).toEqual([])
})

test('several listed spellings of a site are one element of blocked_by, with the earliest date', async () => {
  await sync(2, 'poker.heron.test', 'www.badcasino.test', 't.me/casino', 'badcasino.test', 'm.badcasino.test')
  expect((await verdictOf('badcasino.test')).blocked_by).toEqual([
    { geo: 'italy', listed_as: 'badcasino.test', scope: 'domain', first_listed_at: day(1).toISOString() },
  ])
})

test('rows that older rules judged are replayed and approved by today’s rules', async () => {
  const { live } = service.service
  const norway = fakeStream('norway.blocklist', { rowsMin: 2 })
  const readBefore = (published: string, domain: string) =>
    entry(published, { domain, scope: 'domain', listedAs: null })
  const bystanders = ['first', 'second'].map(name => entry(`${name}.test`))
  const apply = (dayNumber: number, ...rows: ReturnType<typeof entry>[]) =>
    syncRegister(live, norway, [fileOf(...rows)], { takenAt: day(dayNumber), now: day(dayNumber) })

  const first = [...bystanders, readBefore('poker.osprey.test', 'osprey.test')]
  expect((await apply(1, ...first)).status).toBe('applied')
  const second = await apply(2, readBefore('poker.merlin.test', 'merlin.test'))
  expect(second.status).toBe('held')
  await sql`update blocklist_entries set scope_rules = 0, listed_as = null`.execute(live.database)
  await judgeStoredEntries(live, () => {})
  const approved = await approveSnapshot(live, {
    snapshotRef: second.snapshot_ref as string,
    reason: 'a test',
    findStream: async () => norway,
    now: day(3),
  })
  expect(approved).toMatchObject({ status: 'applied', added: 1, changed: 0 })

  expect((await verdictOf('osprey.test')).verdict).toBe('no_record')
  const merlin = await verdictOf('merlin.test')
  expect([merlin.verdict, merlin.mentioned_by]).toMatchObject([
    'no_record',
    [{ geo: 'norway', listed_as: 'poker.merlin.test', scope: 'host', is_asked: false }],
  ])
  expect((await verifyAll(live)).checks.filter(check => check.differences.length > 0)).toEqual([])
  expect((await verifyReplay(live, service.database.connection)).differences).toEqual([])
})
