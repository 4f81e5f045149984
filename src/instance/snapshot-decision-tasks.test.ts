import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../test/harness/service.ts'
import { type Person, signIn } from '../../test/harness/sign-in.ts'
import { findStream, type Stream, syncRegister } from '../registers/index.ts'
import { fileOfBytes } from '../registers/source/file-of-bytes.ts'
import { snapshotDecisionTasks } from './snapshot-decision-tasks.ts'

const path = '/dashboard/staff/snapshots'
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

let service: TestService
let staff: Person

beforeAll(async () => {
  service = await startService()
  staff = await signIn(service, { isStaff: true })
})
afterAll(() => service.close())

/** A list of these hosts, much shorter than the real one. */
async function sync(number: number, from: number, to: number) {
  const stream = { ...(findStream('estonia.blocklist') as Stream), rowsMin: 1 }
  const hosts = Array.from({ length: to - from }, (_, index) => `n${from + index}.example`)
  const options = { takenAt: day(number), now: day(number) }
  const file = fileOfBytes('list.txt', hosts.join('\n'))
  return syncRegister(service.service.live, stream, [file], options)
}

const listed = async () => (await staff.read(path)).body.data.snapshots

/** As a worker does with each decision that was queued. */
async function work(): Promise<{ failure: string | null }[]> {
  const { live: world, log } = service.service
  const [task] = snapshotDecisionTasks({ now: () => day(9) })
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

test('an approval that came too late changes nothing, and its reason is stored', async () => {
  const { snapshot_ref: ref } = await sync(3, 205, 210)
  expect((await staff.post(`${path}/${ref}/approve`, { reason: 'It is right' })).status).toBe(303)
  expect(await sync(4, 160, 211)).toMatchObject({ status: 'applied' })
  const [, late] = await work()
  expect(late?.failure).toContain(`${ref} does not await approval`)
  expect((await listed())[0]).toMatchObject({ rows: 51 })
})
