import { describe, expect, test } from 'vitest'
import { readRuleFile } from '../read-rule-file.ts'
import { findSeals } from './find-seals.ts'
import { linkOf, pageOf } from './fixture.ts'

const sealsOf = (...urls: string[]) => findSeals(pageOf({ links: urls.map(url => linkOf(url)) }))

const fixtures =
  readRuleFile<Record<string, { positive: string; negative: string }>>('fixtures/license-seals')

test('every market with seals has a positive and a negative link', () => {
  expect(Object.keys(fixtures)).toEqual(Object.keys(readRuleFile<object>('license-seals')))
})

test.each(Object.entries(fixtures))('a seal of %s is a link to its register', (market, fixture) => {
  expect(sealsOf(fixture.positive)).toMatchObject([{ market, url: fixture.positive }])
  expect(sealsOf(fixture.negative)).toEqual([])
})

describe('the number of a seal', () => {
  test.each([
    ['https://registers.gamblingcommission.gov.uk/39439', '39439'],
    ['https://www.gamblingcommission.gov.uk/public-register/business/detail/64928', '64928'],
    ['https://secure.gamblingcommission.gov.uk/PublicRegister/Search/Detail?accountNumber=39170', '39170'],
    ['https://secure.gamblingcommission.gov.uk/PublicRegister', null],
    ['https://cert.cga.cw/certificate?number=OGL%2F2024%2F887%2F0618', 'OGL/2024/887/0618'],
    ['https://cert.gcb.cw/certificate?id=', null],
  ])('the seal %s has the number %s', (url, number) => {
    expect(sealsOf(url)).toMatchObject([{ number }])
  })
})

test('equal links to a certificate are one seal', () => {
  expect(
    sealsOf('https://cert.gcb.cw/certificate?id=1', 'https://cert.gcb.cw/certificate?id=1'),
  ).toHaveLength(1)
})
