import type { Capture, DnsAnswers } from './capture.ts'

const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const none = { outcome: 'no_data' as const, records: [] as [] }

export const answered: DnsAnswers = {
  a: { outcome: 'answered', records: ['192.0.2.1'] },
  aaaa: none,
  ns: { outcome: 'answered', records: ['ns1.host.example'] },
  mx: none,
  wwwA: none,
  wwwAaaa: none,
}

const capture = (more: Partial<Capture>): Capture => ({
  kind: 'http',
  purpose: 'root',
  url: 'https://luckyotter.example/',
  finalUrl: null,
  status: null,
  headers: {},
  body: null,
  truncated: false,
  failure: null,
  redirectChain: [],
  certificate: null,
  seenAt: new Date('2026-11-01T10:00:00Z'),
  ...more,
})

export const dnsCapture = (answers: DnsAnswers = answered): Capture =>
  capture({ kind: 'dns', purpose: 'dns', url: 'dns:luckyotter.example', body: encoded(answers) })

/** Returns a response of luckyotter.example. */
export function httpCapture(html: string, more: Partial<Capture> = {}): Capture {
  const url = more.url ?? 'https://luckyotter.example/'
  const body = new TextEncoder().encode(html)
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return capture({ url, finalUrl: url, status: 200, headers, body, redirectChain: [url], ...more })
}

export const failedCapture = (reason: NonNullable<Capture['failure']>['reason'], url?: string): Capture =>
  capture({ failure: { reason, message: reason }, ...(url === undefined ? {} : { url }) })
