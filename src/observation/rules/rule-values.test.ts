import { expect, test } from 'vitest'
import { paymentCategories } from '../../core/value-sets.ts'
import { readRuleFiles } from '../read/page/load-rules.ts'
import type { Condition, Rule } from '../read/page/rule.ts'

const rulesOf = (file: string): Rule[] => readRuleFiles().find(({ name }) => name === file)?.rules ?? []

function kindsOf(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(kindsOf)
  if ('any' in condition) return condition.any.flatMap(kindsOf)
  if ('not' in condition) return kindsOf(condition.not)
  return Object.keys(condition)
}

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
  expect(rules.length).toBeGreaterThanOrEqual(40)
  expect(rules.filter(({ rule, value }) => `platforms/${value.platform}` !== rule || !value.name)).toEqual([])
  expect(new Set(rules.flatMap(({ condition }) => kindsOf(condition)))).toEqual(new Set(['host']))
})

test('an affiliate system is known by the hosts that sites link to', () => {
  const rules = rulesOf('affiliate-systems')
  expect(rules.length).toBeGreaterThanOrEqual(60)
  expect(new Set(rules.flatMap(({ condition }) => kindsOf(condition)))).toEqual(new Set(['link']))
})
