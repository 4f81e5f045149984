import { describe, expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import { parsed } from './fixture.ts'
import { readRules } from './load-rules.ts'
import { matchRules } from './match-rules.ts'
import type { PageSource } from './page-fields.ts'

const paymentPages = 'payments: {value: {page_type: payments}, any: [{link_text: [payment methods]}]}'

function matches(conditions: string, html: string, more: Partial<PageSource> = {}) {
  const rules = compileRules(
    readRules('sample', `visa: {value: {name: visa}, ${conditions}}\n${paymentPages}`),
  )
  const found = matchRules(parsed(html, more), rules).filter(({ rule }) => rule === 'sample/visa')
  return found.map(({ strength, kind, snippet }) => ({
    strength,
    kind,
    snippet,
  }))
}

test('a host that only a Content-Security-Policy permits is no use of it, and confirms another mark', () => {
  const conditions = 'any: [{host: [visa.com]}, {icon: [visa]}]'
  const headers = { 'content-security-policy': 'frame-src https://*.visa.com' }
  const reportOnly = { 'content-security-policy-report-only': 'script-src js.visa.com' }
  const meta = '<meta http-equiv=content-security-policy content="connect-src visa.com">'
  expect(matches(conditions, '', { headers })).toEqual([])
  expect(matches(conditions, '', { headers: reportOnly })).toEqual([])
  expect(matches(conditions, meta)).toEqual([])
  expect(matches(conditions, '<img alt=Visa>')).toMatchObject([{ strength: 1, kind: 'icon' }])
  expect(matches(conditions, '<img alt=Visa>', { headers })).toMatchObject([{ strength: 2, kind: 'icon' }])
  expect(matches(conditions, `${meta}<iframe src=//visa.com>`)).toMatchObject([{ strength: 3 }])
})

describe('conditions', () => {
  test.each([
    [
      'a loaded host',
      'any: [{host: [visa.com]}]',
      '<script src=https://js.visa.com/x></script>',
      3,
      'script js.visa.com/x',
    ],
    [
      'a declared host',
      'any: [{host: [visa.com]}]',
      '<link rel=preconnect href=https://visa.com>',
      2,
      'preconnect visa.com/',
    ],
    [
      'the beginning of a path',
      'any: [{host: [cdn.example/visa]}]',
      '<img src=https://cdn.example/visa/a.png>',
      3,
      'image cdn.example/visa/a.png',
    ],
    [
      'a link',
      'any: [{link: [visa.com]}]',
      '<a href=https://www.visa.com/>x</a>',
      2,
      'https://www.visa.com/',
    ],
    [
      'the text of a link',
      'any: [{link_text: [about visa]}]',
      '<a href=/v>All about Visa!</a>',
      1,
      'All about Visa!',
    ],
    ['an alt text', 'any: [{icon: [visa]}]', '<img alt="VISA card">', 1, 'VISA card'],
    ['a file name', 'any: [{icon: [visa electron]}]', '<img src=/visaElectron.png>', 1, 'visaElectron'],
    ['a text, folded', 'any: [{text: [depósito visa]}]', '<p>Deposito, VISA', 1, 'Deposito, VISA'],
    ['a text without blanks', 'any: [{text: [入金]}]', '<p>お入金方法', 1, 'お入金方法'],
    [
      'a text of a payment page',
      'any: [{payment_text: [visa]}]',
      '<h1>Payment methods</h1><p>Visa',
      1,
      'Visa',
    ],
    ['a title', 'any: [{title: [visa]}]', '<title>Visa</title>', 1, 'Visa'],
    [
      'a meta',
      'any: [{meta: {generator: [visa]}}]',
      '<meta name=generator content="Visa 1">',
      2,
      'generator: Visa 1',
    ],
    ['any meta', 'any: [{meta: {generator: ["*"]}}]', '<meta name=Generator content=x>', 2, 'generator: x'],
    [
      'JSON-LD',
      'any: [{json_ld: {paymentAccepted: [visa]}}]',
      '<script type=application/ld+json>{"@type":"Casino","paymentAccepted":["Cash","Visa"]}</script>',
      2,
      'paymentAccepted: Visa',
    ],
    ['a link of one name', 'any: [{label: [sign up]}]', '<a href=/r>Sign up!</a>', 1, 'Sign up!'],
    [
      'a link with its icon',
      'any: [{label: [slots]}]',
      '<a href=/s><img alt=Slots>Slots</a>',
      1,
      'Slots Slots',
    ],
    [
      'a link with a count',
      'any: [{label: [slots]}]',
      '<a href=/s>Slots <b>New</b> (120)</a>',
      1,
      'Slots New (120)',
    ],
    ['a button of one name', 'any: [{label: [sign up]}]', '<button>Sign-up</button>', 1, 'Sign-up'],
    ['an input', 'any: [{input: [password]}]', '<input type=password>', 1, 'input password'],
    [
      'the strongest of several',
      'any: [{icon: [visa]}, {host: [visa.com]}]',
      '<img alt=visa src=https://visa.com/i>',
      3,
      'image visa.com/i',
    ],
    [
      'all',
      'all: [{icon: [visa]}, {not: {text: [mastercard]}}, {status: [200]}]',
      '<img alt=visa>',
      1,
      'visa',
    ],
    ['little text', 'all: [{text_characters_below: 5}]', '<p>1234', 1, null],
  ])('a condition of each kind matches a page: %s', (_name, conditions, html, strength, snippet) => {
    expect(matches(conditions, html)).toMatchObject([{ strength, snippet }])
  })

  test.each([
    [
      'another host with the same ending',
      'any: [{host: [visa.com]}]',
      '<script src=https://notvisa.com/></script>',
    ],
    ['another path', 'any: [{host: [cdn.example/js]}]', '<script src=https://cdn.example/json></script>'],
    [
      'a declared host for a path',
      'any: [{host: [cdn.example/js]}]',
      '<link rel=preconnect href=https://cdn.example>',
    ],
    ['a host that is only linked', 'any: [{host: [visa.com]}]', '<a href=https://visa.com>x</a>'],
    ['a word within another', 'any: [{text: [visa]}]', '<p>Visage'],
    ['a phrase across texts', 'any: [{text: [visa card]}]', '<p>Visa<p>card'],
    ['a name within the text of a link', 'any: [{label: [casino]}]', '<a href=/c>Casino news</a><p>Casino'],
    ['a name on a page about something else', 'any: [{payment_text: [visa]}]', '<h1>News</h1><p>Visa'],
    ['a part of all', 'all: [{icon: [visa]}, {text: [card]}]', '<img alt=visa>'],
  ])('a rule does not match a page with %s', (_name, conditions, html) => {
    expect(matches(conditions, html)).toEqual([])
  })

  test('conditions match headers and cookies', () => {
    const headers = { server: 'Visa/1.0', 'set-cookie': '__visa_sid=1' }
    expect(matches('any: [{header: {server: [visa]}}]', '', { headers })).toMatchObject([{ strength: 2 }])
    expect(matches('any: [{cookie: [visa sid]}]', '', { headers })).toMatchObject([{ strength: 2 }])
  })
})

test('the snippet of a long text shows the match in at most 300 characters', () => {
  const [match] = matches('any: [{text: [visa]}]', `<p>${'word '.repeat(400)}Visa${' word'.repeat(400)}`)
  expect(match?.snippet).toContain('Visa')
  expect(match?.snippet?.length).toBeLessThanOrEqual(300)
})

test.each([
  ['visa: {value: {}}', 'sample.yaml, visa: must have either "any" or "all"'],
  ['visa: {any: [{icon: [visa]}]}', 'sample.yaml, visa: "value" must be a mapping'],
  ['visa: {value: {}, any: [{icon: visa}]}', 'sample.yaml, visa: "icon" must be a list'],
  [
    'visa: {value: {}, any: [{icon: [777]}]}',
    'sample.yaml, visa: "icon" has 777; quote it, because it must be a string',
  ],
  ['visa: {value: {}, any: [{icon: ["!"]}]}', 'sample.yaml, visa: "icon" has "!", which cannot match'],
  [
    'visa: {value: {}, any: [{host: [Visa.com]}]}',
    'sample.yaml, visa: "host" has "Visa.com", which cannot match',
  ],
  ['visa: {value: {}, any: [{regex: [a]}]}', 'the condition "regex" is unknown'],
  [
    'visa: {value: {}, any: [{icon: [a], text: [b]}]}',
    'each condition must have one member, found "icon, text"',
  ],
  ['visa: {value: {}, any: [{icon: [a]}], kind: x}', 'sample.yaml, visa: the key "kind" is unknown'],
  ['a: {value: {}, any: [{icon: [a]}]}\na: {value: {}, any: [{icon: [b]}]}', 'duplicated mapping key'],
  ['visa: [', 'sample.yaml: '],
])('a wrong rule is reported by file and key: %s', (text, problem) => {
  expect(() => readRules('sample', text)).toThrow(problem)
})
