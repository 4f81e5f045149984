import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
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
      for (const [index, listener] of listeners.entries()) {
        const server = createServer(listener)
        const port = Number(addresses[index]?.split(':')[1])
        await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
        servers.push(server)
      }
    }

    async function ask(path: string) {
      const answer = await fetch(`${url}${path}`)
      const { headers } = answer
      return {
        status: answer.status,
        type: headers.get('content-type'),
        retryAfter: headers.get('retry-after'),
        body: await answer.text(),
      }
    }

    const eventuallyAnswers = (path: string, text: string) =>
      eventually(`${path} answers ${text}`, async () => {
        const answer = await ask(path).catch(() => null)
        return answer?.body.includes(text) ? answer : null
      })

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
      await eventuallyAnswers('/v1/account', 'true')
      for (let request = 0; request < 20; request++)
        expect(await ask('/v1/account')).toMatchObject({ status: 200 })
    })

    test('while no process is ready, the 503 of one of them reaches the client', async () => {
      await serve(unready, unready)
      expect(await eventuallyAnswers('/v1/account', 'the process')).toMatchObject({
        status: 503,
        retryAfter: '7',
      })
    })

    test('while no process listens, the client gets JSON 503 with Retry-After', async () => {
      const message = 'The service is unavailable; try again.'
      expect(await eventuallyAnswers('/v1/account', message)).toEqual(itself(503, message))
    })

    test('an answer that breaks off before it began is JSON 502 with Retry-After', async () => {
      const broken = unlessHealthCheck(request => request.socket.destroy())
      await serve(broken, broken)
      const message = 'The service did not answer; repeat the request with its Idempotency-Key.'
      expect(await eventuallyAnswers('/v1/account', message)).toEqual(itself(502, message))
    })

    test('a process that does not answer in time gives JSON 504 with Retry-After', async () => {
      const silent = unlessHealthCheck(() => {})
      await serve(silent, silent)
      const message = 'The service did not answer in time; repeat the request with its Idempotency-Key.'
      expect(await eventuallyAnswers('/v1/account', message)).toEqual(itself(504, message))
    })

    test.each(['/metrics', '/metrics/', '/%6detrics', '/metrics?x=1'])('%s is not shown', async path => {
      await serve(ready, ready)
      await eventuallyAnswers('/v1/account', 'true')
      expect(await ask(path)).toMatchObject({ status: 404 })
    })
  },
)
