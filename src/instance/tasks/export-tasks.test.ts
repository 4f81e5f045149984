import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/harness/eventually.ts'
import { hasObjectStore, startObjectStore } from '../../../test/harness/object-store.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { createLogger } from '../../config/logger.ts'
import { beginAttempt } from '../../features/exports/attempt.ts'
import { type ExportService, startExportService } from '../../features/exports/fixture.ts'
import { createMetrics, type Metrics } from '../../http/health/metrics.ts'
import { addJob, listJobs, startWorker, type Worker } from '../../jobs/index.ts'
import { releaseExpired } from '../../metering/reservations.ts'
import { createWorkMetrics } from '../metrics.ts'
import { exportTasks } from './export-tasks.ts'

let service: ExportService
let customer: Customer
let now = new Date()
let folder: FileStore
const workers: Worker[] = []
let charged: number[] = []
let metrics: Metrics
let workMetrics: ReturnType<typeof createWorkMetrics>

beforeAll(async () => {
  service = await startExportService({ now: () => now })
  folder = service.store.folder
})
beforeEach(async () => {
  now = new Date()
  service.store.inUse = folder
  charged = []
  metrics = createMetrics()
  workMetrics = createWorkMetrics(metrics)
  customer = await service.customer({ plan: 'starter', credits: 1_000_000 })
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()))
  await service.expectConsistentBooks()
  expect(await storedFiles()).toEqual(await referencedFiles())
})
afterAll(() => service.close())

const world = () => service.service.live

type WorkOptions = { finishWithinMs?: number; sweepEveryMs?: number }

async function work({ sweepEveryMs = 0, ...more }: WorkOptions = {}): Promise<Worker> {
  const worker = await startWorker({
    connection: service.database.connection,
    tasks: exportTasks({
      files: service.service.files,
      logoUrl: 'http://baize.test/logos',
      now: () => now,
      writeRetryAfterMs: 3_600_000,
      sweepEveryMs,
      onCharged: credits => {
        charged.push(credits)
        workMetrics.onCharged(credits)
      },
    }),
    log: createLogger('silent'),
    ...more,
  })
  workers.push(worker)
  return worker
}

async function aMinuteBegins(): Promise<void> {
  const job = { task: 'tend_exports', payload: {}, key: 'a minute', attemptsMax: 1, delayMs: 0 }
  await addJob(world().database, job)
  await eventually('the minute is over', async () =>
    (await listJobs(world().database)).every(each => each.key !== job.key),
  )
}

async function queue(body: object = {}): Promise<number> {
  const queued = await service.post(customer, body)
  expect(queued.status).toBe(202)
  return queued.body.data.export_id
}

const show = (id: number) => customer.ask(`/v1/exports/${id}`)
const completed = (id: number) =>
  eventually(`export ${id} is complete`, async () => {
    const shown = await show(id)
    return shown.status === 200 ? shown.body.data : null
  })
const account = async () => (await customer.ask('/v1/account')).body.data
const jobOf = async (id: number) => (await listJobs(world().database)).find(job => job.key === `export ${id}`)

async function storedFiles(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of folder.list('exports')) names.push(name)
  return names.sort()
}

async function referencedFiles(): Promise<string[]> {
  const { rows } = await sql<{ file_name: string }>`
    select file_name from exports where file_name is not null`.execute(world().database)
  return rows.map(row => row.file_name).sort()
}

async function failsOnce(id: number, attempts = 1): Promise<void> {
  await eventually('it failed once', async () => (await jobOf(id))?.state === 'retrying')
  expect((await show(id)).body.errors.details).toMatchObject({ status: 'queued' })
  await retryNow(id, attempts)
}

async function retryNow(id: number, attempts: number): Promise<void> {
  const job = (await jobOf(id))?.job
  // The job that aMinuteBegins() adds wakes the workers, which then run all due jobs.
  await sql`
    select graphile_worker.reschedule_jobs(array[${job}]::bigint[], run_at := now() - interval '1 minute',
                                           attempts := ${attempts})`.execute(world().database)
  await aMinuteBegins()
}

const fullDisk = () =>
  Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))

