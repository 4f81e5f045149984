import { readDomain } from '@baize/names'
import type { NetworkSettings } from '@baize/outbound'
import { fetchPage, resolveRecords } from '@baize/outbound'
import type { Renderer } from '@baize/renderer'
import { type Capture, openPageReader, type PageReader } from '@baize/site-reader'
import type { Database } from '../../database/open.ts'
import { deferTurns, takeTurn } from '../../database/turns-store.ts'
import type { LookTools } from './look-at-site.ts'
import { lookUpDns } from './look-up-dns.ts'
import { type AskForDocument, RdapBootstrap } from './rdap/bootstrap.ts'
import { queryRdap } from './rdap/query-rdap.ts'

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

type Looking = { database: Database; now: () => Date; signal: AbortSignal }

/** Returns the tools of a check: this machine's network, and the turns that all processes share. */
export function openLookTools(settings: LookSettings, looking: Looking): LookTools {
  const { network, userAgent, rdap, renderer } = settings
  const { database, now, signal } = looking
  const reader = openPageReader(signal)
  const tools = {
    fetchPage: (url: string, limits: { timeoutMs: number; bytesMax: number; accept?: string }) =>
      fetchPage({ url, userAgent, ...limits, signal }, network),
    takeTurn: (host: string, gapMs: number, waitMsMax: number) =>
      takeTurn(database, host, { gapMs, waitMsMax }),
    now,
    signal,
  }
  return {
    ...tools,
    lookUpDns: domain => lookUpDns(domain, (name, type) => resolveRecords(network, name, type), now),
    queryRdap: domain =>
      queryRdap(domain, {
        ...tools,
        serversOf: name => rdap.serversOf(name),
        deferTurns: (host, ms) => deferTurns(database, host, ms),
      }),
    reader,
    choosePages: async page => (await readingOf(page, reader))?.pagesToRead ?? [],
    isShell: async page => (await readingOf(page, reader))?.isShell ?? false,
    ...(renderer?.state().state === 'on'
      ? { render: request => renderer.render({ ...request, lane: 'check', signal }) }
      : {}),
  }
}

async function readingOf({ url, finalUrl, status, headers, body }: Capture, { readPage }: PageReader) {
  const pageUrl = finalUrl ?? url
  const site = readDomain(URL.parse(pageUrl)?.hostname ?? '')
  if (!site.ok || body === null || status === null) return null
  return readPage({ url: pageUrl, status, headers, body }, site.domain)
}
