import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { findRunning } from '@baize/data-directory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionTo } from '../src/instance/index.ts'
import { withClient } from './harness/client.ts'
import { runCommandHere } from './harness/command.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { killServersBelow, processesAreVisible, serversBelow } from './harness/processes.ts'
import { type Instance, startInstance } from './harness/program.ts'

// Tests a service whose embedded PostgreSQL is killed. With `npm start` only the service can start it
// again.

/** Twenty attempts to start take half a minute, with their waits. */
const loops = 8
const kills = ['the server', 'a connection', 'the server', 'the server', 'a connection'] as const

type Answer = { status: number; retryAfter: string | null; isReplay: boolean }

describe.skipIf(!processesAreVisible)('a killed embedded PostgreSQL (these tests run in order)', () => {
  let directory: TestDirectory
  let instance: Instance
  let key = ''
  const charged: string[] = []

  const start = () => startInstance('start', { DATA_DIR: directory.path, LOG_LEVEL: 'warn' })
  const isReady = async () => (await fetch(`${instance.url}/readyz`)).ok

  beforeAll(async () => {
    directory = await createTestDirectory()
    instance = await start()
    const account = await baize(
      'account',
      'create',
      '--name',
      'K',
      '--plan',
      'growth',
      '--credits',
      '1000000',
    )
    key = (await baize('key', 'create', account.account_ref)).api_key
    await baize('import', 'demo/domains.ndjson', '--skip-invalid')
  })
  afterAll(async () => {
    await instance?.kill()
    await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
    await directory?.remove()
  })

  async function baize(...args: string[]) {
    const { code, stdout, stderr } = await runCommandHere([...args, '--json'], { DATA_DIR: directory.path })
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(`${instance.url}${path}`, { ...init, headers: { 'x-api-key': key, ...headers } })

  async function verdict(name: string): Promise<Answer> {
    const answer = await ask(`/v1/domains/resolve?domain=${name}.example`, { 'idempotency-key': name })
    await answer.text()
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      isReplay: answer.headers.get('idempotency-replayed') === 'true',
    }
  }

  async function creditsUsed(): Promise<number> {
    return ((await (await ask('/v1/account')).json()) as { data: { credits_used: number } }).data.credits_used
  }

  async function kill(what: (typeof kills)[number]): Promise<void> {
    if (what === 'the server') process.kill(await postmaster(), 'SIGKILL')
    else {
      const rows = await askServer(
        `select pid from pg_stat_activity where application_name = 'baize public' limit 1`,
      )
      process.kill(rows[0].pid, 'SIGKILL')
    }
  }

  async function askServer(statement: string) {
    const running = await findRunning(directory.path)
    if (running === null) throw new Error('the service has ended')
    return withClient(connectionTo(running.database), async client => (await client.query(statement)).rows)
  }

  async function postmaster(): Promise<number> {
    const rows = await askServer(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`)
    return rows[0].pid
  }

  /** Returns false while no server answers. */
  const runsInsteadOf = (pid: number) =>
    postmaster().then(
      now => now !== pid,
      () => false,
    )

  test('a PostgreSQL killed under load is started again, and no charge is lost or doubled', async () => {
    const sent: string[] = []
    const answered = new Set<string>()
    let over = false
    const load = Promise.all(
      Array.from({ length: loops }, async () => {
        while (!over) {
          const name = `killed-${sent.length}`
          sent.push(name)
          const { status, retryAfter, isReplay } = await verdict(name)
          expect([200, 503]).toContain(status)
          if (status === 200) {
            expect(isReplay).toBe(false)
            answered.add(name)
          } else {
            expect(retryAfter).toMatch(/^[1-9]\d*$/)
          }
        }
      }),
    )
    load.catch(() => {}) // The error is handled where the promise is awaited.
    for (const what of kills) {
      const before = answered.size
      await eventually('charges flow', () => answered.size > before + 50)
      const server = await postmaster()
      await kill(what)
      // No request needs to be refused: all may be settling, which is repeated until the server is back.
      if (what === 'the server') await eventually('another server runs', () => runsInsteadOf(server))
      await eventually('it is ready again', isReady)
    }
    const last = answered.size
    await eventually('charges flow again', () => answered.size > last + 50)
    over = true
    await load

    for (const name of sent) {
      const { status, isReplay } = await verdict(name)
      expect(status).toBe(200)
      if (answered.has(name)) expect(isReplay).toBe(true)
    }
    charged.push(...sent)
    expect(await creditsUsed()).toBe(charged.length)
    expect(await baize('verify')).toMatchObject({ ok: true })
    expect(instance.stderr()).toBe('')
  })

  test('an export is written after PostgreSQL was killed, because its job is repeated', async () => {
    const queued = await ask(
      '/v1/exports',
      { 'content-type': 'application/json' },
      { method: 'POST', body: '{}' },
    )
    expect(queued.status).toBe(202)
    const { data } = (await queued.json()) as { data: { export_id: string } }
    await eventually('the export is complete', async () => {
      const shown = (await (await ask(`/v1/exports/${data.export_id}`)).json()) as {
        data?: { status: string }
      }
      return shown.data?.status === 'completed'
    })
  })

  test('SIGTERM while PostgreSQL is started again ends all processes with exit code 0', async () => {
    await kill('the server')
    await eventually('it is not ready', async () => !(await isReady()))
    instance.signal('SIGTERM')
    expect((await instance.ended).code).toBe(0)
    await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
    expect(await findRunning(directory.path)).toBeNull()
  })

  test('a database that cannot be started again ends the process with 1 and the reason', async () => {
    instance = await start()
    const used = await creditsUsed()
    const [control, hidden] = ['pg_control', 'pg_control.hidden'].map(name =>
      join(directory.path, 'postgres', 'global', name),
    ) as [string, string]
    await rename(control, hidden)
    await killServersBelow(directory.path)
    const { code, stdout, stderr } = await instance.ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/It was started again 20 times within 600 seconds\./)
    await rename(hidden, control)
    instance = await start()
    expect(await creditsUsed()).toBe(used)
  })
})
