import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { pageSource } from '../read/page/fixture.ts'
import { readPage } from '../read/page/read-page.ts'
import { readLinkWords } from '../read/sections/link-words.ts'

type Fixtures = Record<'words' | 'alone', Record<string, { positive: string; negative: string }>>

const file = new URL('fixtures/link-words.yaml', import.meta.url)
const fixtures = parse(readFileSync(file, 'utf8')) as Fixtures
const declared = readLinkWords()

const programs = (html: string, domain = 'luckyotter.example') =>
  readPage({ source: pageSource(html), domain, pageType: null })
    .findings.filter(({ section }) => section === 'affiliate_programs')
    .map(({ valueKey }) => valueKey)

describe.each(['words', 'alone'] as const)('%s', kind => {
  test('each language has a link of its own, and a near miss', () => {
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

describe('hosts', () => {
  test.each([
    ['a host label', 'https://affiliates.ottergroup.example/', true],
    ['a domain of the same name', 'https://luckyotterpartners.example/', true],
    ['a domain of another name', 'https://heronpartners.example/', false],
    ['the site itself', 'https://www.luckyotter.example/games', false],
    ['a path', 'https://ottergroup.example/affiliates', false],
    ['a link that counts clicks', 'https://partners.heron.example/click?btag=1', false],
  ])('%s', (_name, url, isProgram) => {
    expect(programs(`<a href="${url}">More</a>`)).toEqual(isProgram ? [url] : [])
  })

  test('a site that is called partners is no programme of its own', () => {
    const link = '<a href="https://www.otter-partners.example/games">Games</a>'
    expect(programs(link, 'otter-partners.example')).toEqual([])
  })
})

test('a headline or a sentence is not the name of a programme', () => {
  expect(
    programs('<a href="/n">Court rules that the affiliate of a bookmaker has to pay a fine</a>'),
  ).toEqual([])
  expect(programs('<a href="/n">Affiliate links</a>')).toEqual([])
})
