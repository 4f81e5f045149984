import { expect, test } from 'vitest'
import { loadRules } from '../page/load-rules.ts'
import type { Condition, Rule } from '../page/rule.ts'
import { readRuleFile } from '../read-rule-file.ts'

/** Fewer rules would miss brands that sites show. */
const rulesMin = { 'payment-methods': 120, suppliers: 150, platforms: 40, 'affiliate-systems': 60 }
const marketsMin = 25
const languagesMin = 25

const rulesOf = (file: string): Rule[] => loadRules().files.find(({ name }) => name === file)?.rules ?? []

function kindsOf(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(kindsOf)
  if ('any' in condition) return condition.any.flatMap(kindsOf)
  if ('not' in condition) return kindsOf(condition.not)
  return Object.keys(condition)
}

test.each(Object.entries(rulesMin))('the file %s has at least %i rules', (file, least) => {
  expect(rulesOf(file).length).toBeGreaterThanOrEqual(least)
})

test('license numbers and seals are known for at least 25 markets each', () => {
  const { markets } = readRuleFile<{ markets: Record<string, { numbers: unknown[] }> }>('license-numbers')
  const numbered = Object.values(markets).filter(({ numbers }) => numbers.length > 0)
  const sealed = Object.values(readRuleFile<Record<string, { links: string[] }>>('license-seals'))
  expect(numbered.length).toBeGreaterThanOrEqual(marketsMin)
  expect(sealed.filter(({ links }) => links.length > 0).length).toBeGreaterThanOrEqual(marketsMin)
})

/** Other languages have no such form of words. */
const formsOfSomeLanguages = ['after_registration_number', 'operator_if_of_site']

test('words of each role are known in at least 25 languages', () => {
  const roles = readRuleFile<Record<string, object>>('role-words')
  const few = Object.keys(roles)
    .filter(role => !formsOfSomeLanguages.includes(role))
    .filter(role => Object.keys(roles[role] ?? {}).length < languagesMin)
  expect(few).toEqual([])
})

test('the value of a payment method is its key, with a category', () => {
  const wrong = rulesOf('payment-methods').filter(
    ({ rule, value }) =>
      `payment-methods/${value.normalized_name}` !== rule ||
      typeof value.category !== 'string' ||
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

test('each supplier has one name, and no two suppliers share a name', () => {
  const names = rulesOf('suppliers').map(({ value }) => Object.entries(value))
  expect(
    names.filter(([entry, ...others]) => entry?.[0] !== 'normalized_provider_name' || others[0]),
  ).toEqual([])
  expect(new Set(names.map(([entry]) => entry?.[1])).size).toBe(names.length)
})

test('a platform has its key and a name, and is matched only by hosts that a page loads', () => {
  const rules = rulesOf('platforms')
  expect(rules.filter(({ rule, value }) => `platforms/${value.platform}` !== rule || !value.name)).toEqual([])
  expect(new Set(rules.flatMap(({ condition }) => kindsOf(condition)))).toEqual(new Set(['host']))
})

test('an affiliate system is matched only by hosts that sites link to', () => {
  const rules = rulesOf('affiliate-systems')
  expect(new Set(rules.flatMap(({ condition }) => kindsOf(condition)))).toEqual(new Set(['link']))
})
