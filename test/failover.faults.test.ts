import { listen } from '@baize/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/config/logger.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import type { OpenedService } from '../src/http/open-service.ts'
import { connectionTo, preparePartitions } from '../src/instance/index.ts'
import { addJob, startWorker, type Worker } from '../src/jobs/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { withClient } from './harness/client.ts'
import { runCommandHere } from './harness/command.ts'
import { eventually } from './harness/eventually.ts'
import { openApi } from './harness/open-api.ts'
import { processesAreVisible } from './harness/processes.ts'
import { change, type StreamingReplica, startStreamingReplica } from './harness/streaming-replica.ts'
import { type Switch, startSwitch } from './harness/switch.ts'

// Tests a service whose primary is lost, and whose standby is promoted, without a restart of the service.

type Answer = { status: number; retryAfter: string | null; isReplay: boolean; code: string | undefined }

type Customer = {
  service: OpenedService
  readiness(): Promise<{ status: number; reason?: string; warning?: string }>
  verdict(name: string): Promise<Answer>
  creditsUsed(): Promise<number | undefined>
  readsFromReplica(): Promise<boolean>
  close(): Promise<void>
}

async function openCustomer(url: string, replicaUrl?: string): Promise<Customer> {
  const { service, address, close } = await openApi(url, replicaUrl)
  await preparePartitions(service.live.database, new Date())
  const account = await createAccount(service.live, { name: 'F', plan: 'growth', creditsGranted: 1_000_000 })
  const { api_key: key } = await createKey(service.live, account.account_ref)
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${address}${path}`, { headers: { 'x-api-key': key, ...headers } })
  return {
    service,
    readiness: async () => {
      const answer = await ask('/readyz')
      return { ...((await answer.json()) as object), status: answer.status }
    },
    verdict: async name => {
      const answer = await ask(`/v1/domains/resolve?domain=${name}.example`, { 'idempotency-key': name })
      const { errors } = (await answer.json()) as { errors?: { code: string } }
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        isReplay: answer.headers.get('idempotency-replayed') === 'true',
        code: errors?.code,
      }
    },
    creditsUsed: async () => {
      const { data } = (await (await ask('/v1/account')).json()) as { data?: { credits_used: number } }
      return data?.credits_used
    },
    readsFromReplica: async () => /^baize_replica_fit 1$/m.test(await (await ask('/metrics')).text()),
    close,
  }
}

const urlOf = ({ primary, replica }: StreamingReplica) =>
  `postgresql://${primary.user}@localhost/${primary.database}?host=${primary.host},${replica.host}&port=5432`

const socketOf = ({ host, port }: { host: string; port: number }) => `${host}/.s.PGSQL.${port}`

const readOnly =
  'the database is read only (a standby, or default_transaction_read_only is on): let DATABASE_URL lead to ' +
  'the primary, or name all servers (postgres://one,two/baize)'

const loops = 8
const leftWithinMs = 90_000

describe.skipIf(!processesAreVisible)('a cluster of two servers in DATABASE_URL (in order)', () => {
  let servers: StreamingReplica
  let customer: Customer
  let worker: Worker
  let done = 0
  const logged: string[] = []
  const log = { info: () => {}, warn: (line: string) => void logged.push(line) }

  beforeAll(async () => {
    servers = await startStreamingReplica()
    customer = await openCustomer(urlOf(servers), urlOf(servers))
    worker = await startWorker({
      connection: connectionTo({ url: urlOf(servers) }, 'primary', log),
      tasks: [{ name: 'count', attemptsMax: 8, retryAfterMs: 1_000, run: async () => void done++ }],
      log: createLogger('silent'),
    })
  })
  afterAll(async () => {
    await worker?.stop()
    await customer?.close()
    await servers?.close()
  })

  test('/readyz warns, with the cure, until a standby is synchronous', async () => {
    const { standbys } = customer.service
    await standbys.check()
    expect(await customer.readiness()).toEqual({
      status: 200,
      warning:
        'no standby is synchronous, so a failover may lose the last charges: set synchronous_standby_names ' +
        '(Patroni: synchronous_mode: true)',
    })
    await eventually('the other server of the URL is read', customer.readsFromReplica)
    await servers.makeSynchronous()
    await standbys.check()
    expect(await customer.readiness()).toEqual({ status: 200 })
  })

  test('a killed primary costs 503 until its standby is promoted, and no charge', async () => {
    const heard: string[] = []
    const listening = listen(connectionTo({ url: urlOf(servers) }), 'failover', {
      onPayload: payload => heard.push(payload),
      onConnected: () => {},
    })
    const sent: string[] = []
    const charged = new Set<string>()
    const refused: Answer[] = []
    let over = false
    const load = Promise.all(
      Array.from({ length: loops }, async () => {
        while (!over) {
          const name = `failover-${sent.length}`
          sent.push(name)
          const answer = await customer.verdict(name)
          if (answer.status === 200) charged.add(name)
          else refused.push(answer)
        }
      }),
    )
    load.catch(() => {}) // The error is handled where the promise is awaited.
    await eventually('charges flow', () => charged.size > 50)
    await servers.killPrimary()
    await eventually('requests are refused', () => refused.length >= loops)
    await eventually('the standby is named', async () => (await customer.readiness()).reason === readOnly)
    const before = charged.size
    await servers.promote()
    await eventually('charges flow again', () => charged.size > before + 50)
    over = true
    await load

    await eventually('it is ready', async () => (await customer.readiness()).status === 200)
    await eventually('no replica is read', async () => !(await customer.readsFromReplica()))
    for (const { status, code, retryAfter } of refused) {
      expect([status, code]).toEqual([503, 'service_unavailable'])
      expect(retryAfter).toMatch(/^[1-9]\d*$/)
    }
    for (const name of sent) {
      const { status, isReplay } = await customer.verdict(name)
      expect(status).toBe(200)
      if (charged.has(name)) expect(isReplay).toBe(true)
    }
    expect(await customer.creditsUsed()).toBe(sent.length)
    expect(await verifyAll(customer.service.live)).toMatchObject({ ok: true })

    const job = { task: 'count', payload: {}, key: 'one', attemptsMax: 8, delayMs: 0 }
    await addJob(customer.service.live.database, job)
    await eventually('the worker has done a job on the new primary', () => done === 1)
    const { host, port } = servers.replica
    expect(logged).toEqual([`the primary is now ${host}:${port}`])
    await eventually('a message is heard from the new primary', async () => {
      await withClient(servers.replica, client => client.query(`notify failover, 'heard'`))
      return heard.includes('heard')
    })
    await listening.close()
  })

  test('a primary that becomes read only is named by /readyz, and charges again afterwards', async () => {
    const name = 'default_transaction_read_only'
    await change(servers.replica, name, 'on')
    let tries = 0
    await eventually('a charge is refused', async () => {
      const { status, retryAfter } = await customer.verdict(`read-only-${tries++}`)
      if (status !== 200) expect([status, retryAfter]).toEqual([503, '2'])
      return status === 503
    })
    expect(await customer.readiness()).toEqual({ status: 503, reason: readOnly })
    const { code, stderr } = await runCommandHere(['verify'], { DATABASE_URL: urlOf(servers) })
    expect([code, stderr]).toEqual([1, `T${readOnly.slice(1)}.\n`])
    await change(servers.replica, name, 'off')
    await eventually('a charge is made', async () => (await customer.verdict('writable')).status === 200)
    await eventually('it is ready', async () => (await customer.readiness()).status === 200)
  })
})

test.skipIf(!processesAreVisible)(
  'behind a switch, an asynchronous standby loses the charges that /readyz warned of, and none doubles',
  async () => {
    const servers = await startStreamingReplica()
    const gate: Switch = await startSwitch(socketOf(servers.primary))
    const { user, database } = servers.primary
    const customer = await openCustomer(`postgresql://${user}@127.0.0.1:${gate.port}/${database}`)
    try {
      await customer.service.standbys.check()
      expect((await customer.readiness()).warning).toMatch(/^no standby is synchronous/)
      const charge = async (names: string[]) => {
        for (const name of names) expect((await customer.verdict(name)).status).toBe(200)
      }
      const stored = ['one', 'two', 'three']
      const lost = ['four', 'five']
      await charge(stored)
      await servers.resume()
      await servers.disconnect()
      expect(await customer.service.standbys.check()).toBe(false)
      expect((await customer.readiness()).warning).toMatch(/^no standby is synchronous/)
      await charge(lost)
      expect(await customer.creditsUsed()).toBe(stored.length + lost.length)
      await servers.killPrimary()
      gate.turnTo(socketOf(servers.replica))
      await eventually('the switch leads to a standby', async () => {
        expect((await customer.verdict('six')).status).toBe(503)
        return (await customer.readiness()).reason === readOnly
      })
      await servers.promote()
      await eventually('it is ready', async () => (await customer.readiness()).status === 200)
      expect(await customer.creditsUsed()).toBe(stored.length)
      for (const name of stored) expect((await customer.verdict(name)).isReplay).toBe(true)
      for (const name of lost) expect((await customer.verdict(name)).isReplay).toBe(false)
      expect(await verifyAll(customer.service.live)).toMatchObject({ ok: true })
    } finally {
      await customer.close()
      await gate.close()
      await servers.close()
    }
  },
)

test.skipIf(!processesAreVisible)(
  'a charge whose commit waits for a lost standby is not reported as absent',
  async () => {
    const servers = await startStreamingReplica()
    const { host, user, database } = servers.primary
    const customer = await openCustomer(`postgresql://${user}@localhost/${database}?host=${host}&port=5432`)
    const { settler, live } = customer.service
    const followUp = () => settler.unknown.followUp(live.database, Date.now() + 15_000)
    try {
      await servers.makeSynchronous()
      await servers.disconnect()
      expect((await customer.verdict('late')).status).toBe(503)
      expect(await followUp()).toEqual([])
      await change(servers.primary, 'synchronous_standby_names', '')
      await eventually('the charge is visible', async () => (await customer.verdict('late')).isReplay)
      expect(await followUp()).toMatchObject([{ stands: true }])
      expect(settler.unknown.counts).toMatchObject({ unknown: 1, stands: 1, absent: 0 })
      expect(await customer.creditsUsed()).toBe(1)
    } finally {
      await customer.close()
      await servers.close()
    }
  },
)

test.skipIf(!processesAreVisible)(
  'a primary that falls silent is left by charges, the queue and its listener',
  async () => {
    const servers = await startStreamingReplica()
    const first = await startSwitch(socketOf(servers.primary))
    const second = await startSwitch(socketOf(servers.replica))
    const { user, database } = servers.primary
    const url = `postgresql://${user}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${database}`
    const customer = await openCustomer(url)
    let done = 0
    const heard: string[] = []
    const logged: string[] = []
    const log = { info: () => {}, warn: (line: string) => void logged.push(line) }
    const connection = connectionTo({ url }, 'primary', log)
    const worker = await startWorker({
      connection,
      tasks: [{ name: 'count', attemptsMax: 8, retryAfterMs: 1_000, run: async () => void done++ }],
      log: createLogger('silent'),
    })
    const listening = listen(connection, 'silence', {
      onPayload: payload => heard.push(payload),
      onConnected: () => {},
    })
    const addOne = (key: string) =>
      withClient(servers.primary, client =>
        client.query(`select graphile_worker.add_job('count', '{}', job_key => $1)`, [key]),
      )
    const isHeard = async () => {
      await withClient(servers.primary, client => client.query(`notify silence, 'heard'`))
      return heard.length > 0
    }
    try {
      expect((await customer.verdict('before')).status).toBe(200)
      await addOne('before')
      await eventually('the worker has done a job', () => done === 1)
      first.silence()
      second.turnTo(socketOf(servers.primary))
      await addOne('after')
      await eventually('the worker has done a job by the other server', () => done === 2, leftWithinMs)
      let tries = 0
      const isCharged = async () => (await customer.verdict(`after-${tries++}`)).status === 200
      await eventually('a charge is made', isCharged, leftWithinMs)
      await eventually('a message is heard', isHeard, leftWithinMs)
      expect(logged).toEqual([`the primary is now 127.0.0.1:${second.port}`])
      expect(await verifyAll(customer.service.live)).toMatchObject({ ok: true })
    } finally {
      await listening.close()
      await worker.stop()
      await customer.close()
      for (const gate of [first, second]) await gate.close()
      await servers.close()
    }
  },
)
