/**
 * Starts a small internet on loopback for tests of site checks: a name server, sites over HTTPS and HTTP,
 * and RDAP. Names resolve to public addresses, which the real code judges. OUTBOUND_CONNECT_TO leads to
 * these servers.
 */
import { writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { join } from 'node:path'
import type { SecureContext } from 'node:tls'
import { createTestDirectory } from '../harness/directory.ts'
import { type Authority, makeAuthority } from './certificates.ts'
import { type Query, startDnsServer } from './dns-server.ts'
import { type NameAnswer, publicAddress, type Scenario, type SiteResponse } from './scenario.ts'
import { sendResponse } from './send-response.ts'

type SiteRequest = { at: number; url: string; host: string; path: string; userAgent: string }

export type SmallInternet = {
  /** The settings DNS_SERVERS, RDAP_BOOTSTRAP, OUTBOUND_CA_FILE and OUTBOUND_CONNECT_TO, without rendering. */
  environment: Record<string, string>
  /** The requests to sites and RDAP servers, in order. */
  requests: SiteRequest[]
  queries: Query[]
  /** Returns requests to a domain and its subdomains, without those to its RDAP server. */
  requestsTo(domain: string): SiteRequest[]
  rdapRequests(domain: string): SiteRequest[]
  close(): Promise<void>
}

const rdapHost = (domain: string) => `rdap.${domain}`
/** No server listens at this port. */
const closedPort = 1
const notFound: SiteResponse = { status: 404, html: '<p>Not found</p>' }

export async function startSmallInternet(scenarios: readonly Scenario[]): Promise<SmallInternet> {
  const directory = await createTestDirectory()
  const authority = await makeAuthority(directory.path)
  const dns = await startDnsServer(namesOf(scenarios))
  const requests: SiteRequest[] = []
  const http = await listen(createHttpServer(answering(scenarios, 'http', requests)))
  const https = await listen(
    createHttpsServer(
      { SNICallback: certificateChooser(scenarios, authority) },
      answering(scenarios, 'https', requests),
    ),
  )
  const bootstrapFile = join(directory.path, 'rdap-bootstrap.json')
  await writeFile(bootstrapFile, JSON.stringify(bootstrapOf(scenarios)))
  const ofDomain = (domain: string) =>
    requests.filter(({ host }) => host === domain || host.endsWith(`.${domain}`))
  return {
    environment: {
      DNS_SERVERS: `127.0.0.1:${dns.port}`,
      RDAP_BOOTSTRAP: bootstrapFile,
      RENDER: 'off',
      OUTBOUND_CA_FILE: authority.file,
      OUTBOUND_CONNECT_TO: [
        ...scenarios.flatMap(refusing),
        `*:443:127.0.0.1:${https.port}`,
        `*:80:127.0.0.1:${http.port}`,
      ].join(','),
    },
    requests,
    queries: dns.queries,
    requestsTo: domain => ofDomain(domain).filter(({ host }) => host !== rdapHost(domain)),
    rdapRequests: domain => requests.filter(({ host }) => host === rdapHost(domain)),
    close: async () => {
      await Promise.all([dns.close(), http.close(), https.close()])
      await directory.remove()
    },
  }
}

function namesOf(scenarios: readonly Scenario[]): Map<string, NameAnswer> {
  const registries = scenarios
    .filter(({ rdap }) => rdap !== null)
    .map(({ domain }): [string, NameAnswer] => [rdapHost(domain), { A: [publicAddress] }])
  return new Map([...scenarios.flatMap(({ dns }) => Object.entries(dns)), ...registries])
}

/** Returns the RDAP bootstrap file (RFC 9224). A domain with its own server is the longest match. */
function bootstrapOf(scenarios: readonly Scenario[]) {
  const served = scenarios.filter(({ rdap }) => rdap !== null)
  return {
    version: '1.0',
    publication: '2026-11-01T00:00:00Z',
    services: served.map(({ domain }) => [[domain], [`https://${rdapHost(domain)}/`]]),
  }
}

function refusing({ domain, refuses }: Scenario): string[] {
  return refuses.flatMap(scheme =>
    [domain, `www.${domain}`].map(name => `${name}:${scheme === 'https' ? 443 : 80}:127.0.0.1:${closedPort}`),
  )
}

/** Returns the scenario of a host, which is its domain or a name below it. */
function scenarioOf(scenarios: readonly Scenario[], host: string): Scenario | undefined {
  return scenarios
    .filter(({ domain, dns }) => host in dns || host === domain || host.endsWith(`.${domain}`))
    .toSorted((one, other) => other.domain.length - one.domain.length)[0]
}

function answering(
  scenarios: readonly Scenario[],
  scheme: 'http' | 'https',
  requests: SiteRequest[],
): RequestListener {
  return (request, response) => {
    const host = (request.headers.host ?? '').toLowerCase()
    const path = request.url ?? '/'
    const url = `${scheme}://${host}${path}`
    const userAgent = request.headers['user-agent'] ?? ''
    const earlier = requests.filter(each => each.url === url).length
    requests.push({ at: Date.now(), url, host, path, userAgent })
    const scenario = scenarioOf(scenarios, host)
    if (scenario === undefined) return sendResponse(response, notFound, host)
    const { domain, responses, rdap } = scenario
    const answer = host === rdapHost(domain) ? rdap : (responses[url] ?? responses[path])
    sendResponse(response, inTurn(answer ?? notFound, earlier), domain)
  }
}

const inTurn = (answer: SiteResponse, earlier: number): SiteResponse =>
  answer.turns?.[Math.min(earlier, answer.turns.length - 1)] ?? answer

type Choose = (name: string, callback: (error: Error | null, context?: SecureContext) => void) => void

function certificateChooser(scenarios: readonly Scenario[], authority: Authority): Choose {
  const issued = new Map<string, Promise<SecureContext>>()
  const choose = (name: string) => {
    const { domain = name, certificate = 'valid' } = scenarioOf(scenarios, name) ?? {}
    const isRegistry = name === rdapHost(domain)
    const names = certificate === 'wrong_name' ? ['another.example'] : [domain, `*.${domain}`]
    const key = isRegistry ? name : domain
    const context =
      issued.get(key) ?? (isRegistry ? authority.issue([name], 'valid') : authority.issue(names, certificate))
    issued.set(key, context)
    return context
  }
  return (name, callback) => {
    choose(name).then(context => callback(null, context), callback)
  }
}

async function listen(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise(closed => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
