import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { pageSource } from '../page/fixture.ts'
import { readPage } from '../page/read-page.ts'
import { readLinkWords } from '../sections/affiliate-programs.ts'

type Fixtures = Record<'words' | 'alone', Record<string, { positive: string; negative: string }>>

const file = new URL('fixtures/link-words.yaml', import.meta.url)
const fixtures = load(readFileSync(file, 'utf8')) as Fixtures
const declared = readLinkWords()

const programs = (html: string, domain = 'luckyotter.example') =>
  readPage({ source: pageSource(html), domain, pageType: null })
    .findings.filter(({ section }) => section === 'affiliate_programs')
    .map(({ valueKey }) => valueKey)

describe.each(['words', 'alone'] as const)('program words of the list %s', kind => {
  test('each language has a link to a program, and a near miss', () => {
    const languages = Object.keys(declared[kind])
    expect(languages.length).toBeGreaterThanOrEqual(25)
    expect(Object.keys(fixtures[kind]).toSorted()).toEqual(languages.toSorted())
    const wrong = languages.filter(language => {
      const { positive, negative } = fixtures[kind][language] ?? { positive: '', negative: '' }
      return programs(positive).length !== 1 || programs(negative).length > 0
    })
    expect(wrong).toEqual([])
  })
})

describe('hosts of programs', () => {
  test.each([
    ['a host label', 'https://affiliates.ottergroup.example/', true],
    ['a domain of the same name', 'https://luckyotterpartners.example/', true],
    ['a domain of another name', 'https://heronpartners.example/', false],
    ['the site itself', 'https://www.luckyotter.example/games', false],
    ['a path', 'https://ottergroup.example/affiliates', false],
    ['a link that counts clicks', 'https://partners.heron.example/click?btag=1', false],
  ])('a link is recognised as a program, or not, by its host: %s', (_name, url, isProgram) => {
    expect(programs(`<a href="${url}">More</a>`)).toEqual(isProgram ? [url] : [])
  })

  test('a site whose own name contains "partners" is not its own affiliate program', () => {
    const link = '<a href="https://www.otter-partners.example/games">Games</a>'
    expect(programs(link, 'otter-partners.example')).toEqual([])
  })
})

test('a headline or a sentence in a link is not the name of a program', () => {
  expect(
    programs('<a href="/n">Court rules that the affiliate of a bookmaker has to pay a fine</a>'),
  ).toEqual([])
  expect(programs('<a href="/n">Affiliate links</a>')).toEqual([])
})
