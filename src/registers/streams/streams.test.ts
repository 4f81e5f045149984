import { describe, expect, test } from 'vitest'
import { obstaclesOfMarkets, obstaclesOfStreams } from '../../core/known-obstacles.ts'
import { findMarket } from '../../core/markets.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import { Refusal, type Stream } from '../stream.ts'
import { fixture } from './fixture.ts'
import { findStream, streams } from './index.ts'
import { marketAnswers } from './markets/official-answers.ts'
import { officialSample } from './official-sample.ts'

test('keys are unique, `<jurisdiction>.<what>`, and found', () => {
  const keys = streams.map(stream => stream.key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter(key => !/^[a-z_]+\.[a-z]+$/.test(key))).toEqual([])
  expect(streams.filter(stream => findStream(stream.key) !== stream)).toEqual([])
  expect(findStream('atlantis.sites')).toBeUndefined()
})

test('known obstacles are of streams, and of markets that no stream reads', () => {
  const keys = streams.map(stream => stream.key)
  expect(Object.keys(obstaclesOfStreams).filter(key => !keys.includes(key))).toEqual([])
  const read = new Set(streams.map(stream => stream.market))
  const markets = Object.keys(obstaclesOfMarkets)
  expect(markets.filter(market => read.has(market) || findMarket(market) === undefined)).toEqual([])
})

/** Kept by another authority of the country than the regulator of the market. */
const otherAuthorities: Record<string, string> = {
  'ireland.gaming': 'Revenue Commissioners',
  'switzerland_esbk.lotteries': 'Gespa, Interkantonale Geldspielaufsicht',
}

test('a key begins with a known market, whose regulator keeps the register', () => {
  for (const { key, market, regulator, regulatorCountryCode } of streams) {
    expect(key.split('.')[0]).toBe(market)
    const known = findMarket(market)
    expect([key, regulator]).toEqual([key, otherAuthorities[key] ?? known?.regulator])
    expect([key, regulatorCountryCode]).toEqual([key, known?.country])
  }
})

test('the facts of a stream are complete, and source names are unique', () => {
  for (const stream of streams) {
    expect(new URL(stream.officialUrl).protocol).toBe('https:')
    for (const words of [stream.format, stream.cadence.words, stream.identity, stream.qualification])
      expect(words.trim(), stream.key).not.toBe('')
    expect(stream.cadence.hours, stream.key).toBeGreaterThanOrEqual(24)
    expect(stream.rowsMin, stream.key).toBeGreaterThan(0)
    expect(stream.parserVersion, stream.key).toBeGreaterThanOrEqual(1)
  }
  const identities = streams.map(stream => stream.sourceIdentity)
  expect(new Set(identities).size).toBe(identities.length)
})

test('a recorded layout has its day, each fact its origin, and a file an address that is no home page', () => {
  for (const { key, official } of streams) {
    const { files, language, layout, layoutRecordedAt, terms, sources } = official
    expect([layout, layoutRecordedAt !== null], key).toEqual([layout, layout === 'recorded'])
    expect([terms, sources.terms !== null], key).toEqual([terms, terms !== null])
    expect(Intl.getCanonicalLocales(language), key).toEqual([language])
    for (const origin of [sources.address, sources.layout, sources.cadence, sources.rows])
      expect(origin.trim(), key).not.toBe('')
    for (const { url, resolve } of files) {
      const { protocol, pathname, search } = new URL(url)
      const isHomePage = pathname + search === '/' && resolve.by === 'direct'
      expect([protocol, isHomePage], key).toEqual(['https:', false])
    }
  }
})

/** A complete snapshot of each reader. */
const samples: Record<string, string[]> = {
  'brazil.brands': ['brazil/fixtures/mirror.json'],
  'czechia.blocklist': ['czechia/fixtures/site-and-account.csv'],
  'denmark.operators': ['denmark/fixtures/operators.tsv'],
  'italy.blocklist': ['italy/fixtures/hosts.txt'],
  'mga.licensees': ['malta/fixtures/licensees.json'],
  'peru.operators': ['markets/peru.operators/fixture.json'],
  'poland.blocklist': ['poland/fixtures/register.xml'],
  'ukgc.licences': ['businesses', 'licences', 'trading-names', 'domain-names'].map(
    name => `ukgc/fixtures/${name}.csv`,
  ),
  'ukraine.sites': ['ukraine/fixtures/with-final-url.csv'],
}

function mirrorSample({ key, covers }: Stream) {
  const list = covers.includes('register') ? 'sites' : 'blocklist'
  return (samples[key] ?? [`host-list/fixtures/${list}.txt`]).map(path =>
    fixture(new URL(path, import.meta.url)),
  )
}

test('exactly the sources that list licenses of operators make market entries', async () => {
  for (const stream of streams) {
    const { key, makesMarketEntries } = stream
    const files = marketAnswers[key] === undefined ? mirrorSample(stream) : officialSample(stream)
    const readings = await Array.fromAsync(stream.read(files))
    const hasOperator = readings.some(row => row.record === 'license' && row.role === 'operator')
    expect([key, makesMarketEntries]).toEqual([key, hasOperator])
  }
})

test('the claim of a source matches its coverage', () => {
  for (const { key, covers, sourceClaim, publishes } of streams) {
    expect(covers.includes('blocklist'), key).toBe(sourceClaim.includes('blocklist'))
    expect(covers.includes('register'), key).toBe(sourceClaim !== 'blocklist')
    if (!covers.includes('register'))
      expect([publishes.revoked, publishes.roles], key).toEqual([false, false])
  }
})

describe('a repetitive row is read in linear time', () => {
  const many = (sign: string) => sign.repeat(60_000)
  const operator = (address: string) =>
    `Columns: Operator | Address | Domains | Licences | Licensed in Greenland\nOtter A/S\t${address}\ta.example\tx\tNo\n`
  const brand = (requirement: string) =>
    `[{"requirement_number_year":"${requirement}","fiscal_name":"Otter","document":"1","brand":"Otter","domain":"otter.bet.br"}]`
  test.each([
    ['greece.blocklist', 'commas', `${many(',')}x\n`.repeat(4)],
    ['greece.blocklist', 'dots', `${many('.')}x\n`.repeat(4)],
    ['denmark.operators', 'commas', operator(`${many(',')}x`)],
    ['denmark.operators', 'blanks', `${`${many(' ')}x\n`.repeat(3)}${operator('x')}`],
    ['brazil.brands', 'digits', brand(many('1'))],
  ])(
    '%s: %s',
    async (key, _sign, content) => {
      const readings = findStream(key)?.read([fileOfBytes('list.txt', content)])
      expect(await Array.fromAsync(readings ?? [])).not.toEqual([])
    },
    3_000,
  )
})

test('every stream refuses an empty file', async () => {
  for (const stream of streams) {
    const reading = Array.fromAsync(stream.read([fileOfBytes('list.txt', '')]))
    await expect(reading, stream.key).rejects.toThrow(new Refusal('"list.txt" is empty'))
  }
})
