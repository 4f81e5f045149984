import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadRules } from '../page/load-rules.ts'
import { matchRules } from '../page/match-rules.ts'
import { parsePage } from '../page/parse-page.ts'
import type { Condition } from '../page/rule.ts'
import { readRuleFile } from '../read-rule-file.ts'
import { pagesOf } from './fixture.ts'

type Page = string | { html: string; url?: string; status?: number; headers?: Record<string, string> }
/** Pages written by hand, for brands whose pages cannot be generated from the rule. */
type Fixtures = Record<string, { positive?: Page; negative?: Page }>

const { files, rules: compiled } = loadRules()
const written = readdirSync(new URL('fixtures', import.meta.url))

const fixturesOf = (file: string): Fixtures =>
  written.includes(`${file}.yaml`) ? readRuleFile<Fixtures>(`fixtures/${file}`) : {}

function rulesMatching(page: Page): string[] {
  const { html, url, status, headers } = typeof page === 'string' ? { html: page } : page
  const fields = parsePage({
    url: url ?? 'https://luckyotter.example/',
    status: status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: new TextEncoder().encode(html),
  })
  return matchRules(fields, compiled).map(({ rule }) => rule)
}

/** Returns the hosts of conditions that match alone. */
function hostsOf(condition: Condition): string[] {
  if ('any' in condition) return condition.any.flatMap(hostsOf)
  if ('all' in condition && condition.all.length === 1) return condition.all.flatMap(hostsOf)
  return 'host' in condition ? condition.host : []
}

describe.each(files)('rules of $name', ({ name, rules }) => {
  const fixtures = fixturesOf(name)

  test('each rule matches the page made from its words, and not the page of near misses', () => {
    const wrong = rules.flatMap(rule => {
      const { shows, nearMisses } = pagesOf(rule)
      return [
        ...shows.filter(page => !rulesMatching(page).includes(rule.rule)),
        ...(nearMisses !== '' && rulesMatching(nearMisses).includes(rule.rule) ? [nearMisses] : []),
      ].map(page => `${rule.rule}: ${page}`)
    })
    expect(wrong).toEqual([])
  })

  test('each rule that has no page made from its words has written pages that match and do not', () => {
    const keyOf = (rule: string) => rule.slice(name.length + 1)
    const missing = rules
      .filter(rule => pagesOf(rule).shows.length === 0)
      .map(({ rule }) => keyOf(rule))
      .filter(key => fixtures[key]?.positive === undefined || fixtures[key]?.negative === undefined)
    const keys = new Set(rules.map(({ rule }) => keyOf(rule)))
    expect(missing).toEqual([])
    expect(Object.keys(fixtures).filter(key => !keys.has(key))).toEqual([])
  })

  test('each rule matches its written page, and not its written near miss', () => {
    const wrong = rules.flatMap(({ rule }) => {
      const { positive, negative } = fixtures[rule.slice(name.length + 1)] ?? {}
      return [
        ...(positive === undefined || rulesMatching(positive).includes(rule)
          ? []
          : [`${rule} misses its page`]),
        ...(negative === undefined || !rulesMatching(negative).includes(rule)
          ? []
          : [`${rule} matches its near miss`]),
      ]
    })
    expect(wrong).toEqual([])
  })

  test('a host without a path belongs to one rule only', () => {
    const owners = Map.groupBy(
      rules.flatMap(({ rule, condition }) => hostsOf(condition).map(host => ({ rule, host }))),
      ({ host }) => host,
    )
    const twice = [...owners]
      .filter(([host, each]) => !host.includes('/') && each.length > 1)
      .map(([host, each]) => `${host}: ${each.map(({ rule }) => rule).join(', ')}`)
    expect(twice).toEqual([])
  })
})

test('each file of fixtures belongs to a file of rules', () => {
  const rules = readdirSync(import.meta.dirname)
  expect(written.filter(file => !rules.includes(file))).toEqual([])
})
