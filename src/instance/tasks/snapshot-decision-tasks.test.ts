import { fileOfBytes } from '@baize/tables'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { findStream, type Stream, syncRegister } from '../../registers/index.ts'
import { verifyReplay } from '../../verify/replay.ts'
import { carryOutDecisions } from './snapshot-decision-tasks.ts'

const path = '/dashboard/staff/snapshots'
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

let service: TestService
let staff: Person

beforeAll(async () => {
  service = await startService()
  staff = await signIn(service, { isStaff: true })
})
afterAll(() => service.close())

/** Syncs a list of these hosts, which is much shorter than the real one. */
async function sync(number: number, from: number, to: number, isFetched = false) {
  const stream = { ...(findStream('estonia.blocklist') as Stream), rowsMin: 1 }
  const hosts = Array.from({ length: to - from }, (_, index) => `n${from + index}.example`)
  const options = { takenAt: day(number), now: day(number), isFetched }
  const file = fileOfBytes('list.txt', hosts.join('\n'))
  return syncRegister(service.service.live, stream, [file], options)
}

const listed = async () => (await staff.read(path)).body.data.snapshots

/** Carries out each queued decision, as a worker does. */
async function work(): Promise<{ failure: string | null }[]> {
  const { live: world, log } = service.service
  const task = carryOutDecisions({ now: () => day(9) })
  const { rows } = await sql<{ id: number }>`
    select id from snapshot_decisions where finished_at is null order by id`.execute(world.database)
  const signal = new AbortController().signal
  for (const { id } of rows) await task?.run({ decision: id }, { world, log, signal } as never)
  const decisions = await sql<{ failure: string | null }>`
    select failure from snapshot_decisions order by id`.execute(world.database)
  return decisions.rows
}

test('a quarantined snapshot is shown with reasons and difference, approved and applied', async () => {
  await sync(1, 100, 200)
  const { snapshot_ref: ref } = await sync(2, 160, 210)
  const [snapshot] = await listed()
  expect(snapshot).toMatchObject({ snapshot_ref: ref, is_quarantined: true, added: 10, removed: 60 })
  const page = await staff.get(path)
  expect(page.text).toContain('60 of 100 entries would be removed')
  expect(page.text).toContain('n100.example')
  expect((await staff.post(`${path}/${ref}/approve`, { reason: ' ' })).status).toBe(400)
  expect((await staff.post(`${path}/${ref}/approve`, { reason: 'Confirmed by mail' })).status).toBe(303)
  expect((await staff.get(path)).text).toContain('Being applied')
  expect(await work()).toEqual([{ failure: null }])
  expect((await listed()).filter((each: { is_quarantined: boolean }) => each.is_quarantined)).toEqual([])
  const { events } = (await staff.read('/dashboard/staff/audit?action=snapshot.approved')).body.data
  expect(events).toMatchObject([
    { email: staff.email, subject: ref, details: { reason: 'Confirmed by mail' } },
  ])
})

test('an approval that comes too late changes nothing, and the reason is stored', async () => {
  const { snapshot_ref: ref } = await sync(3, 205, 210)
  expect((await staff.post(`${path}/${ref}/approve`, { reason: 'It is right' })).status).toBe(303)
  expect(await sync(4, 160, 211)).toMatchObject({ status: 'applied' })
  const [, late] = await work()
  expect(late?.failure).toContain(`${ref} does not await approval`)
  expect((await listed())[0]).toMatchObject({ rows: 51 })
})

test('discarding a quarantined snapshot leaves the last good data, and nothing to review', async () => {
  const before = (await sync(5, 160, 211)).snapshot_ref
  const { snapshot_ref: ref } = await sync(6, 205, 210)
  const csv = await staff.get(`${path}/${ref}/difference.csv`)
  expect(csv.headers.get('content-disposition')).toContain(`${ref}-difference.csv`)
  const [head, ...lines] = csv.text.trimEnd().split('\r\n')
  expect(head).toBe('change,kind,record,field,before,after')
  expect([lines.length, lines[0]]).toEqual([46, 'removed,blocklist_entry,n160.example,,,'])
  expect((await staff.get(`${path}/snap_none/difference.csv`)).status).toBe(404)
  expect((await staff.post(`${path}/${ref}/discard`, { reason: 'Half a file' })).status).toBe(303)
  expect((await work()).at(-1)).toEqual({ failure: null })
  const [shown] = await listed()
  expect(shown).toMatchObject({ is_quarantined: false, rows: 51, snapshot_ref: before })
  const { events } = (await staff.read('/dashboard/staff/audit?action=snapshot.discarded')).body.data
  expect(events).toMatchObject([{ email: staff.email, subject: ref, details: { reason: 'Half a file' } }])
  const { rows } = await sql<{ quarantined_snapshot_id: number | null; status: string }>`
    select quarantined_snapshot_id,
           (select status from register_snapshots where snapshot_ref = ${ref}) as status
      from register_streams where stream = 'estonia.blocklist'`.execute(service.service.live.database)
  expect(rows).toEqual([{ quarantined_snapshot_id: null, status: 'discarded' }])
})

test('a discarded file is refused when fetched again, and quarantined when a person syncs it', async () => {
  expect(await sync(7, 205, 210, true)).toMatchObject({
    status: 'refused',
    reasons: ['The same file was discarded: Half a file'],
  })
  expect(await sync(7, 205, 210)).toMatchObject({ status: 'held' })
})

test('a discard of a quarantined snapshot is recorded, so that the history can be replayed', async () => {
  const { live } = service.service
  const { differences } = await verifyReplay(live, service.database.connection)
  expect(differences).toEqual([])
})
