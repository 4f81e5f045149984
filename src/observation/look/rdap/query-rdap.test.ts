import { expect, test } from 'vitest'
import type { PageAnswer } from '../site-visit.ts'
import { queryRdap, type RdapTools } from './query-rdap.ts'

const registry = 'https://rdap.registry.example/'
const ofRegistry = `${registry}domain/luckyotter.example`
const ofRegistrar = 'https://rdap.registrar.example/v1/domain/luckyotter.example'

const page = (
  answer: Partial<Exclude<PageAnswer, { failure: unknown }>> & { json?: unknown },
): PageAnswer => ({
  status: 200,
  headers: {},
  location: null,
  body: Buffer.from(JSON.stringify(answer.json ?? { ldhName: 'luckyotter.example' })),
  truncated: false,
  certificate: null,
  ...answer,
})

type Asked = { url: string; accept: string }
type Line = { turns: [string, number][]; deferred: [string, number][]; asked: Asked[] }

function server(answers: Record<string, PageAnswer[]>, tools: Partial<RdapTools> = {}) {
  const line: Line = { turns: [], deferred: [], asked: [] }
  const query = () =>
    queryRdap('luckyotter.example', {
      serversOf: async () => [registry],
      fetchPage: async (url, { accept }) => {
        line.asked.push({ url, accept })
        return (
          answers[url]?.shift() ?? { failure: { reason: 'refused_connection', message: 'nobody is there' } }
        )
      },
      takeTurn: async (host, gapMs) => {
        line.turns.push([host, gapMs])
        return 0
      },
      deferTurns: async (host, ms) => void line.deferred.push([host, ms]),
      now: () => new Date('2026-11-01T00:00:00Z'),
      signal: new AbortController().signal,
      ...tools,
    })
  return { query, line }
}

const outcomes = (captures: Awaited<ReturnType<typeof queryRdap>>) =>
  captures.map(({ url, status, failure }) => [url, status ?? failure?.reason])

test('each request takes a turn at its server, a second apart', async () => {
  const { query, line } = server({ [ofRegistry]: [page({})] })
  expect(outcomes(await query())).toEqual([[ofRegistry, 200]])
  expect(line.turns).toEqual([['rdap.registry.example', 1_000]])
})

test('a domain without a server is an answer, too', async () => {
  const { query } = server({}, { serversOf: async () => [] })
  expect(outcomes(await query())).toEqual([['rdap:luckyotter.example', 'no_server']])
})

test('a server that refuses the type of RDAP is asked for plain JSON', async () => {
  const { query, line } = server({ [ofRegistry]: [page({ status: 406 }), page({})] })
  expect(outcomes(await query())).toEqual([[ofRegistry, 200]])
  expect(line.asked.map(({ accept }) => accept)).toEqual(['application/rdap+json', 'application/json'])
  expect(line.turns).toHaveLength(2)
})

test.each([
  ['120', 120_000],
  ['Sun, 01 Nov 2026 00:05:00 GMT', 300_000],
  ['99999999', 3_600_000],
  ['soon', 60_000],
  [undefined, 60_000],
])('429 with Retry-After %s defers all turns at the server', async (value, ms) => {
  const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value }
  const { query, line } = server({ [ofRegistry]: [page({ status: 429, headers })] })
  expect(outcomes(await query())).toEqual([[ofRegistry, 'rate_limited']])
  expect(line.deferred).toEqual([['rdap.registry.example', ms]])
})

test('a line that is too long is not joined', async () => {
  const { query, line } = server({}, { takeTurn: async () => null })
  expect(outcomes(await query())).toEqual([[ofRegistry, 'rate_limited']])
  expect(line.asked).toEqual([])
})

const referring = (href: string) =>
  page({ json: { links: [null, { rel: 'related', type: 'application/rdap+json', href }] } })

test('a thin registry leads to its registrar, once', async () => {
  const { query, line } = server({
    [ofRegistry]: [referring(ofRegistrar)],
    [ofRegistrar]: [referring(ofRegistry)],
  })
  expect(outcomes(await query())).toEqual([
    [ofRegistry, 200],
    [ofRegistrar, 200],
  ])
  expect(line.turns.map(([host]) => host)).toEqual(['rdap.registry.example', 'rdap.registrar.example'])
})

test.each([
  ['without encryption', 'http://rdap.registrar.example/domain/luckyotter.example'],
  ['of another domain', 'https://rdap.registrar.example/domain/casino.example'],
  ['to itself', ofRegistry],
  ['that is no URL', '::'],
])('a reference %s is not followed', async (_name, href) => {
  const { query } = server({ [ofRegistry]: [referring(href)] })
  expect(outcomes(await query())).toEqual([[ofRegistry, 200]])
})

test('a registrar that does not answer leaves the answer of the registry', async () => {
  const { query } = server({ [ofRegistry]: [referring(ofRegistrar)] })
  expect(outcomes(await query())).toEqual([
    [ofRegistry, 200],
    [ofRegistrar, 'refused_connection'],
  ])
})

test('redirects are followed with encryption only, and not in a loop', async () => {
  const to = (location: string) => page({ status: 302, location })
  const next = 'https://other.registry.example/domain/luckyotter.example'
  const followed = server({ [ofRegistry]: [to(next)], [next]: [page({})] })
  expect(await followed.query()).toMatchObject([
    { status: 200, finalUrl: next, redirectChain: [ofRegistry, next] },
  ])
  for (const location of [ofRegistry, 'http://other.registry.example/']) {
    const refused = server({ [ofRegistry]: [to(location)] })
    expect(outcomes(await refused.query())).toEqual([[ofRegistry, 'too_many_redirects']])
  }
})
