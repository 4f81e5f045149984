/**
 * Serves the official sites of registers on loopback, at their official hosts and paths. Their names
 * resolve to public addresses, which the real code judges. OUTBOUND_CONNECT_TO leads to this server.
 */

import { createHash } from 'node:crypto'
import { createServer } from 'node:https'
import type { OfficialAnswer } from '@baize/registers/test/answers/answer'
import { createTestDirectory } from '../harness/directory.ts'
import { makeAuthority } from '../small-internet/certificates.ts'
import { startDnsServer } from '../small-internet/dns-server.ts'
import { publicAddress } from '../small-internet/scenario.ts'

export type OfficialSites = {
  /** The settings DNS_SERVERS, OUTBOUND_CA_FILE and OUTBOUND_CONNECT_TO. */
  environment: Record<string, string>
  requests: { at: number; host: string; url: string; type: string | undefined; status: number }[]
  close(): Promise<void>
}

export async function startOfficialSites(answers: readonly OfficialAnswer[]): Promise<OfficialSites> {
  // Each body is created once, because a workbook that is packed again contains another time.
  const byUrl = new Map(
    answers.map(({ url, type, body }) => [new URL(url).href, { type, body: Buffer.from(body()) }]),
  )
  const hosts = [...new Set([...byUrl.keys()].map(url => new URL(url).hostname))]
  const directory = await createTestDirectory()
  const authority = await makeAuthority(directory.path)
  const dns = await startDnsServer(new Map(hosts.map(host => [host, { A: [publicAddress] }])))
  const context = await authority.issue(hosts, 'valid')
  const requests: OfficialSites['requests'] = []
  const server = createServer(
    { SNICallback: (_name, callback) => callback(null, context) },
    ({ headers, url: path = '/' }, response) => {
      const host = headers.host ?? ''
      const url = `https://${host}${path}`
      const answer = byUrl.get(url)
      const etag = answer && `"${createHash('sha256').update(answer.body).digest('hex').slice(0, 16)}"`
      const status = answer === undefined ? 404 : headers['if-none-match'] === etag ? 304 : 200
      requests.push({ at: Date.now(), host, url, type: answer?.type, status })
      response.writeHead(status, answer === undefined ? {} : { 'content-type': answer.type, etag })
      response.end(status === 200 ? answer?.body : undefined)
    },
  )
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  return {
    environment: {
      DNS_SERVERS: `127.0.0.1:${dns.port}`,
      OUTBOUND_CA_FILE: authority.file,
      OUTBOUND_CONNECT_TO: `*:443:127.0.0.1:${port}`,
    },
    requests,
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await Promise.all([closed, dns.close()])
      await directory.remove()
    },
  }
}
