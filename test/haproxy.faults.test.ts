import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { chooseServerUser } from '@baize/embedded-postgres/server-user'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { freePort } from './harness/program.ts'

// Tests cluster/haproxy.cfg before two small servers, where HAProxy is installed.

const program = '/usr/sbin/haproxy'
const isInstalled = spawnSync(program, ['-v']).status === 0
const configuration = new URL('../cluster/haproxy.cfg', import.meta.url)

const ready: RequestListener = (_, response) => response.end('{"success":true}')
const unready: RequestListener = (_, response) =>
  response
    .writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' })
    .end('{"of":"the process"}')
const unlessHealthCheck =
  (listener: RequestListener): RequestListener =>
  (request, response) =>
    (request.url === '/readyz' ? ready : listener)(request, response)

describe.skipIf(!isInstalled)(
  'HAProxy before the API processes (skipped where haproxy is not installed)',
  () => {
    let directory: TestDirectory
    let proxy: ChildProcess
    let url = ''
    let addresses: readonly string[] = []
    let servers: Server[] = []

    beforeAll(async () => {
      directory = await createTestDirectory()
      const own = (await readFile(configuration, 'utf8')).replace('timeout server 330s', 'timeout server 1s')
      expect(own).toContain('timeout server 1s')
      const file = join(directory.path, 'haproxy.cfg')
      await writeFile(file, own, { mode: 0o644 })
      const port = await freePort()
      addresses = [await freeAddress(), await freeAddress()]
      url = `http://127.0.0.1:${port}`
      const nowhere = await freeAddress()
      const { ids } = await chooseServerUser(null)
      proxy = spawn(program, ['-f', file], {
        stdio: 'ignore',
        ...ids,
        env: {
          API_BIND: `127.0.0.1:${port}`,
          API_ONE: addresses[0],
          API_TWO: addresses[1],
          PRIMARY_BIND: await freeAddress(),
          ...Object.fromEntries(
            ['ONE', 'TWO', 'THREE'].flatMap(name => [
              [`PG_${name}`, nowhere],
              [`PG_${name}_HEALTH`, nowhere.split(':')[1]],
            ]),
          ),
        },
      })
      await eventually('HAProxy listens', () => ask('/').catch(() => null))
    })
    afterAll(async () => {
      proxy?.kill('SIGKILL')
      await closeServers()
      await directory?.remove()
    })
    beforeEach(closeServers)

    const freeAddress = async () => `127.0.0.1:${await freePort()}`

    async function closeServers(): Promise<void> {
      for (const each of servers) {
        each.closeAllConnections()
        await new Promise(resolve => each.close(resolve))
      }
      servers = []
    }

    async function serve(...listeners: RequestListener[]): Promise<void> {
      const checks = listeners.map(() => 0)
      for (const [index, listener] of listeners.entries()) {
        const server = createServer((request, response) => {
          if (request.url === '/readyz') checks[index] = (checks[index] ?? 0) + 1
          listener(request, response)
        })
        const port = Number(addresses[index]?.split(':')[1])
        await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
        servers.push(server)
      }
      // HAProxy believes the second check, and has read its answer when it begins the third.
      await eventually('HAProxy knows both', () => checks.every(count => count >= 3))
    }

    /** Opens a connection, because HAProxy ends one that was kept instead of answering 502. */
    async function ask(path: string) {
      const [answer] = (await once(get(`${url}${path}`, { agent: false }), 'response')) as [IncomingMessage]
      const { statusCode: status, headers } = answer
      return {
        status,
        type: headers['content-type'],
        retryAfter: headers['retry-after'],
        body: await text(answer),
      }
    }

    const itself = (status: number, message: string) => ({
      status,
      type: 'application/json',
      retryAfter: '2',
      body: JSON.stringify({
        success: false,
        message,
        errors: { code: 'service_unavailable', details: {} },
      }),
    })

    test('a request goes to the process that is ready', async () => {
      await serve(unready, ready)
      for (let request = 0; request < 20; request++) expect((await ask('/v1/account')).status).toBe(200)
    })

    test('while no process is ready, the 503 of one of them reaches the client', async () => {
      await serve(unready, unready)
      const { status, retryAfter, body } = await ask('/v1/account')
      expect([status, retryAfter, body]).toEqual([503, '7', '{"of":"the process"}'])
    })

    test('while no process listens, the client gets JSON 503 with Retry-After', async () => {
      const message = 'The service is unavailable; try again.'
      expect(await ask('/v1/account')).toEqual(itself(503, message))
    })

    test('an answer that breaks off before it began is JSON 502 with Retry-After', async () => {
      const broken = unlessHealthCheck(request => request.socket.destroy())
      await serve(broken, broken)
      const message = 'The service did not answer; repeat the request with its Idempotency-Key.'
      expect(await ask('/v1/account')).toEqual(itself(502, message))
    })

    test('a process that does not answer in time gives JSON 504 with Retry-After', async () => {
      const silent = unlessHealthCheck(() => {})
      await serve(silent, silent)
      const message = 'The service did not answer in time; repeat the request with its Idempotency-Key.'
      expect(await ask('/v1/account')).toEqual(itself(504, message))
    })

    test('metrics are not shown, however their path is written', async () => {
      await serve(ready, ready)
      for (const path of ['/metrics', '/metrics/', '/%6detrics', '/metrics?x=1'])
        expect([path, (await ask(path)).status]).toEqual([path, 404])
    })
  },
)
