import { describe, expect, test } from 'vitest'
import { loadRules } from '../page/load-rules.ts'
import { matchRules } from '../page/match-rules.ts'
import { parsePage } from '../page/parse-page.ts'
import { pageFindings } from './page-findings.ts'

const domain = 'luckyotter.example'

function valuesOf(section: string, html: string): string[] {
  const { rules } = loadRules()
  const page = parsePage({
    url: `https://${domain}/`,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(html),
  })
  const found = pageFindings({ domain, pageType: null, page, matches: matchRules(page, rules), rules })
  return found.filter(each => each.section === section).map(({ value, valueKey }) => valueKey || shown(value))
}

const shown = (value: Record<string, unknown>) => [value.languages, value.currencies].flat().join(' ')

describe('currencies', () => {
  test.each([
    ['a sign of one currency', '<html lang=en>From €10', 'en EUR'],
    ['a sign of several, in its country', '<html lang=en-CA>From $10', 'en CAD'],
    ['a sign of several, by its language', '<html lang=da>Min. 50 kr.', 'da DKK'],
    ['a sign of several, without a country', '<html lang=en>From $10', 'en'],
    ['beside an input', '<html lang=pl><form><input value=10> zł <button>Graj</button></form>', 'pl PLN'],
    ['a word that looks like one', '<html lang=sv><p>din bonus</p><p>TRY 100 SPINS</p>', 'sv'],
  ])('currencies are read from a page with %s', (_title, html, expected) => {
    expect(valuesOf('geo', html)).toEqual([expected])
  })
})

describe('language menus', () => {
  test('a language menu needs several links whose texts name their languages', () => {
    const menu = '<html lang=ar><a href=/en/>English</a><a href=/fr/>Français</a><a href=/tv/>Live</a>'
    expect(valuesOf('geo', menu)).toEqual(['ar en fr'])
    expect(valuesOf('geo', '<html lang=ar><a href=/en/>English</a>')).toEqual(['ar'])
  })
})

describe('other addresses', () => {
  test.each([
    ['a mirror', '<p>Mirror: <a href=https://otter2.example>otter2.example</a>', ['otter2.example']],
    ['an address without a word for mirrors', '<p>See <a href=https://otter2.example>otter2.example</a>', []],
    ['a fast version', '<link rel=amphtml href=https://amp-o.example/>', ['amp-o.example']],
  ])('a page with %s gives the expected other addresses', (_title, html, expected) => {
    expect(valuesOf('related_domains', html)).toEqual(expected)
  })
})

describe('announced suppliers', () => {
  test.each([
    ['<p>Bientôt disponible : les jeux de NetEnt', []],
    ['<p>Les jeux de NetEnt', ['NetEnt']],
  ])('an announced supplier is not in use: %s', (html, expected) => {
    expect(valuesOf('supplier_brands', html)).toEqual(expected)
  })
})

describe('contacts', () => {
  test.each([
    ['support [at] luckyotter [dot] example', ['support@luckyotter.example']],
    ['We meet at luckyotter dot example', []],
  ])('an obfuscated text is read only if it decodes to an e-mail address: %s', (html, expected) => {
    expect(valuesOf('public_contacts', html)).toEqual(expected)
  })

  test('addresses of roles are read in any language, and addresses of people never', () => {
    const html =
      'podpora@luckyotter.example jane.otter@luckyotter.example jane@luckyotter.example help@other.example'
    expect(valuesOf('public_contacts', html)).toEqual(['podpora@luckyotter.example'])
  })

  test.each([
    ['jane.otter', false],
    ['j.otter', false],
    ['jane', false],
    ['otter-support.jane', false],
    ['ottilie+support', false],
    ['support.jane', false],
    ['ceo.jane.otter', false],
    ['support', true],
    ['Support.DE', true],
    ['customer-service', true],
    ['complaints', true],
    ['privacy', true],
  ])('%s@ is recognised as the address of a role: %j', (local, isRole) => {
    const address = `${local}@luckyotter.example`
    for (const html of [
      `<a href="mailto:${address}">Write</a>`,
      `<p>Write to ${address}.</p>`,
      `<script type="application/ld+json">{"@type":"Organization","email":"${address}"}</script>`,
    ])
      expect(valuesOf('public_contacts', html)).toEqual(isRole ? [address.toLowerCase()] : [])
  })

  test.each([
    ['atencioncliente', true],
    ['atencionalcliente', true],
    ['servicioalcliente', true],
    ['soporteclientes', true],
    ['protecciondatos', true],
    ['apoioaocliente', true],
    ['encarregadodados', true],
    ['assistenzaclienti', true],
    ['customerservices', true],
    ['marialopez', false],
    ['pgonzalez', false],
    ['clienta', false],
    ['supporter', false],
    ['al', false],
    ['marialcliente', false],
  ])('the mailbox %s is of a role: %s', (mailbox, isRole) => {
    const found = valuesOf('public_contacts', `<p>${mailbox}@${domain}</p>`)
    expect(found).toEqual(isRole ? [`${mailbox}@${domain}`] : [])
  })

  test('addresses at other domains are not contacts of the site', () => {
    const html = 'support@heron.example support@luckyotter.example.heron.example support@gmail.com'
    expect(valuesOf('public_contacts', html)).toEqual([])
  })
})

describe('related domains', () => {
  test.each([
    ['a mirror', '<a href="https://otter-2.example">Рабочее зеркало</a>', ['otter-2.example']],
    [
      'a sister site, not the regulator beside it',
      '<p>Our sister sites: <a href="https://heron.example">Heron</a>. <a href="https://help.example">Get help</a>',
      ['heron.example'],
    ],
    ['another site', '<a href="https://heron.example">Heron</a>', []],
  ])('a link to %s gives the expected related domains', (_title, html, expected) => {
    expect(valuesOf('related_domains', html)).toEqual(expected)
  })
})

describe('suppliers', () => {
  test.each([
    ['by the attribute of a tile', '<div data-provider="evolution">', ['Evolution']],
    [
      'by the folder of its picture',
      '<img src="/media/games/evolution/roulette.webp" alt="Roulette">',
      ['Evolution'],
    ],
    ['not by a game of that name', '<img src="/i/1.webp" alt="Evolution Ape">', []],
  ])('a supplier is recognised %s', (_title, html, expected) => {
    expect(valuesOf('supplier_brands', html)).toEqual(expected)
  })
})

describe('payment methods', () => {
  test.each([
    ['in a sentence about deposits', '<p>Deposit with Skrill from €10.</p>', ['skrill']],
    ['not where it is refused', '<p>Deposits by Skrill are not available.</p>', []],
    ['not in other texts', '<p>Skrill sponsors the cup.</p>', []],
    ['by a picture among payment methods', '<img src="/img/payments/jeton.svg" alt="Jeton">', ['jeton']],
  ])('a payment method is recognised %s', (_title, html, expected) => {
    expect(valuesOf('payment_methods', html)).toEqual(expected)
  })
})
