import { describe, expect, test } from 'vitest'
import type { DnsAnswer, DnsAnswers } from '../capture.ts'
import { dnsCapture, httpCapture } from '../fixture.ts'
import { isParkingNameserver, nameserversOf, readDns } from './read-dns.ts'

const answered = <Record>(...records: Record[]): DnsAnswer<Record> => ({ outcome: 'answered', records })
const failed = (outcome: 'nxdomain' | 'no_data' | 'servfail' | 'timeout' | 'refused') => ({
  outcome,
  records: [] as [],
})
const none = failed('no_data')
const nothing: DnsAnswers = { a: none, aaaa: none, ns: none, mx: none, wwwA: none, wwwAaaa: none }

const read = (answers: Partial<DnsAnswers>) => readDns([dnsCapture({ ...nothing, ...answers })])
const fingerprints = (answers: Partial<DnsAnswers>) => read(answers)[0]?.value.fingerprints

test('DNS records have the shape of the launch profile, in a stable order', () => {
  expect(
    read({
      a: answered('104.21.3.5', '104.21.3.4'),
      aaaa: answered('2606:4700:3031::6815:304'),
      ns: answered('Bob.NS.cloudflare.com.', 'ada.ns.cloudflare.com'),
      mx: answered(
        { priority: 10, host: 'alt1.aspmx.l.google.com' },
        { priority: 1, host: 'ASPMX.L.GOOGLE.COM' },
      ),
    }),
  ).toEqual([
    {
      section: 'dns',
      valueKey: '',
      value: {
        records: {
          a: ['104.21.3.4', '104.21.3.5'],
          aaaa: ['2606:4700:3031::6815:304'],
          ns: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
          mx: [
            { priority: 1, host: 'aspmx.l.google.com' },
            { priority: 10, host: 'alt1.aspmx.l.google.com' },
          ],
        },
        fingerprints: { nameservers: 'Cloudflare', mail: 'Google Workspace', hosting: 'Cloudflare' },
      },
      rule: 'dns',
      strength: 3,
      capture: 0,
      snippet: null,
    },
  ])
})

describe('answers of name servers', () => {
  test('a name that does not exist has no records', () => {
    const gone = failed('nxdomain')
    expect(read({ a: gone, aaaa: gone, ns: gone, mx: gone })).toMatchObject([
      {
        value: {
          records: { a: [], aaaa: [], ns: [], mx: [] },
          fingerprints: { nameservers: null, mail: null, hosting: null },
        },
      },
    ])
  })

  test.each(['servfail', 'timeout', 'refused'] as const)(
    'look-ups that all end with %s give no finding',
    outcome => {
      const silent = failed(outcome)
      expect(read({ a: silent, aaaa: silent, ns: silent, mx: silent })).toEqual([])
    },
  )

  test('a check with one failed look-up gives no DNS finding, so the earlier finding stays', () => {
    expect(read({ a: failed('servfail'), ns: answered('ns1.one.com') })).toEqual([])
  })

  test('a check without a readable DNS capture gives no finding', () => {
    expect(readDns([httpCapture('<p>Hello')])).toEqual([])
    expect(readDns([{ ...dnsCapture(), body: new TextEncoder().encode('{') }])).toEqual([])
    expect(readDns([{ ...dnsCapture(), body: null }])).toEqual([])
  })

  test('a thousand DNS records are cut to fifty, and names that are too long are left out', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `ns${n}.host.example`)
    const [finding] = read({ ns: answered(...many), mx: answered({ priority: 1, host: 'x'.repeat(300) }) })
    expect(finding?.value.records).toMatchObject({ ns: { length: 50 }, mx: [] })
  })

  test('a domain that accepts no mail has no mail exchangers', () => {
    expect(read({ mx: answered({ priority: 0, host: '.' }) })[0]?.value.records).toMatchObject({ mx: [] })
    expect(read({ mx: answered({ priority: 0, host: '' }) })[0]?.value.records).toMatchObject({ mx: [] })
  })
})

describe('fingerprints', () => {
  test.each<[string, Partial<DnsAnswers>, object]>([
    [
      'most of the nameservers',
      { ns: answered('ns1.one.com', 'ns2.one.com', 'a.example') },
      { nameservers: 'one.com' },
    ],
    ['as many of each', { ns: answered('ns1.one.com', 'ns1.p01.nsone.net') }, { nameservers: null }],
    ['numbers', { ns: answered('ns-2048.awsdns-64.com') }, { nameservers: 'Amazon Route 53' }],
    ['nobody that is known', { ns: answered('ns1.luckyotter.example') }, { nameservers: null }],
    [
      'mail of the first exchanger',
      {
        mx: answered(
          { priority: 20, host: 'mx.zoho.eu' },
          { priority: 10, host: 'in1-smtp.messagingengine.com' },
        ),
      },
      { mail: 'Fastmail' },
    ],
    [
      'hosting of www, without an address of the domain',
      { wwwA: answered('151.101.1.195') },
      { hosting: 'Fastly' },
    ],
    [
      'the domain before www',
      { a: answered('192.0.2.1'), wwwA: answered('151.101.1.195') },
      { hosting: null },
    ],
    ['IPv6', { aaaa: answered('2a04:4e42::1') }, { hosting: 'Fastly' }],
    ['no address', { a: answered('luckyotter.example') }, { hosting: null }],
  ])('the operator in DNS is recognised for %s', (_name, answers, expected) => {
    expect(fingerprints(answers)).toMatchObject(expected)
  })
})

test('the nameservers of a parking service are parking nameservers, and a registrar’s are not', () => {
  expect(isParkingNameserver('NS1.Sedoparking.com.')).toBe(true)
  expect(isParkingNameserver('ns1.notsedoparking.com')).toBe(false)
  expect(isParkingNameserver('ns01.one.com')).toBe(false)
})

test('the nameservers of a check are those of its DNS capture', () => {
  expect(nameserversOf([dnsCapture()])).toEqual(['ns1.host.example'])
  expect(nameserversOf([])).toEqual([])
})
