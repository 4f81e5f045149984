import { expect, test } from 'vitest'
import { catalogue } from '../../catalogue.ts'
import { prices } from '../../metering/pricing.ts'
import { identifierName, identifierWords } from './identifiers.ts'
import { memberName } from './words.ts'

test('every operation and price of the API has words for people, with the identifier on hover', () => {
  const all = [...catalogue.map(each => each.name), ...Object.keys(prices)]
  expect(all.filter(each => identifierName(each) === memberName(each))).toEqual([])
  expect(identifierWords('domain.verdict').text).toBe('<span title="domain.verdict">Verdict of a site</span>')
})

test('an unknown identifier is shown as words', () => {
  expect(identifierName('made_later')).toBe('Made later')
})
