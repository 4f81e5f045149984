import { expect, test } from 'vitest'
import { NearTexts, replacementOf } from './misprint.ts'

/** Returns the domain that replaces `wrong`, among new ones and others of the list. */
function judged(wrong: string, fresh: string[], { others = [] as string[], hasReturned = false } = {}) {
  const near = new NearTexts([wrong])
  for (const domain of [...fresh, ...others]) near.add(domain)
  const candidates = fresh.map(domain => ({ domain, recordKey: `www.${domain}@2026-01-02`, hasReturned }))
  const entry = { domain: wrong, recordKey: `www.${wrong}@2026-01-02` }
  return replacementOf(entry, candidates, near.of(wrong))?.domain
}

test.each([
  ['another letter', 'lucbyotter.com', 'luckyotter.com'],
  ['a letter too many', 'luckyotterr.com', 'luckyotter.com'],
  ['a letter too few', 'lckyotter.com', 'luckyotter.com'],
  ['two letters swapped', 'lukcyotter.com', 'luckyotter.com'],
  ['UTF-8 encoded twice', 'xn--gr14n-bra6437c.de', 'xn--grn-ioa.de'],
])('a new site replaces its misprint: %s', (_, wrong, right) => {
  expect(judged(wrong, [right])).toBe(right)
  expect(judged(wrong, [right, 'fox.com'], { others: ['owl.com'] })).toBe(right)
})

test.each([
  ['the next mirror by number', 'bet365.com', ['bet366.com'], []],
  ['a mirror with one digit more', 'bet36.com', ['bet365.com'], []],
  ['a mirror with its digits swapped', 'bet12.com', ['bet21.com'], []],
  ['a number in place of a letter', 'betl.com', ['bet1.com'], []],
  ['the next mirror by letter', 'otterbet-a.com', ['otterbet-b.com'], ['otterbet-c.com']],
  ['one of two new sites', 'otterbet-a.com', ['otterbet-b.com', 'otterbet-c.com'], []],
  ['another suffix', 'otter.co', ['otter.com'], []],
  ['another country', 'otter.es', ['otter.ee'], []],
  ['two edits', 'lukcyottr.com', ['luckyotter.com'], []],
])('a new site does not replace another one: %s', (_, gone, fresh, others) => {
  expect(judged(gone, fresh, { others })).toBeUndefined()
})

test('a site that was missing while its misprint was listed replaces the misprint', () => {
  expect(judged('bet366.com', ['bet365.com'], { hasReturned: true })).toBe('bet365.com')
  expect(judged('otter.cam', ['otter.com'], { hasReturned: true })).toBe('otter.com')
  expect(judged('bet366.com', ['bet365.com', 'bet367.com'], { hasReturned: true })).toBeUndefined()
})

test('a returned host replaces its misprint, even if a misprinted dot made another domain', () => {
  const entry = { domain: 'er1.com', recordKey: 'lucky.er1.com' }
  const returned = { domain: 'luckyter1.com', recordKey: 'luckyter1.com', hasReturned: true }
  expect(replacementOf(entry, [returned], new Set())).toBe(returned)
  expect(replacementOf(entry, [{ ...returned, hasReturned: false }], new Set())).toBeUndefined()
})

test('an entry with another host, page or listing date is not a misprint', () => {
  const candidate = { domain: 'otter.com', hasReturned: true }
  const entry = { domain: 'ottes.com', recordKey: 'www.ottes.com/en@2026-01-02' }
  const near = new Set(['otter.com'])
  const replaces = (recordKey: string) =>
    replacementOf(entry, [{ ...candidate, recordKey }], near) !== undefined
  expect(replaces('www.otter.com/en@2026-01-02')).toBe(true)
  for (const key of ['otter.com/en@2026-01-02', 'www.otter.com@2026-01-02', 'www.otter.com/en@2026-01-03'])
    expect(replaces(key)).toBe(false)
})
