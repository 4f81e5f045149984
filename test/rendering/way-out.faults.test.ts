import { createServer } from 'node:http'
import { openProxy } from '@baize/outbound'
import { openRenderer } from '@baize/renderer'
import { describe, expect, test } from 'vitest'
import { hasChromium } from '../../packages/renderer/fixture.ts'
import { oneWayOut } from '../../packages/renderer/switches.ts'
import { startDnsServer } from '../small-internet/dns-server.ts'
import { publicAddress } from '../small-internet/scenario.ts'
import { attackPage, attackPaths, listenOnLoopback, waysCounted } from './attack.ts'

const names = new Map([
  ['site.example', { A: [publicAddress] }],
  ['private.example', { A: ['127.0.0.1'] }],
  ['changing.example', { A: [publicAddress], later: ['127.0.0.1'] }],
])

/** Renders the attacker's page, and returns what reached this machine besides its page. */
async function attack(withoutSwitches: readonly string[] = []) {
  await using stack = new AsyncDisposableStack()
  const loopback = stack.use(await listenOnLoopback())
  const dns = await startDnsServer(names)
  stack.defer(() => dns.close())
  const page = attackPage(loopback)
  const paths = attackPaths(loopback)
  const site = createServer((request, response) => {
    const { location, html = page } = paths[request.url ?? ''] ?? {}
    if (location !== undefined) response.writeHead(302, { location }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  stack.defer(() => new Promise<void>(resolve => void site.close(() => resolve())))
  stack.defer(() => site.closeAllConnections())
  const { port } = site.address() as { port: number }
  const network = {
    allowedHosts: [],
    dnsServers: [`127.0.0.1:${dns.port}`],
    caFile: null,
    connectTo: [{ host: 'site.example', port: 80, toHost: '127.0.0.1', toPort: port }],
    proxy: null,
  }
  const renderer = openRenderer({
    isOn: true,
    chromiumPath: null,
    hasSandbox: true,
    rendersAtOnce: 1,
    userAgentSuffix: '',
    openProxy: limits => openProxy(network, limits),
    withoutSwitches,
  })
  stack.defer(() => renderer.close())
  const budget = { ms: 20_000, bytes: 15_000_000, requests: 200, waitMs: 0 }
  // Without a proxy, no name is found.
  const host = withoutSwitches.includes(oneWayOut[0]) ? `127.0.0.1:${port}` : 'site.example'
  const { dom, reason } = await renderer.render({ url: `http://${host}/`, lane: 'check', budget })
  return {
    ways: waysCounted(page),
    reached: [...loopback.reached],
    isSeen: dom?.includes('attack') ?? reason,
    dns,
  }
}

describe.skipIf(!hasChromium)("a browser's ways out", () => {
  test('a page that tries to reach this machine in over 30 ways reaches nothing', async () => {
    const { ways, reached, isSeen } = await attack()
    expect(ways).toBeGreaterThan(30)
    expect({ reached, isSeen }).toEqual({ reached: [], isSeen: true })
  })

  test.each(oneWayOut)('without %s a page reaches this machine', async without => {
    expect((await attack([without])).reached).not.toEqual([])
  })
})