describe('workers that write exports (these tests run in order)', () => {
  test('an export that was requested before the queue existed is queued by the first worker', async () => {
    const id = await queue()
    expect((await show(id)).body.errors.code).toBe('export_pending')
    await work()
    await aMinuteBegins()
    expect(await completed(id)).toMatchObject({ status: 'completed' })
  })

  test('an export is queued in the same commit as its request, and starts at once', async () => {
    const id = await queue({ export_format: 'json', fields: ['licenses'] })
    expect(await jobOf(id)).toMatchObject({ task: 'write_export', state: 'waiting', attempts_max: 8 })
    await work()
    const { total_rows: rows, credits_used: credits } = await completed(id)
    expect(JSON.parse((await service.download(customer, id)).text)).toHaveLength(rows)
    await eventually('its job is gone', async () => (await jobOf(id)) === undefined)
    expect(charged).toEqual([credits])
    expect(await metrics.registry.metrics()).toContain(
      `baize_credits_charged_total{operation="create_export"} ${credits}\n`,
    )
  })

  test('two workers together write and charge each of many exports once', async () => {
    await Promise.all([work(), work()])
    const ids = await Promise.all(Array.from({ length: 16 }, () => queue()))
    const records = await Promise.all(ids.map(completed))
    const credits = records.map(record => record.credits_used)
    await eventually('all jobs have ended', async () => (await listJobs(world().database)).length === 0)
    expect(charged).toEqual(credits)
    expect(await account()).toMatchObject({
      credits_used: credits.reduce((sum, each) => sum + each, 0),
      credits_reserved: 0,
    })
  })

  test('an export waits if another export has reserved the balance that it needs', async () => {
    const { quoted_credits: rows } = (await service.post(customer, { max_credits: 0 })).body.errors.details
    customer = await service.customer({ plan: 'starter', credits: 7 * rows })
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    service.store.inUse = {
      ...folder,
      put: async (name, content) => {
        await opened
        return folder.put(name, content)
      },
    }
    const body = { export_format: 'json', fields: ['operator_launch_profile'] }
    const ids = [await queue(body), await queue(body)]
    await work()
    const second = (await eventually('one of them waits', async () => {
      const jobs = await Promise.all(ids.map(jobOf))
      const waits = jobs.findIndex(
        job => job?.state === 'waiting' && job.next_at && job.next_at > job.created_at,
      )
      return jobs.some(job => job?.state === 'running') && waits !== -1 ? ids[waits] : undefined
    })) as number
    expect((await show(second)).body.errors.details).toMatchObject({ status: 'queued' })
    expect(await account()).toMatchObject({ credits_used: 0, credits_reserved: 6 * rows })
    open()
    await completed(ids.find(id => id !== second) as number)
    await retryNow(second, 0)
    for (const id of ids)
      expect(await completed(id)).toMatchObject({
        total_rows: rows,
        credits_used: rows + 5,
        truncated_by: null,
      })
    // One of the rows has an available launch profile.
    expect(await account()).toMatchObject({ credits_used: 2 * (rows + 5), credits_reserved: 0 })
  })

  test('a worker that stops releases the credits of its export, which the next one completes', async () => {
    let begun = false
    service.store.inUse = {
      ...folder,
      // This promise never resolves, like a hanging disk.
      put: () => {
        begun = true
        return new Promise(() => {})
      },
    }
    const first = await work({ finishWithinMs: 50 })
    const id = await queue()
    await eventually('writing has begun', () => begun)
    expect((await account()).credits_reserved).toBeGreaterThan(0)
    expect((await show(id)).body.errors.details).toMatchObject({ status: 'running' })
    await first.stop()
    expect(await account()).toMatchObject({ credits_used: 0, credits_reserved: 0 })
    service.store.inUse = folder
    await work()
    expect(await completed(id)).toMatchObject({ truncated_by: null })
  })

  test('an export on a full disk is retried, and completes when there is space', async () => {
    let attempts = 0
    service.store.inUse = {
      ...folder,
      put: (name, content) => {
        attempts += 1
        return attempts === 1 ? fullDisk() : folder.put(name, content)
      },
    }
    await work()
    const id = await queue()
    await failsOnce(id)
    expect(await completed(id)).toMatchObject({ truncated_by: null })
    expect(attempts).toBe(2)
    expect(charged).toHaveLength(1)
  })

  test('a disk that stays full fails the export, which is reported, listed and not charged', async () => {
    // This store fails after the file is written, so that the last attempt leaves a file for the sweep.
    service.store.inUse = { ...folder, put: (name, content) => folder.put(name, content).then(fullDisk) }
    await work({ sweepEveryMs: 3_600_000 })
    await aMinuteBegins()
    const id = await queue()
    await failsOnce(id, 7)
    await eventually('it has failed', async () => (await jobOf(id))?.state === 'failed')
    await aMinuteBegins()
    const failed = await show(id)
    expect([failed.status, failed.body.errors.code]).toEqual([404, 'export_failed'])
    expect(await account()).toMatchObject({ credits_used: 0, credits_reserved: 0 })
    expect(await jobOf(id)).toMatchObject({ last_error: 'ENOSPC: no space left on device' })
    const { rows } = await sql`select failure from exports where id = ${id}`.execute(world().database)
    expect(rows).toEqual([{ failure: 'ENOSPC: no space left on device' }])
  })

  test('an export that is resumed after a kill uses the credits that were already reserved', async () => {
    customer = await service.customer({ plan: 'starter', credits: 20 })
    const id = await queue()
    // A worker killed while writing leaves this state: running, with reserved credits.
    await beginAttempt(world().database, id, now)
    expect(await account()).toMatchObject({ available_credits: 0, credits_reserved: 20 })
    await work()
    expect(await completed(id)).toMatchObject({ total_rows: 20, truncated_by: 'credits' })
    expect(await account()).toMatchObject({ credits_used: 20, credits_reserved: 0 })
  })

  test('an export whose reservation expires while it is written is retried, and charged once', async () => {
    let attempts = 0
    service.store.inUse = {
      ...folder,
      put: async (name, content) => {
        attempts += 1
        const put = await folder.put(name, content)
        if (attempts === 1) {
          const later = new Date(now.getTime() + 10 * 60_000)
          await releaseExpired(world().database, service.service.settler, later)
          await sql`update account_balances set granted = used + reserved`.execute(world().database)
        }
        return put
      },
    }
    customer = await service.customer({ plan: 'starter', credits: 20 })
    const id = await queue()
    await work()
    await eventually('it failed once', async () => attempts === 1 && (await jobOf(id))?.state === 'retrying')
    expect(await account()).toMatchObject({ credits_used: 0 })
    await restoreGrants()
    await failsOnce(id)
    expect(await completed(id)).toMatchObject({ credits_used: 20 })
    await aMinuteBegins() // The sweep removes the file of the first attempt.
  })

  test('files of expired exports and unreferenced files are removed each minute', async () => {
    await work()
    const id = await queue()
    await completed(id)
    now = new Date(now.getTime() + 25 * 3_600_000)
    await aMinuteBegins()
    expect(await storedFiles()).toEqual([])
    expect((await show(id)).body.errors.code).toBe('export_expired')
  })

  test.skipIf(!hasObjectStore)(
    'an export to an unreachable bucket is retried, then downloaded (skipped without moto_server)',
    async () => {
      const remote = await startObjectStore('baize/')
      try {
        service.store.inUse = openFileStore({ ...remote.place, endpoint: 'http://127.0.0.1:1' })
        await work()
        const id = await queue()
        await eventually('it failed once', async () => (await jobOf(id))?.state === 'retrying')
        expect(await account()).toMatchObject({ credits_used: 0 })
        service.store.inUse = openFileStore(remote.place)
        await failsOnce(id)
        const { bytes, total_rows: rows } = await completed(id)
        const file = await service.download(customer, id)
        expect(Buffer.byteLength(file.text)).toBe(bytes)
        expect(file.text.split('\r\n')).toHaveLength(rows + 2)
        const part = await service.download(customer, id, { range: `bytes=${bytes - 4}-` })
        expect([part.status, part.text]).toEqual([206, file.text.slice(-4)])
        now = new Date(now.getTime() + 25 * 3_600_000)
        await aMinuteBegins()
        for await (const { name } of service.store.inUse.list('exports')) expect(name).toBe('none is left')
      } finally {
        service.store.inUse = folder
        await remote.close()
      }
    },
    30_000,
  )
})

/** Restores the grants, so that balances agree with the ledger at the end of the test. */
async function restoreGrants(): Promise<void> {
  await sql`
    update account_balances balance
       set granted = entries.granted
      from (
        select account_id, sum(credits)
               as granted from ledger_entries where kind = 'grant' group by account_id
      ) entries
     where entries.account_id = balance.account_id and balance.granted is not null`.execute(world().database)
}
