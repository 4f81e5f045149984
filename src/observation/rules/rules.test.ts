import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { compileRules } from '../read/page/compile-rules.ts'
import { readRuleFiles } from '../read/page/load-rules.ts'
import { matchRules } from '../read/page/match-rules.ts'
import { parsePage } from '../read/page/parse-page.ts'
import type { Condition } from '../read/page/rule.ts'

type Page = string | { html: string; url?: string; status?: number; headers?: Record<string, string> }
type Fixtures = Record<string, { positive: Page; negative: Page }>

const files = readRuleFiles()
const compiled = compileRules(files.flatMap(file => file.rules))
const fixturesFolder = join(import.meta.dirname, 'fixtures')

function fixturesOf(file: string): Fixtures {
  const path = join(fixturesFolder, `${file}.yaml`)
  return existsSync(path) ? ((parse(readFileSync(path, 'utf8')) as Fixtures | null) ?? {}) : {}
}

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

/** Conditions of one kind that match by themselves. */
function hostsOf(condition: Condition): string[] {
  if ('any' in condition) return condition.any.flatMap(hostsOf)
  if ('all' in condition && condition.all.length === 1) return condition.all.flatMap(hostsOf)
  return 'host' in condition ? condition.host : []
}

describe.each(files)('rules of $name', ({ name, rules }) => {
  const fixtures = fixturesOf(name)

  test('each rule has a positive and a negative page, and each page has a rule', () => {
    const keys = rules.map(({ rule }) => rule.slice(name.length + 1))
    const complete = Object.keys(fixtures).filter(key => {
      const { positive, negative } = fixtures[key] ?? {}
      return positive !== undefined && negative !== undefined
    })
    expect(complete.toSorted()).toEqual(keys.toSorted())
  })

  test('each positive page matches its rule, and no negative page does', () => {
    const wrong = rules.flatMap(({ rule }) => {
      const { positive, negative } = fixtures[rule.slice(name.length + 1)] ?? {}
      return [
        ...(positive === undefined || rulesMatching(positive).includes(rule)
          ? []
          : [`${rule} misses its page`]),
        ...(negative === undefined || !rulesMatching(negative).includes(rule)
          ? []
          : [`${rule} matches its negative page`]),
      ]
    })
    expect(wrong).toEqual([])
  })

  test('a host without a path belongs to one rule', () => {
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

test('each file of rules has a file of fixtures, and each file of fixtures has one of rules', () => {
  const yamlIn = (folder: string) =>
    readdirSync(folder)
      .filter(file => file.endsWith('.yaml'))
      .toSorted()
  expect(yamlIn(fixturesFolder)).toEqual(yamlIn(import.meta.dirname))
})
