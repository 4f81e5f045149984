import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findLegalPages } from '../read/claims/choose-pages.ts'
import { linkOf, pageOf } from '../read/claims/fixture.ts'
import { type Claim, readClaims } from '../read/claims/read-claims.ts'
import { pageWords } from '../read/page/page-words.ts'
import { PhraseIndex } from '../read/page/phrase-index.ts'
import { readRegistrant } from '../read/registration/read-registrant.ts'

type Texts = { positive: string[]; negative: string[] }

const read = <Content>(path: string) =>
  parse(readFileSync(new URL(path, import.meta.url), 'utf8'), { maxAliasCount: -1 }) as Content
const rulesOf = <Rules>(name: string) => read<Rules>(`${name}.yaml`)
const fixturesOf = <Fixtures>(name: string) => read<Fixtures>(`fixtures/${name}.yaml`)

const hasWord = (words: readonly string[]) => {
  const index = PhraseIndex.of(words)
  return (text: string) => index.has(pageWords(text))
}

describe.each([
  ['related-words', 'mirror'],
  ['related-words', 'sisters'],
  ['payment-words', 'pages'],
  ['payment-words', 'refusals'],
  ['payment-words', 'announcements'],
])('%s, %s', (file, list) => {
  const words = rulesOf<Record<string, string[]>>(file)[list] as string[]
  const texts = fixturesOf<Record<string, Texts>>(file)[list] as Texts

  test('each word is in a text', () => {
    expect(words.filter(word => !texts.positive.some(hasWord([word])))).toEqual([])
  })

  test('each text has a word, and no near miss does', () => {
    const shows = hasWord(words)
    expect(texts.positive.filter(text => !shows(text))).toEqual([])
    expect(texts.negative.length).toBeGreaterThan(0)
    expect(texts.negative.filter(shows)).toEqual([])
  })
})

test('payment-words, sentences: each line has a text, and a near miss', () => {
  const lines = rulesOf<{ sentences: string[][] }>('payment-words').sentences
  const { sentences } = fixturesOf<{ sentences: { positive: string; negative: string }[] }>('payment-words')
  expect(sentences.length).toBe(lines.length)
  const all = hasWord(lines.flat())
  const wrong = lines.filter((line, at) => {
    const { positive, negative } = sentences[at] ?? { positive: '', negative: '' }
    return !hasWord(line)(positive) || negative === '' || all(negative)
  })
  expect(wrong).toEqual([])
})

describe('role-words', () => {
  const roles = ['owner', 'operator', 'billing_agent', 'data_controller', 'licensee']
  const rules = rulesOf<Record<string, Record<string, unknown>>>('role-words')
  const fixtures = fixturesOf<Record<string, Record<string, string>>>('role-words')
  const typesIn = (sentence: string) =>
    readClaims(pageOf({ paragraphs: [sentence] }), {
      domain: 'luckyotter.example',
      capture: 0,
      pageType: 'terms',
    }).map(({ value }) => (value as Claim).claim_type)

  test.each(roles)('%s: each language has a sentence that gives the role', role => {
    expect(Object.keys(fixtures[role] ?? {})).toEqual(Object.keys(rules[role] ?? {}))
    const wrong = Object.values(fixtures[role] ?? {}).filter(
      sentence => !(typesIn(sentence) as string[]).includes(role),
    )
    expect(wrong).toEqual([])
  })

  test('each language has a near miss that gives no role', () => {
    const languages = new Set(roles.flatMap(role => Object.keys(rules[role] ?? {})))
    const { none = {} } = fixtures
    expect(new Set(Object.keys(none))).toEqual(languages)
    expect(Object.values(none).filter(sentence => typesIn(sentence).length > 0)).toEqual([])
  })
})

test('legal-pages: a link in each language leads to each type of page', () => {
  const rules = rulesOf<Record<string, { any: unknown[] }>>('legal-pages')
  const fixtures = fixturesOf<Record<string, { links: Record<string, string> }>>('legal-pages')
  for (const [type, { any }] of Object.entries(rules)) {
    const { links = {} } = fixtures[type] ?? {}
    expect([type, Object.keys(links).length]).toEqual([type, any.length])
    const typesOf = (text: string) =>
      findLegalPages(pageOf({ links: [linkOf('/page', text)] }), 'luckyotter.example')
    const wrong = Object.values(links).filter(text => typesOf(text)[0]?.page_type !== type)
    expect([type, wrong]).toEqual([type, []])
  }
})

describe.each([
  ['words', 'redacted'],
  ['services', 'redacted'],
  ['organisations', 'public'],
  ['surnames', 'public'],
])('registrant-privacy, %s', (list, status) => {
  const words = rulesOf<Record<string, string[]>>('registrant-privacy')[list] as string[]
  const texts = fixturesOf<Record<string, Texts>>('registrant-privacy')[list] as Texts
  const statusOf = (organisation: string) => {
    const card = ['vcard', [['org', {}, 'text', organisation]]]
    return readRegistrant([{ entities: [{ roles: ['registrant'], vcardArray: card }] }]).disclosure_status
  }

  test('each word is in a name, and no near miss counts', () => {
    const isNamed = (word: string) => texts.positive.some(text => text.toLowerCase().includes(word))
    expect(words.filter(word => !isNamed(word))).toEqual([])
    expect(texts.positive.filter(text => statusOf(text) !== status)).toEqual([])
    expect(texts.negative.length).toBeGreaterThan(0)
    expect(texts.negative.filter(text => statusOf(text) === status)).toEqual([])
  })
})
