import { describe, expect, test } from 'vitest'
import { decodeProtectedEmail, iconNames } from './icon-names.ts'

const named = (tag: string, attributes: Record<string, string>) =>
  iconNames(tag, new Map(Object.entries(attributes)))

describe('names of pictures that style sheets draw', () => {
  test.each([
    ['span', { class: 'icon icon-visa-debit' }, ['visa debit']],
    ['i', { class: 'payment-icon--m10' }, ['m10']],
    ['div', { class: 'logo logo--bizum' }, ['bizum']],
    ['span', { 'data-method': 'neteller' }, ['neteller']],
    ['li', { 'aria-label': 'Tether' }, ['Tether']],
    ['a', { class: 'icon-visa', title: 'Visa' }, []],
    ['div', { class: 'visa-requirements iconvisa' }, []],
    ['div', { title: 'x'.repeat(100) }, []],
  ])('the element %s with %o has the expected icon names', (tag, attributes, expected) => {
    expect(named(tag, attributes as unknown as Record<string, string>)).toEqual(expected)
  })
})

test('an e-mail address that Cloudflare has obfuscated is decoded, and other text is not', () => {
  const hidden = Buffer.from([0x42, ...[...Buffer.from('help@otter.example')].map(byte => byte ^ 0x42)])
  expect(decodeProtectedEmail(hidden.toString('hex'))).toBe('help@otter.example')
  for (const code of ['', 'zz', '4', '42aa', 'x'.repeat(20)]) expect(decodeProtectedEmail(code)).toBe(null)
})
