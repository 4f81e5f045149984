/** Loads the rules of all files, once per thread. Rules are part of the program: an error stops the start. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, parse as parsePath } from 'node:path'
import { parseDocument } from 'yaml'
import { checkRule } from './check-rule.ts'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import type { Rule } from './rule.ts'

const rulesFolder = join(import.meta.dirname, '../../rules')

/** To be raised when parsing or matching reads something else from the same page. */
const readerVersion = 4
const versionCharacters = 12

/** Files with a format of their own, and their own reader. */
const ownFormats = new Set([
  'dns-fingerprints',
  'license-numbers',
  'license-seals',
  'link-words',
  'payment-words',
  'registrant-privacy',
  'related-words',
  'role-words',
])

export type RuleFile = { name: string; rules: Rule[] }

export function readRuleFiles(folder = rulesFolder): RuleFile[] {
  return ruleFileNames(folder)
    .map(file => ({ name: parsePath(file).name, path: join(folder, file) }))
    .filter(({ name }) => !ownFormats.has(name))
    .map(({ name, path }) => ({ name, rules: readRules(name, readFileSync(path, 'utf8')) }))
}

const ruleFileNames = (folder: string) =>
  readdirSync(folder)
    .filter(file => file.endsWith('.yaml'))
    .toSorted()

/** `name` is the file's, without extension. Throws an error that lists every problem with its key. */
export function readRules(name: string, text: string): Rule[] {
  const document = parseDocument(text, { stringKeys: true })
  const unreadable = [...document.errors, ...document.warnings].map(
    ({ message }) => `${name}.yaml: ${message}`,
  )
  if (unreadable.length > 0) throw new Error(unreadable.join('\n'))
  const declared: unknown = document.toJS({ maxAliasCount: -1 }) ?? {}
  if (typeof declared !== 'object' || Array.isArray(declared))
    throw new Error(`${name}.yaml must be a mapping of rules`)
  const problems: string[] = []
  const rules = Object.entries(declared as object).flatMap(([key, rule]) => {
    const checked = checkRule(rule)
    problems.push(...checked.problems.map(problem => `${name}.yaml, ${key}: ${problem}`))
    return checked.condition === null
      ? []
      : [{ ...checked, rule: `${name}/${key}`, condition: checked.condition }]
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return rules.map(({ rule, value, condition }) => ({ rule, value, condition }))
}

export type LoadedRules = { rules: CompiledRules; version: string }

let loaded: LoadedRules | null = null

export function loadRules(): LoadedRules {
  loaded ??= { rules: compileRules(readRuleFiles().flatMap(file => file.rules)), version: rulesVersion() }
  return loaded
}

let version: string | null = null

/** Changes with any rule file, own formats included, and with the reader. */
export function rulesVersion(): string {
  if (version !== null) return version
  const digest = createHash('sha256').update(`${readerVersion}`)
  for (const file of ruleFileNames(rulesFolder))
    digest.update(file).update(readFileSync(join(rulesFolder, file)))
  version = digest.digest('hex').slice(0, versionCharacters)
  return version
}

export type ListedRule = { rule: string; value: Record<string, unknown>; fixtures: boolean | null }

/** Every rule, and whether a page that shows it and a near miss are stored for it; null: not in images. */
export function listRules(): ListedRule[] {
  const hasFixtures = existsSync(join(rulesFolder, 'fixtures'))
  return readRuleFiles().flatMap(({ name, rules }) => {
    const path = join(rulesFolder, 'fixtures', `${name}.yaml`)
    const fixtures = existsSync(path) ? (parseDocument(readFileSync(path, 'utf8')).toJS() as object) : {}
    return rules.map(({ rule, value }) => ({
      rule,
      value,
      fixtures: hasFixtures ? rule.slice(name.length + 1) in fixtures : null,
    }))
  })
}
