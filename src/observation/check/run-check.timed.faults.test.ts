import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startChild } from '../../../test/harness/child.ts'
import { withClient } from '../../../test/harness/client.ts'
import { createTestDirectory } from '../../../test/harness/directory.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { startProgram } from '../../../test/harness/program.ts'
import { loadScenarios, publicAddress, type Scenario } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { takeTurn } from '../../database/turns-store.ts'
import { lockFacts } from '../../journal/index.ts'
import { sweepBodies } from './capture-bodies.ts'
import { siteOutcome } from './fixture.ts'

const scenarios = loadScenarios()
const [launching] = scenarios.filter(each => each.domain === 'amberheron.example') as [Scenario]
/** This site does not answer until a test changes that. */
const stalled: Scenario = {
  ...launching,
  domain: 'stalled.example',
  dns: { 'stalled.example': { A: [publicAddress] } },
  responses: { '/': { hangs: true } },
}
const slow = scenarios.filter(each => each.slow)
/** The site needs one request, so that a check waits only for its first turn. */
const { domain } = launching
const included = 6
const refreshed = 10

let service: CheckingService

beforeAll(async () => {
  service = await startCheckingService([...scenarios, stalled])
  // The first worker creates the queue.
  await withWorker(async () => {})
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

async function withWorker<Result>(run: () => Promise<Result>): Promise<Result> {
  const worker = await service.startWorker()
  try {
    return await run()
  } finally {
    await worker.stop()
  }
}

const openCheck = async () => {
  const isOpen = async () => (await service.checksOf(domain)).at(-1)?.state === 'queued'
  await eventually('a check is queued', isOpen)
  return (await service.checksOf(domain)).at(-1)?.id ?? 0
}

describe('the check of a slow site', () => {
  test('a check of a slow site ends in time, and never calls it absent, live or unlaunched', async () => {
    await withWorker(() => Promise.all(slow.map(each => service.check(each))))
    for (const scenario of slow) {
      const { expected, seen } = await siteOutcome(service, scenario)
      expect({ domain: scenario.domain, ...seen }).toEqual({ domain: scenario.domain, ...expected })
    }
  })
})

describe('a killed worker', () => {
  /** Runs one check in a child process that is killed at a moment. Then another worker finishes it. */
  async function killAt(moment: number) {
    const customer = await service.customer({ credits: 100 })
    const checksBefore = (await service.checksOf(domain)).length
    const asked = service.resolve(customer, domain)
    const child = startChild<{ moments: string[] }>(
      '../small-internet/check-until-killed.ts',
      JSON.stringify(service.database.connection),
      JSON.stringify(service.internet.environment),
      service.folder,
      String(await openCheck()),
      String(moment),
    )
    const ended = await child.hello.catch((error: Error) => error.message)
    const { body } = await withWorker(() => asked)
    const account = (await customer.ask('/v1/account')).body.data
    expect({ moment, checks: (await service.checksOf(domain)).length - checksBefore }).toEqual({
      moment,
      checks: 1,
    })
    expect(body.data.billing.refresh).toEqual({ status: 'charged', credits: refreshed })
    expect(account).toMatchObject({ credits_used: included + refreshed, credits_reserved: 0 })
    expect(body.data.observations.operator_launch_profile.launch.status).toBe('launching')
    return ended
  }

  test('a check whose worker is killed in any phase is finished by another, and charged once', async () => {
    const whole = await killAt(0)
    const moments = typeof whole === 'string' ? [] : whole.moments
    expect(moments.length).toBeGreaterThan(40)
    const phases = ['before a statement', 'before a request', 'after a request', 'after a file']
    const ofPhases = phases.flatMap(phase => [moments.indexOf(phase) + 1, moments.lastIndexOf(phase) + 1])
    const ends = [moments.length - 1, moments.length]
    const some = [0.6, 0.7, 0.8, 0.9].map(share => Math.floor(moments.length * share))
    for (const moment of new Set([...ofPhases, ...some, ...ends]))
      expect(await killAt(moment)).toMatch(/ended without output\. $/)
  })
})

test('a check whose worker is killed while the site answers is repeated by the next worker', async () => {
  const customer = await service.customer({ credits: 100 })
  const directory = await createTestDirectory()
  const environment = {
    ...service.internet.environment,
    DATABASE_URL: service.database.url,
    DATA_DIR: directory.path,
    FILES_URL: service.folder,
  }
  const asked = service.resolve(customer, stalled.domain)
  const worker = startProgram('work', [], environment)
  await eventually('the site is asked', () => service.internet.requestsTo(stalled.domain).length === 1)
  await worker.kill()
  stalled.responses = launching.responses
  const { body } = await withWorker(() => asked)
  await directory.remove()
  expect(await service.checksOf(stalled.domain)).toMatchObject([{ state: 'completed', attempts: 2 }])
  expect(body.data.billing.refresh).toEqual({ status: 'charged', credits: refreshed })
})

describe('a check while the database fails', () => {
  test('a check during which the database fails is completed later, and charged once', async () => {
    const { database } = service.service.live
    const customer = await service.customer({ credits: 100 })
    const { answer, attempts } = await withWorker(async () => {
      const waiting = Promise.withResolvers<void>()
      // The worker stores nothing before this lock is free.
      const locked = database.transaction().execute(async tx => {
        await lockFacts(tx)
        await waiting.promise
      })
      const asked = service.resolve(customer, domain)
      await eventually('the worker waits', async () => (await waitingForLock()) > 0)
      await disconnectAll()
      waiting.resolve()
      await expect(locked).rejects.toThrow()
      return { answer: await asked, attempts: (await service.checksOf(domain)).at(-1)?.attempts }
    })
    expect(attempts).toBe(2)
    expect(answer.body.data.billing.refresh).toEqual({ status: 'charged', credits: refreshed })
    const account = (await customer.ask('/v1/account')).body.data
    expect(account).toMatchObject({ credits_used: included + refreshed, credits_reserved: 0 })
  })

  const waitingForLock = () =>
    withClient(service.database.connection, async client => {
      const { rows } = await client.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.length
    })

  const disconnectAll = () =>
    withClient(service.database.connection, client =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    )
})

test('a check waits for a register sync to commit, and does not request its site again', async () => {
  const { database } = service.service.live
  const customer = await service.customer({ credits: 100 })
  const requestsBefore = service.internet.requestsTo(domain).length
  const locked = Promise.withResolvers<void>()
  const synced = Promise.withResolvers<void>()
  const sync = database.transaction().execute(async tx => {
    await lockFacts(tx)
    locked.resolve()
    await synced.promise
  })
  await locked.promise
  const asked = service.resolve(customer, domain)
  await withWorker(async () => {
    await eventually('it has waited longer than other statements may', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
           and query_start < clock_timestamp() - interval '4 seconds'`.execute(database)
      return rows.length > 0
    })
    synced.resolve()
    await sync
    expect((await asked).body.data.billing.refresh).toEqual({ status: 'charged', credits: refreshed })
  })
  expect((await service.checksOf(domain)).at(-1)).toMatchObject({ state: 'completed', attempts: 1 })
  expect(service.internet.requestsTo(domain)).toHaveLength(requestsBefore + 1)
})

test('a client that disconnects pays for the check, and not for the verdict', async () => {
  const customer = await service.customer({ credits: 100 })
  const leaving = new AbortController()
  const url = `${service.url}/v1/domains/resolve?domain=${domain}&max_age_days=0&include[]=geo`
  const asked = fetch(url, { headers: { 'x-api-key': customer.key }, signal: leaving.signal })
  const check = await openCheck()
  leaving.abort()
  await expect(asked).rejects.toThrow()
  const account = async () => (await customer.ask('/v1/account')).body.data
  await withWorker(() =>
    eventually('nothing is reserved', async () => {
      const { credits_used: used, credits_reserved: reserved } = await account()
      return used === refreshed && reserved === 0
    }),
  )
  expect((await service.checksOf(domain)).at(-1)).toMatchObject({ id: check, state: 'completed' })
})

test('50 requests of two accounts for one domain make one check and one charge', async () => {
  const [one, other] = [await service.customer({ credits: 900 }), await service.customer({ credits: 900 })]
  const checksBefore = (await service.checksOf(domain)).length
  const asked = Array.from({ length: 50 }, (_, index) =>
    service.resolve(index % 2 === 0 ? one : other, domain),
  )
  await openCheck()
  const answers = await withWorker(() => Promise.all(asked))
  expect(await service.checksOf(domain)).toHaveLength(checksBefore + 1)
  const refreshes = answers.map(({ body }) => body.data.billing.refresh?.credits ?? 0)
  expect(refreshes.toSorted((a, b) => b - a).slice(0, 2)).toEqual([refreshed, 0])
})

test("checks of 10,000 domains at one registrar respect the registrar's request rate", async () => {
  const { database } = service.service.live
  const started = Date.now()
  const waits: number[] = []
  for (let place = 0; place < 10_000; place += 500) {
    const turns = Array.from({ length: 500 }, () =>
      takeTurn(database, 'rdap.registrar.example', { gapMs: 1_000, waitMsMax: 1e9 }),
    )
    const since = Date.now() - started
    waits.push(...(await Promise.all(turns)).map(wait => (wait ?? 0) + since))
  }
  const startsAt = waits.toSorted((one, other) => one - other)
  expect(startsAt.at(-1)).toBeGreaterThanOrEqual(9_999_000 - 5_000)
  // No minute has more than 61 requests.
  for (const [index, at] of startsAt.entries())
    expect((startsAt[index + 61] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(55_000)
  // A check that would wait longer than it lasts sends no request and reserves no turn.
  const late = Array.from({ length: 100 }, () =>
    takeTurn(database, 'rdap.registrar.example', { gapMs: 1_000, waitMsMax: 15_000 }),
  )
  expect(new Set(await Promise.all(late))).toEqual(new Set([null]))
})

test('stored bodies of interrupted checks are removed', async () => {
  const { database } = service.service.live
  const later = new Date(Date.now() + 2 * 60 * 60_000)
  await sweepBodies(database, service.files, later)
  const { rows } = await sql<{ bodies: number }>`
    select count(distinct body_hash) as bodies from site_captures`.execute(database)
  let stored = 0
  for await (const _ of service.files.list('captures')) stored += 1
  expect(stored).toBe(rows[0]?.bodies)
})
