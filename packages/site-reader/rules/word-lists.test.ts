import { describe, expect, test } from 'vitest'
import { findLegalPages } from '../claims/choose-pages.ts'
import { linkOf, pageOf } from '../claims/fixture.ts'
import { type Claim, readClaims } from '../claims/read-claims.ts'
import { pageSource, parsed } from '../page/fixture.ts'
import { loadRules } from '../page/load-rules.ts'
import { matchRules } from '../page/match-rules.ts'
import { readPage } from '../page/read-page.ts'
import { readRuleFile } from '../read-rule-file.ts'
import { readRegistrant } from '../registration/read-registration.ts'

// Tests each word of a list on a generated page. Near misses were written by hand.

type Lists = Record<string, string[]>
const nearMissesOf = <Content = Lists>(file: string) => readRuleFile<Content>(`fixtures/${file}`)

const { rules } = loadRules()
const namesMethod = (html: string, method: string) =>
  matchRules(parsed(html), rules).some(({ rule }) => rule === `payment-methods/${method}`)

describe('related-words', () => {
  const { mirror = [], sisters = [] } = readRuleFile<Lists>('related-words')
  const nearMisses = nearMissesOf('related-words')
  const relates = (html: string) =>
    readPage({ source: pageSource(html), domain: 'luckyotter.example', pageType: null }).findings.some(
      ({ section }) => section === 'related_domains',
    )
  const mirrorOf = (text: string) => relates(`<a href="https://heron-links.example/">${text}</a>`)
  const sisterOf = (text: string) => relates(`<p>${text} <a href="https://heron.example/">Otterplay</a></p>`)

  test('a link with a word for mirrors is another address of the site, except one Thai word', () => {
    expect(mirror.filter(word => !mirrorOf(word))).toEqual(['ทางเข้าสำรอง'])
    expect(nearMisses.mirror?.filter(mirrorOf)).toEqual([])
  })

  test('a link in a sentence with a word for sister brands is a sister brand', () => {
    expect(sisters.filter(words => !sisterOf(`${words}:`))).toEqual([])
    expect(nearMisses.sisters?.filter(sisterOf)).toEqual([])
  })
})

describe('payment-words', () => {
  const words = readRuleFile<Lists & { sentences: string[][] }>('payment-words')
  const nearMisses = nearMissesOf('payment-words')

  test('a page with a payment word in its title names accepted methods', () => {
    const accepts = (title: string) => namesMethod(`<title>${title}</title><p>Skrill</p>`, 'skrill')
    expect(words.pages?.filter(title => !accepts(title))).toEqual([])
    expect(nearMisses.pages?.filter(accepts)).toEqual([])
  })

  test.each(['refusals', 'announcements', 'house_rules'])(
    'a payment method in a text with a word of %s is not accepted',
    list => {
      const accepts = (text: string) => namesMethod(`<h1>Payment methods</h1><p>${text}</p>`, 'paypal')
      expect(words[list]?.filter(word => accepts(`PayPal: ${word}`))).toEqual([])
      expect(nearMisses[list]?.length).toBeGreaterThan(0)
      expect(nearMisses[list]?.filter(text => !accepts(text))).toEqual([])
    },
  )

  test('a sentence about deposits names accepted methods on any page, in each language', () => {
    const accepts = (sentence: string) => namesMethod(`<p>${sentence}: Skrill</p>`, 'skrill')
    expect(words.sentences.flat().filter(sentence => !accepts(sentence))).toEqual([])
    expect(nearMisses.sentences?.length).toBe(words.sentences.length)
    expect(nearMisses.sentences?.filter(accepts)).toEqual([])
  })
})

