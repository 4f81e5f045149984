import { describe, expect, test } from 'vitest'
import { parsed } from './fixture.ts'
import { loadRules } from './load-rules.ts'
import { matchRules } from './match-rules.ts'

const { rules } = loadRules()

function brandsOn(html: string, file = 'payment-methods'): string[] {
  return matchRules(parsed(`<html><body>${html}</body></html>`), rules)
    .filter(({ rule }) => rule.startsWith(`${file}/`))
    .map(({ rule }) => rule.slice(file.length + 1))
    .toSorted()
}
const items = (...names: string[]) => `<ul>${names.map(name => `<li>${name}</li>`).join('')}</ul>`

describe('payment methods in a list', () => {
  test.each([
    [
      'items of a list',
      items('Visa', 'Mastercard', 'Skrill', 'Pix'),
      ['mastercard', 'pix', 'skrill', 'visa'],
    ],
    [
      'names between signs',
      '<p>Visa · Skrill | Neteller • iDEAL</p>',
      ['ideal', 'neteller', 'skrill', 'visa'],
    ],
    [
      'names in a row',
      '<div><span>Visa</span> <span>Skrill</span> <span>Sofort</span></div>',
      ['skrill', 'sofort', 'visa'],
    ],
    [
      'a sentence with commas',
      '<p>We accept Visa, Skrill, Neteller and Pix.</p>',
      ['neteller', 'pix', 'skrill', 'visa'],
    ],
    [
      'a table with other cells',
      `<h1>Payment methods</h1><table>
      <tr><td>Swish</td><td>100 kr</td><td>At once</td></tr><tr><td>Zimpler</td><td>50 kr</td></tr></table>`,
      ['swish', 'zimpler'],
    ],
  ])('payment methods in a list are read as %s', (_title, html, expected) => {
    expect(brandsOn(html)).toEqual(expected)
  })

  test.each([
    ['two names on a page of another subject', items('Skrill', 'Neteller')],
    ['ordinary words alone', items('Dash', 'Wave', 'Rocket', 'Ideal')],
    [
      'names in sentences',
      items('Skrill was founded in 2001', 'Neteller is older', 'paysafecard is Austrian'),
    ],
    ['names far from each other', items('Skrill', ...'abcdefgh', 'Neteller', ...'abcdefgh', 'Paysafecard')],
    ['what is not accepted', `<p>We do not accept: Skrill, Neteller, Paysafecard</p>`],
    ['what comes later', `<h2>Coming soon</h2>${items('Skrill', 'Neteller', 'Paysafecard')}`],
  ])('payment methods are not read from %s', (_title, html) => {
    expect(brandsOn(html)).toEqual([])
  })
})

describe('studios in a list', () => {
  test('a list names studios by short names, also with numbers of games between them', () => {
    const filter = items('NetEnt', '120', 'Iron Dog', '14', 'Thunderkick', '80', 'Rival', '9')
    expect(brandsOn(filter, 'suppliers')).toEqual([
      'iron-dog-studio',
      'netent',
      'rival-gaming',
      'thunderkick',
    ])
  })

  test('titles of games beside one studio are not read as studios', () => {
    expect(brandsOn(items('Revolver', 'Amigo', 'Darwin', 'NetEnt'), 'suppliers')).toEqual(['netent'])
  })
})

test('the snippet of a brand in a list is its list item', () => {
  const page = parsed(items('Visa', 'Skrill', 'Neteller'))
  const visa = matchRules(page, rules).find(({ rule }) => rule === 'payment-methods/visa')
  expect(visa).toMatchObject({ kind: 'list', strength: 1, snippet: 'Visa' })
})
