import { existsSync, readFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { domainInputCharactersMax, readDomain } from './domain-name.ts'

const domainOf = (input: string) => {
  const reading = readDomain(input)
  return reading.ok ? reading.domain : reading.problem
}

describe('the spellings of a URL', () => {
  test.each([
    ['example.com'],
    ['EXAMPLE.Com'],
    ['www.example.com'],
    ['a.b.example.com'],
    ['https://example.com/'],
    ['http://user:pass@www.example.com:8080/casino?ref=5#top'],
    ['//example.com/x'],
    ['https:/example.com'],
    ['http:example.com'],
    ['example.com.'],
    ['example.com:443'],
    ['  example.com\u00a0'],
    ['\ufeffexample.com\u200b'],
    ['exam\u200dple.com'],
    ['example.com%e2%80%8b'],
    ['ｅｘａｍｐｌｅ．ｃｏｍ'],
    ['example。com'],
    ['example.com\\@other.com'],
    ['x_y.example.com'],
    ['-x.example.com'],
    ['hxxps://example.com/x'],
    ['htp://example.com'],
    ['https:user@example.com'],
    ['https://user:p@ss@example.com'],
  ])('%s is read as example.com', input => expect(domainOf(input)).toBe('example.com'))

  test.each([
    ['faß.de', 'xn--fa-hia.de'],
    ['drückglück.de', 'xn--drckglck-75ae.de'],
    ['XN--DRCKGLCK-75AE.de', 'xn--drckglck-75ae.de'],
    ['22bet.ελ', '22bet.xn--qxam'],
    ['نامه\u200cای.com', 'xn--mgba3gch31f060k.com'],
  ])('the internationalised domain %s becomes punycode', (input, domain) =>
    expect(domainOf(input)).toBe(domain),
  )
})

describe('private suffixes', () => {
  test.each([
    ['casino.blogspot.com', 'casino.blogspot.com'],
    ['www.casino.blogspot.com', 'casino.blogspot.com'],
    ['blogspot.com', 'blogspot.com'],
    ['www.blogspot.com', 'blogspot.com'],
    ['www.www.blogspot.com', 'blogspot.com'],
    ['casino.co.uk', 'casino.co.uk'],
    ['casino.co', 'casino.co'],
    ['casino.example', 'casino.example'],
    ['casino.test', 'casino.test'],
    // UKGC licenses the bare names of three private suffixes.
    ['weeklylottery.org.uk', 'weeklylottery.org.uk'],
    ['https://www.weeklylottery.org.uk/asthmauk/', 'weeklylottery.org.uk'],
    ['charity.weeklylottery.org.uk', 'charity.weeklylottery.org.uk'],
  ])('the site of %s is %s', (input, domain) => expect(domainOf(input)).toBe(domain))
})

describe('invalid input', () => {
  test.each([
    ['empty', ['', '   ', '\u200b', '\u00a0']],
    [
      'ip_address',
      [
        '127.0.0.1',
        'http://127.0.0.1:8080/x',
        '2130706433',
        '0177.0.0.1',
        '0x7f.1',
        '127.1',
        '１２７.０.０.１',
        '127。0。0。1',
        '%31%32%37.1',
        '1.2.3.4.5',
        '999.1.1.1',
        '::1',
        '[::1]',
        'http://[2001:db8::1]:443/',
        'fe80::1%eth0',
        '[::ffff:127.0.0.1]',
      ],
    ],
    ['bare_suffix', ['com', 'co.uk', 'https://com.', 'ελ', 'onion']],
    ['underscore', ['a_b.com', 'www.a_b.co.uk']],
    ['no_dot', ['www', 'slotmachine', 'greatwin.', 'localhost', 'http://localhost:8080/', 'test', 'example']],
    [
      'unknown_suffix',
      [
        'casino.c',
        'casino.onlin',
        'casino.comua',
        'casino.com-ua',
        'snatchcasino.ιο',
        'casino.localhost',
        'casino.invalid',
      ],
    ],
    [
      'mail_address',
      [
        'mailto:a@example.com',
        'MAILTO:a@example.com?subject=x',
        'mailto:example.com',
        'a@example.com',
        'a.b+c@example.com/x',
      ],
    ],
    [
      'other_scheme',
      [
        'ftp://example.com',
        'ftp:example.com',
        'file:///example.com',
        'wss://example.com',
        'javascript:alert(1)',
        'data:text/html,example.com',
        'tel:+4412345',
        'sip:a@example.com',
        'user:pass@example.com',
        'android-app://com.example',
        'itms-apps://example.com',
        'view-source:https://example.com',
        'blob:https://example.com/x',
      ],
    ],
    [
      'comma_for_dot',
      ['www,casino-ajaccio.com', 'casino,com', 'http://casino,co.uk/play', 'www , casino.com'],
    ],
    ['blank_inside', ['two words.com', 'casino. com', 'a\tb.com', '12  casino.com']],
    ['several_sites', ['a.com,b.com', 'a.com, b.com', 'a.com b.com']],
    ['empty_label', ['a..com', '.com', '.example.com', 'a.com..']],
    ['edge_hyphen', ['-example.com', 'casino-.co.uk']],
    ['bad_punycode', ['xn--a.com', 'xn--casino-.com']],
    ['forbidden_character', ['*.example.com', 'example.com,', 'a.com:port', '100%.com', '℀.com']],
    [
      'not_a_domain',
      [
        '...',
        'https://',
        '-',
        'App: Otter',
        'no words of a host',
        ',',
        'a.com a@b.com',
        'https://a.com a@b.com',
      ],
    ],
    [
      'too_long',
      [`${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`, `a.com/${'x'.repeat(domainInputCharactersMax)}`],
    ],
  ])('invalid input has the problem %s', (problem, inputs) => {
    expect(inputs.map(input => [input, domainOf(input)])).toEqual(inputs.map(input => [input, problem]))
  })

  test('a domain with a Cyrillic look-alike letter is another domain', () => {
    expect(domainOf('саsino.com')).toMatch(/^xn--/)
  })
})

test('readDomain returns path and query without the fragment, and null for the root path', () => {
  const pathOf = (input: string) => {
    const reading = readDomain(input)
    return reading.ok ? reading.path : reading.problem
  }
  const roots = ['a.com', 'a.com/', 'a.com//', 'a.com?', 'a.com/?', 'a.com#x', 'a.com/#x', 'a.com/%e2%80%8b']
  expect(roots.map(pathOf)).toEqual(roots.map(() => null))
  expect(['a.com/en', 'a.com/?q=1', 'a.com/x#y', 'a.com/x?'].map(pathOf)).toEqual([
    '/en',
    '/?q=1',
    '/x',
    '/x',
  ])
})

describe('arbitrary input', () => {
  const pieces = fc.constantFrom(
    'www.',
    'xn--',
    'a',
    'ß',
    '。',
    '.com',
    '.co.uk',
    '_',
    '-',
    '/',
    '@',
    ':',
    '%2e',
    ' ',
    '\u200d',
  )
  const input = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.domain(),
    fc.array(pieces).map(each => each.join('')),
  )

  test('reading any input never throws, and a domain is lower-case ASCII that reads as itself', () => {
    fc.assert(
      fc.property(input, text => {
        const reading = readDomain(text)
        if (!reading.ok) return
        expect(reading.domain).toMatch(/^[a-z0-9.-]+$/)
        expect(reading.host.endsWith(reading.domain)).toBe(true)
        expect(readDomain(reading.domain)).toEqual({
          ok: true,
          domain: reading.domain,
          host: reading.domain,
          path: null,
        })
      }),
      { numRuns: 500 },
    )
  })
})

