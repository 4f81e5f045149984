/** Fetches from servers that do not send the intermediate certificate of their chain. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDirectory } from '../../test/harness/directory.ts'
import { startDnsServer } from '../../test/small-internet/dns-server.ts'
import { publicAddress } from '../../test/small-internet/scenario.ts'
import { fetchFile } from './fetch-file.ts'
import { networkAllowing } from './fixture.ts'
import type { NetworkSettings } from './network-settings.ts'

const hosts = ['regulator.example', 'elsewhere.example', 'otherwise.example']
let directory: Awaited<ReturnType<typeof createTestDirectory>>
let dns: Awaited<ReturnType<typeof startDnsServer>>
let server: Server
let network: NetworkSettings
let intermediate: string

beforeAll(async () => {
  directory = await createTestDirectory()
  const at = (name: string) => join(directory.path, name)
  await writeFile(at('request.cnf'), '[req]\ndistinguished_name = name\n[name]\n')
  const issue = (name: string, extension: string, issuer: string[]) =>
    promisify(execFile)(
      'openssl',
      [
        ...['req', '-x509', '-config', 'request.cnf', '-nodes', '-newkey', 'ec'],
        ...['-pkeyopt', 'ec_paramgen_curve:prime256v1', '-subj', `/CN=${name}`, '-addext', extension],
        ...['-keyout', `${name}.key`, '-out', `${name}.pem`, ...issuer],
      ],
      { cwd: directory.path },
    )
  const by = (name: string) => ['-CA', `${name}.pem`, '-CAkey', `${name}.key`]
  await issue('root', 'basicConstraints=critical,CA:true', [])
  await issue('intermediate', 'basicConstraints=critical,CA:true', by('root'))
  await issue('site', 'subjectAltName=DNS:regulator.example,DNS:elsewhere.example', by('intermediate'))
  intermediate = await readFile(at('intermediate.pem'), 'utf8')
  dns = await startDnsServer(new Map(hosts.map(host => [host, { A: [publicAddress] }])))
  server = createServer(
    { key: await readFile(at('site.key')), cert: await readFile(at('site.pem')) },
    ({ url }, response) => {
      if (url === '/moved') response.writeHead(302, { location: 'https://elsewhere.example/list' }).end()
      else response.end('list')
    },
  )
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  network = {
    ...networkAllowing(),
    caFile: at('root.pem'),
    dnsServers: [`127.0.0.1:${dns.port}`],
    connectTo: [{ host: null, port: 443, toHost: '127.0.0.1', toPort: port }],
  }
})
afterAll(async () => {
  await new Promise(closed => server.close(closed))
  await dns.close()
  await directory.remove()
})

async function outcomeOf(url: string, settings: NetworkSettings, extraCa?: string): Promise<string> {
  try {
    const limits = { bytesMax: 1_000, timeoutMs: 5_000 }
    const outcome = await fetchFile({ url, network: settings, ...limits, extraCa })
    if (outcome.status === 'fetched') await outcome.file.dispose()
    return outcome.status
  } catch (error) {
    return (error as Error).message
  }
}

const address = 'https://regulator.example/list'

test('a chain without its intermediate certificate is completed by the given one', async () => {
  expect(await outcomeOf(address, network)).toMatch(/no trusted certificate/)
  expect(await outcomeOf(address, network, intermediate)).toBe('fetched')
})

test('a given intermediate certificate is worth nothing without a trusted root', async () => {
  const settings = { ...network, caFile: null }
  expect(await outcomeOf(address, settings, intermediate)).toMatch(/no trusted certificate/)
})

test('a given certificate does not excuse the name of another host', async () => {
  const other = 'https://otherwise.example/list'
  expect(await outcomeOf(other, network, intermediate)).toMatch(/no trusted certificate/)
})

test('a given certificate is trusted at the host of the address, and not at that of a redirect', async () => {
  expect(await outcomeOf('https://elsewhere.example/list', network, intermediate)).toBe('fetched')
  expect(await outcomeOf('https://regulator.example/moved', network, intermediate)).toMatch(
    /elsewhere\.example\/list has no trusted certificate/,
  )
})
