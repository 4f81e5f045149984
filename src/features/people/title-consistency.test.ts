import { expect, test } from 'vitest'
import { functionWords } from './function-words.ts'
import { readTitle } from './read-title.ts'
import type { RoleKey } from './role-glossary.ts'

const leaders = ['Head of …', 'Director of …', '… Director', 'VP …', 'Vice President, …', '… Lead', 'Lead, …']

/** English words of the function's first pattern that match no other key. */
const named = (pattern: string, others: readonly string[] = []) =>
  pattern
    .slice(1, -1)
    .split('|')
    .filter(words => /^[a-z ]+$/.test(words) && !others.includes(words))

const groups: [key: RoleKey, jobFunction: keyof typeof functionWords, words: string[]][] = [
  [
    'marketing_leads',
    'marketing',
    [...named(functionWords.marketing.words[0], ['cmo']), 'product marketing'],
  ],
  ['product_leads', 'product', ['product', 'products', 'ux', 'casino product']],
  ['compliance', 'compliance', named(functionWords.compliance.words[0])],
  ['affiliates', 'affiliates', ['affiliate', 'affiliates', 'affiliation', 'partner program']],
  ['payments', 'payments', named(functionWords.payments.words[0])],
]

test('key, function and seniority of a leader agree', () => {
  const wrong = groups.flatMap(([key, jobFunction, words]) => {
    const titles = words.flatMap(word => leaders.map(leader => leader.replace('…', word)))
    return titles.filter(title => {
      const reading = readTitle(title)
      return (
        !reading.roleKeys.includes(key) ||
        reading.function !== jobFunction ||
        !leads(reading.seniority) ||
        reading.roleKeys.includes('decision_makers') !== (reading.seniority !== 'lead')
      )
    })
  })
  expect(wrong).toEqual([])
})

const leads = (seniority: string | null) =>
  ['c_level', 'founder_owner', 'vp', 'head', 'director', 'lead'].includes(seniority ?? '')

test('an abbreviation reads like its long form, also with spaces or dots', () => {
  // Ambiguous abbreviations (CCO, CRO, CDO) are left out.
  const abbreviations: [letters: string, long: string][] = [
    ['CEO', 'Chief Executive Officer'],
    ['CTO', 'Chief Technology Officer'],
    ['CIO', 'Chief Information Officer'],
    ['CISO', 'Chief Information Security Officer'],
    ['CMO', 'Chief Marketing Officer'],
    ['CPO', 'Chief Product Officer'],
    ['CPTO', 'Chief Product and Technology Officer'],
    ['CTPO', 'Chief Technology and Product Officer'],
    ['COO', 'Chief Operating Officer'],
    ['CFO', 'Chief Financial Officer'],
    ['CLO', 'Chief Legal Officer'],
    ['CHRO', 'Chief Human Resources Officer'],
  ]
  for (const [letters, long] of abbreviations)
    for (const spelling of [letters, letters.split('').join(' '), letters.split('').join('.')])
      expect(readTitle(spelling), spelling).toEqual(readTitle(long))
})
