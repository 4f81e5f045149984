import { expect, test } from 'vitest'
import type { PageAnswer } from '../capture-answer.ts'
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

test('requests to one RDAP server are a second apart', async () => {
  const { query, line } = server({ [ofRegistry]: [page({})] })
  expect(outcomes(await query())).toEqual([[ofRegistry, 200]])
  expect(line.turns).toEqual([['rdap.registry.example', 1_000]])
})

test('the answer about a domain without an RDAP server says that there is no server', async () => {
  const { query } = server({}, { serversOf: async () => [] })
  expect(outcomes(await query())).toEqual([['rdap:luckyotter.example', 'no_server']])
})

test('a server that refuses the media type of RDAP is asked again for plain JSON', async () => {
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
])("an RDAP server's 429 with Retry-After %s defers all requests to it", async (value, ms) => {
  const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value }
  const { query, line } = server({ [ofRegistry]: [page({ status: 429, headers })] })
  expect(outcomes(await query())).toEqual([[ofRegistry, 'rate_limited']])
  expect(line.deferred).toEqual([['rdap.registry.example', ms]])
})

test('no query is sent to an RDAP server whose queue is too long', async () => {
  const { query, line } = server({}, { takeTurn: async () => null })
  expect(outcomes(await query())).toEqual([[ofRegistry, 'rate_limited']])
  expect(line.asked).toEqual([])
})

const referring = (href: string) =>
  page({ json: { links: [null, { rel: 'related', type: 'application/rdap+json', href }] } })

test('the registrar that a registry refers to is asked, once', async () => {
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
])('an RDAP reference %s is not followed', async (_name, href) => {
  const { query } = server({ [ofRegistry]: [referring(href)] })
  expect(outcomes(await query())).toEqual([[ofRegistry, 200]])
})

test('the answer of the registry is stored even if the registrar does not answer', async () => {
  const { query } = server({ [ofRegistry]: [referring(ofRegistrar)] })
  expect(outcomes(await query())).toEqual([
    [ofRegistry, 200],
    [ofRegistrar, 'refused_connection'],
  ])
})

test('RDAP redirects are followed over https only, and not in a loop', async () => {
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
