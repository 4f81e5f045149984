import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { findJobs } from '../../jobs/index.ts'
import { type CheckService, createQueue, startCheckService } from './fixture.ts'
import { claimCheck, failLostChecks, finishCheck, startBackgroundCheck } from './index.ts'

let service: CheckService
let customer: Customer
let now = new Date('2026-11-20T08:00:00Z')

beforeAll(async () => {
  service = await startCheckService({ now: () => now })
  await createQueue(service)
})
beforeEach(async () => {
  customer = await service.customer({ credits: 10 })
})
afterEach(async () => {
  await service.end()
  await service.expectConsistentBooks()
})
afterAll(() => service.close())

let sites = 0
const database = () => service.service.live.database
function transaction<Result>(work: (tx: Parameters<typeof finishCheck>[0]) => Promise<Result>) {
  return database().transaction().execute(work)
}
const spent = async () => {
  const { credits_used: used, credits_reserved: reserved } = await service.account(customer)
  return { used, reserved }
}

/** Starts a check of a new site, and claims it as a worker. */
async function claimed() {
  const domain = `finished${++sites}.example`
  await service.enrich(customer, { domain })
  const [check] = await service.open()
  const claim = () => claimCheck(database(), check?.checkId as number, now)
  const first = await claim()
  if (first === null) throw new Error('the check is finished already')
  return { check: first, claim }
}

const completed = { failure: null, readingId: null, now: new Date('2026-11-20T08:00:00Z') }

describe('the end of a check', () => {
  test('a check that two workers run is finished and charged by one of them only', async () => {
    const { check, claim } = await claimed()
    const again = await claim()
    expect([check.attempt, again?.attempt]).toEqual([1, 2])
    await transaction(tx => finishCheck(tx, check, completed))
    await expect(transaction(tx => finishCheck(tx, check, completed))).rejects.toThrow('another worker')
    expect(await claim()).toBeNull()
    expect(await spent()).toEqual({ used: 10, reserved: 0 })
  })

  test('a check whose findings cannot be stored stays open, with its reservation', async () => {
    const { check } = await claimed()
    const apply = () => Promise.reject(new Error('the disk is full'))
    await expect(transaction(tx => finishCheck(tx, check, { ...completed, apply }))).rejects.toThrow('disk')
    expect(await service.open()).toMatchObject([{ checkId: check.checkId }])
    expect(await spent()).toEqual({ used: 0, reserved: 10 })
  })

  test('a background check charges no account', async () => {
    const asked = { domain: 'background.example', askedBy: 'refresh', now } as const
    const started = await transaction(tx => startBackgroundCheck(tx, asked))
    const check = await claimCheck(database(), started?.checkId as number, now)
    expect(check && (await transaction(tx => finishCheck(tx, check, completed)))).toEqual({
      creditsCharged: 0,
    })
  })
})

describe('failLostChecks', () => {
  const tend = () => failLostChecks(database(), findJobs, now)
  const jobsOf = (domain: string) => findJobs(database(), [`check:${domain}`])
  const loseJob = () =>
    sql`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(database())

  test('failLostChecks ignores a check whose job is waiting', async () => {
    await claimed()
    expect(await tend()).toEqual([])
    await service.open()
  })

  test('failLostChecks queues a check whose job is missing, and fails it after 5 attempts', async () => {
    const { check, claim } = await claimed()
    for (let attempt = 1; attempt < 5; attempt++) {
      await loseJob()
      expect(await tend()).toEqual([])
      expect(await jobsOf(check.domain)).toMatchObject([{ state: 'waiting' }])
      await claim()
    }
    await loseJob()
    expect(await tend()).toMatchObject([{ checkId: check.checkId }])
    expect(await jobsOf(check.domain)).toEqual([])
    expect(await spent()).toEqual({ used: 0, reserved: 0 })
  })

  test('failLostChecks fails a check whose job has failed, and the site can be checked again', async () => {
    const { check } = await claimed()
    await sql`
      select graphile_worker.permanently_fail_jobs(
               array(select id from graphile_worker.jobs), 'out of memory')`.execute(database())
    expect(await tend()).toEqual([{ checkId: check.checkId, failure: 'out of memory' }])
    await service.open(0)
    expect(await spent()).toEqual({ used: 0, reserved: 0 })
    now = new Date(now.getTime() + 5 * 60_000)
    await service.enrich(customer, { domain: check.domain })
    expect(await jobsOf(check.domain)).toMatchObject([{ state: 'waiting', last_error: null }])
    expect(await tend()).toEqual([])
    await service.open()
  })
})
