import { expect, test } from 'vitest'
import { readTitle } from './read-title.ts'
import type { JobFunction, RoleKey } from './role-glossary.ts'
import { patternsAt } from './words.ts'

const leaders = ['Head of …', 'Director of …', '… Director', 'VP …', 'Vice President, …', '… Lead', 'Lead, …']

/** Returns the English words of the function's first pattern that match no other key. */
const named = (jobFunction: string, others: readonly string[] = []) =>
  (patternsAt(`functions.${jobFunction}.words`)[0] ?? '')
    .slice(1, -1)
    .split('|')
    .filter(words => /^[a-z ]+$/.test(words) && !others.includes(words))

const groups: [key: RoleKey, jobFunction: JobFunction, words: string[]][] = [
  ['marketing_leads', 'marketing', [...named('marketing', ['cmo']), 'product marketing']],
  ['product_leads', 'product', ['product', 'products', 'ux', 'casino product']],
  ['compliance', 'compliance', named('compliance')],
  ['affiliates', 'affiliates', ['affiliate', 'affiliates', 'affiliation', 'partner program']],
  ['payments', 'payments', named('payments')],
]

test("the role, function and seniority of a leader's title agree", () => {
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

test('an abbreviated title reads like its long form, also with spaces or dots', () => {
  // Ambiguous abbreviations (CCO, CRO, CDO) are not tested.
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