const vectors = new URL('../../../shared/data/reference/psl/test_psl.txt', import.meta.url)

describe.skipIf(!existsSync(vectors))(
  'the test vectors of the Public Suffix List (skipped without ../shared/data)',
  () => {
    // uk.com is in the list's private part, so it is a site itself here, unlike in the vectors.
    const privateSuffixes = new Set(['uk.com'])
    const text = existsSync(vectors) ? readFileSync(vectors, 'utf8') : ''
    const cases = [...text.matchAll(/^checkPublicSuffix\('([^']*)', (?:'([^']*)'|null)\);/gm)]

    test.each(cases.map(([, input, domain]) => [input ?? '', domain]))(
      'the test vector %s gives the domain %s',
      (input, domain) => {
        const expected = privateSuffixes.has(input) ? input : domain && domainToASCII(domain)
        const reading = readDomain(input)
        expect(reading.ok ? reading.domain : undefined).toBe(expected)
      },
    )
  },
)

test('a canonical host is read as the same domain as its URL', () => {
  const label = fc.oneof(
    fc.stringMatching(/^[a-z0-9-]{1,8}$/),
    fc.constantFrom(
      'www',
      'xn--fa-hia',
      'xn--',
      'x'.repeat(63),
      'x'.repeat(64),
      '0x1f',
      '127',
      'blogspot',
      'co',
    ),
  )
  const suffix = fc.constantFrom(
    'com',
    'co.uk',
    'example',
    'blogspot.com',
    'nosuchsuffix',
    '1',
    '0x7f',
    'xn--qxam',
  )
  fc.assert(
    fc.property(fc.array(label, { maxLength: 5 }), suffix, (labels, end) => {
      const host = [...labels, end].join('.')
      expect(readDomain(host)).toEqual(readDomain(`https://${host}/`))
    }),
    { numRuns: 2_000 },
  )
})