describe('role-words', () => {
  const roles = ['owner', 'operator', 'billing_agent', 'data_controller', 'licensee']
  const words =
    readRuleFile<Record<string, Record<string, { before: string[]; after: string[] }>>>('role-words')
  const typesIn = (sentence: string): string[] =>
    readClaims(pageOf({ paragraphs: [sentence] }), {
      domain: 'luckyotter.example',
      pageType: 'terms',
    }).map(({ value }) => (value as Claim).claim_type)

  test.each(roles)('each phrase for the role %s gives the role to the company beside the phrase', role => {
    const end = role === 'licensee' ? ', MGA/B2C/9901/2019.' : '.'
    const sentences = Object.values(words[role] ?? {}).flatMap(({ before, after }) => [
      ...before.map(phrase => `Lucky Otter, ${phrase} Ottermoor Gaming Limited${end}`),
      ...after.map(phrase => `Ottermoor Gaming Limited ${phrase} Lucky Otter${end}`),
    ])
    const wrong = sentences.filter(sentence => !typesIn(sentence.replaceAll('…', ' ')).includes(role))
    expect(sentences.length).toBeGreaterThan(25)
    expect(wrong).toEqual([])
  })

  test('each phrase of who brings a site names its operator in a sentence about the site only', () => {
    const phrases = Object.values(words.operator_if_of_site ?? {}).flatMap(({ before, after }) => [
      ...before.map(phrase => `${phrase} Ottermoor Gaming Limited.`),
      ...after.map(phrase => `Ottermoor Gaming Limited ${phrase}.`),
    ])
    expect(phrases.length).toBeGreaterThan(25)
    expect(phrases.filter(each => !typesIn(`Lucky Otter, ${each}`).includes('operator'))).toEqual([])
    expect(phrases.filter(each => typesIn(`The main stage, ${each}`).length > 0)).toEqual([])
  })

  test('each phrase of a grant gives the license to the company to which it is granted', () => {
    const sentences = Object.values(words.grantee ?? {}).flatMap(({ before, after }) => [
      ...before.map(phrase => `Heron Ltd, MGA/B2C/9901/2019 ${phrase} Ottermoor Gaming Limited.`),
      ...after.map(phrase => `Heron Ltd, MGA/B2C/9901/2019, Ottermoor Gaming Limited ${phrase}.`),
    ])
    const licensees = (sentence: string) =>
      readClaims(pageOf({ paragraphs: [sentence.replaceAll(' … ', ' by the authority ')] }), {
        domain: 'luckyotter.example',
        pageType: 'terms',
      })
        .map(({ value }) => value as Claim)
        .filter(({ claim_type }) => claim_type === 'licensee')
        .map(({ claimed_name }) => claimed_name)
    expect(sentences.length).toBeGreaterThan(100)
    const wrong = sentences.filter(each => licensees(each).join() !== 'Ottermoor Gaming Limited')
    expect(wrong).toEqual([])
  })

  test('each language has a near miss that gives no role', () => {
    const languages = new Set(roles.flatMap(role => Object.keys(words[role] ?? {})))
    const { none } = nearMissesOf<{ none: Record<string, string> }>('role-words')
    expect(new Set(Object.keys(none))).toEqual(languages)
    expect(Object.values(none).filter(sentence => typesIn(sentence).length > 0)).toEqual([])
  })
})

test('every link text for legal pages is recognised as its type of page', () => {
  const types = readRuleFile<Record<string, { any: { link_text: string[] }[] }>>('legal-pages')
  const typesOf = (text: string) =>
    findLegalPages(pageOf({ links: [linkOf('/page', text)] }), 'luckyotter.example')
  for (const [type, { any }] of Object.entries(types)) {
    const texts = any.flatMap(each => each.link_text)
    expect([type, texts.filter(text => typesOf(text)[0]?.page_type !== type)]).toEqual([type, []])
  }
})

describe('registrant-privacy', () => {
  const words = readRuleFile<Lists>('registrant-privacy')
  const nearMisses = nearMissesOf('registrant-privacy')
  const statusOf = (organisation: string) => {
    const card = ['vcard', [['org', {}, 'text', organisation]]]
    return readRegistrant([{ entities: [{ roles: ['registrant'], vcardArray: card }] }]).disclosure_status
  }

  test.each(['words', 'services'])('a registrant with one of the privacy %s is redacted', list => {
    expect(words[list]?.filter(word => statusOf(`Otter ${word} Ltd`) !== 'redacted')).toEqual([])
    expect(nearMisses[list]?.length).toBeGreaterThan(0)
    expect(nearMisses[list]?.filter(name => statusOf(name) === 'redacted')).toEqual([])
  })

  test('a registrant with a word for organisations is public', () => {
    expect(words.organisations?.filter(word => statusOf(`Ottermoor ${word}`) !== 'public')).toEqual([])
    expect(nearMisses.organisations?.length).toBeGreaterThan(0)
    expect(nearMisses.organisations?.filter(name => statusOf(name) === 'public')).toEqual([])
  })

  test('a legal form that is also a surname is public only in capitals', () => {
    const surname = (form: string) => `${form.charAt(0).toUpperCase()}${form.slice(1)}`
    expect(words.surnames?.length).toBeGreaterThan(0)
    expect(words.surnames?.filter(form => statusOf(`Ottermoor ${form.toUpperCase()}`) !== 'public')).toEqual(
      [],
    )
    expect(words.surnames?.filter(form => statusOf(`Ana ${surname(form)}`) === 'public')).toEqual([])
  })
})
