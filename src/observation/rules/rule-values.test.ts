import { expect, test } from 'vitest'
import { paymentCategories } from '../../core/value-sets.ts'
import { readClaimRules } from '../read/claims/number-rules.ts'
import { readRuleFiles } from '../read/page/load-rules.ts'
import type { Condition, Rule } from '../read/page/rule.ts'

/** Fewer would miss what sites show. */
const rulesMin = { 'payment-methods': 120, suppliers: 150, platforms: 40, 'affiliate-systems': 60 }
const marketsMin = 25
const languagesMin = 25

const rulesOf = (file: string): Rule[] => readRuleFiles().find(({ name }) => name === file)?.rules ?? []

function kindsOf(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(kindsOf)
  if ('any' in condition) return condition.any.flatMap(kindsOf)
  if ('not' in condition) return kindsOf(condition.not)
  return Object.keys(condition)
}

test.each(Object.entries(rulesMin))('%s have at least %i rules', (file, least) => {
  expect(rulesOf(file).length).toBeGreaterThanOrEqual(least)
})

test('numbers and seals of licenses are known of at least 25 markets each', () => {
  const { markets } = readClaimRules<{ markets: Record<string, { numbers: unknown[] }> }>(
    'license-numbers.yaml',
  )
  const numbered = Object.values(markets).filter(({ numbers }) => numbers.length > 0)
  const sealed = Object.values(readClaimRules<Record<string, { links: string[] }>>('license-seals.yaml'))
  expect(numbered.length).toBeGreaterThanOrEqual(marketsMin)
  expect(sealed.filter(({ links }) => links.length > 0).length).toBeGreaterThanOrEqual(marketsMin)
})

test('words of each role are known in at least 25 languages', () => {
  const roles = readClaimRules<Record<string, object>>('role-words.yaml')
  const few = Object.keys(roles).filter(role => Object.keys(roles[role] ?? {}).length < languagesMin)
  expect(few).toEqual([])
})

test('a payment method is its key in a known category', () => {
  const wrong = rulesOf('payment-methods').filter(
    ({ rule, value }) =>
      `payment-methods/${value.normalized_name}` !== rule ||
      !(paymentCategories as readonly unknown[]).includes(value.category) ||
      Object.keys(value).length !== 2,
  )
  expect(wrong).toEqual([])
})

test('text counts for a payment method only on a page about payments', () => {
  const general = rulesOf('payment-methods').filter(({ condition }) =>
    kindsOf(condition).some(kind => ['text', 'link_text', 'title'].includes(kind)),
  )
  expect(general.map(({ rule }) => rule)).toEqual([])
})

test('each supplier has one name of its own', () => {
  const names = rulesOf('suppliers').map(({ value }) => Object.entries(value))
  expect(
    names.filter(([entry, ...others]) => entry?.[0] !== 'normalized_provider_name' || others[0]),
  ).toEqual([])
  expect(new Set(names.map(([entry]) => entry?.[1])).size).toBe(names.length)
})

test('a platform is its key and has a name, and only what a page loads shows it', () => {
  const rules = rulesOf('platforms')
  expect(rules.filter(({ rule, value }) => `platforms/${value.platform}` !== rule || !value.name)).toEqual([])
  expect(new Set(rules.flatMap(({ condition }) => kindsOf(condition)))).toEqual(new Set(['host']))
})

test('an affiliate system is known by the hosts that sites link to', () => {
  const rules = rulesOf('affiliate-systems')
  expect(new Set(rules.flatMap(({ condition }) => kindsOf(condition)))).toEqual(new Set(['link']))
})
