import { readDomain } from '@baize/names'
import { fetchPage, type NetworkSettings, resolveRecords, type Turns } from '@baize/outbound'
import type { Renderer } from '@baize/renderer'
import { type Capture, openPageReader, type PageReader } from '@baize/site-reader'
import type { LookTools } from './look-at-site.ts'
import { lookUpDns } from './look-up-dns.ts'
import { type AskForDocument, RdapBootstrap } from './rdap/bootstrap.ts'
import { queryRdap, type RdapTools } from './rdap/query-rdap.ts'

export type LookSettings = {
  network: NetworkSettings
  /** The user agent, such as `Baize/<version> (+<url>)`. */
  userAgent: string
  rdap: RdapBootstrap
  /** Null where pages are not rendered. */
  renderer: Renderer | null
}

type BootstrapSettings = Pick<LookSettings, 'network' | 'userAgent'> & {
  source: string | null
  now: () => Date
}

/**
 * Opens the list of RDAP servers of a process. `refreshes` fetches a new list from IANA daily; a command
 * uses the shipped one.
 */
export function openRdapBootstrap(
  { network, userAgent, source, now }: BootstrapSettings,
  { refreshes }: { refreshes: boolean },
): RdapBootstrap {
  const signal = new AbortController().signal
  const ask: AskForDocument = (url, limits) =>
    fetchPage({ url, userAgent, accept: 'application/json', ...limits, signal }, network)
  return new RdapBootstrap({ source, ask: refreshes || source !== null ? ask : null, now })
}

type Visiting = Turns & Pick<RdapTools, 'now' | 'signal'>

/** Returns the tools of a visit: this machine's network, and the given turns. */
export function openVisitTools(settings: LookSettings, visiting: Visiting): LookTools {
  const { network, userAgent, rdap, renderer } = settings
  const { takeTurn, deferTurns, now, signal } = visiting
  const reader = openPageReader(signal)
  const tools = {
    fetchPage: (url: string, limits: { timeoutMs: number; bytesMax: number; accept?: string }) =>
      fetchPage({ url, userAgent, ...limits, signal }, network),
    takeTurn,
    now,
    signal,
  }
  return {
    ...tools,
    lookUpDns: domain => lookUpDns(domain, (name, type) => resolveRecords(network, name, type), now),
    queryRdap: domain => queryRdap(domain, { ...tools, serversOf: name => rdap.serversOf(name), deferTurns }),
    reader,
    choosePages: async page => (await readingOf(page, reader))?.pagesToRead ?? [],
    isShell: async page => (await readingOf(page, reader))?.isShell ?? false,
    render: renderer === null ? undefined : request => renderer.render({ ...request, lane: 'check', signal }),
  }
}

async function readingOf({ url, finalUrl, status, headers, body }: Capture, { readPage }: PageReader) {
  const pageUrl = finalUrl ?? url
  const site = readDomain(URL.parse(pageUrl)?.hostname ?? '')
  if (!site.ok || body === null || status === null) return null
  return readPage({ url: pageUrl, status, headers, body }, site.domain)
}
