import { findMarket, markets } from '@baize/names'
import { fileOfBytes, Refusal } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { obstaclesOfMarkets, obstaclesOfStreams } from '../entries/known-obstacles.ts'
import { findStream, streams } from '../streams.ts'
import { officialSample } from './answers/official-answers.ts'

test('the key of a stream is unique, has the form `<jurisdiction>.<what>`, and finds the stream', () => {
  const keys = streams.map(stream => stream.key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter(key => !/^[a-z_]+\.[a-z]+$/.test(key))).toEqual([])
  expect(streams.filter(stream => findStream(stream.key) !== stream)).toEqual([])
  expect(findStream('atlantis.sites')).toBeUndefined()
})

test('known obstacles belong to streams, or to markets without a stream', () => {
  const keys = streams.map(stream => stream.key)
  expect(Object.keys(obstaclesOfStreams).filter(key => !keys.includes(key))).toEqual([])
  const read = new Set(streams.map(stream => stream.market))
  const named = Object.keys(obstaclesOfMarkets)
  expect(named.filter(market => read.has(market) || findMarket(market) === undefined)).toEqual([])
})

test('each market has a stream, or says why it has none', () => {
  const read = new Set(streams.map(stream => stream.market))
  const without = markets.filter(({ code }) => !read.has(code) && obstaclesOfMarkets[code] === undefined)
  expect(without).toEqual([])
})

/** Registers of another authority than the market's regulator. */
const otherAuthorities: Record<string, string> = {
  'switzerland_esbk.lotteries': 'Gespa, Interkantonale Geldspielaufsicht',
}

test('the key of a stream begins with a market, whose regulator publishes the register', () => {
  for (const { key, market, regulator, regulatorCountryCode } of streams) {
    expect(key.split('.')[0]).toBe(market)
    const known = findMarket(market)
    expect([key, regulator]).toEqual([key, otherAuthorities[key] ?? known?.regulator])
    expect([key, regulatorCountryCode]).toEqual([key, known?.country])
  }
})

test('every stream has complete facts, and source names are unique', () => {
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

test('every stream states the origin of its facts, and the address of each file, not a home page', () => {
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

test('only sources that list licenses of operators make market entries', async () => {
  for (const stream of streams) {
    const { key, makesMarketEntries } = stream
    const readings = await Array.fromAsync(stream.read(officialSample(stream)))
    const hasOperator = readings.some(row => row.record === 'license' && row.role === 'operator')
    expect([key, makesMarketEntries]).toEqual([key, hasOperator])
  }
})

test('a stream covers the blocklist, the register, or both, exactly as its claim says', () => {
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
    'the stream %s reads a row of repeated %s in less than three seconds',
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
