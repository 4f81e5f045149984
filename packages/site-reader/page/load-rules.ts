/**
 * Loads the rules of all files once per thread. Rules are part of the program, so an error stops the start.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse as parsePath } from 'node:path'
import { load, YAMLException } from 'js-yaml'
import { checkRule } from './check-rule.ts'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import type { Rule } from './rule.ts'

const rulesFolder = join(import.meta.dirname, '../rules')

/** Increase this version when parsing or matching reads something else from the same page. */
const readerVersion = 5
const versionCharacters = 12

/** Rule files that have their own format and reader. */
const ownFormats = new Set([
  'company-numbers',
  'company-words',
  'contact-roles',
  'currencies',
  'data-keys',
  'dns-fingerprints',
  'license-numbers',
  'license-seals',
  'link-words',
  'payment-words',
  'registrant-privacy',
  'related-words',
  'role-words',
  'studio-words',
])

type RuleFile = { name: string; rules: Rule[] }

function readRuleFiles(): RuleFile[] {
  return ruleFileNames()
    .map(file => ({ name: parsePath(file).name, path: join(rulesFolder, file) }))
    .filter(({ name }) => !ownFormats.has(name))
    .map(({ name, path }) => ({ name, rules: readRules(name, readFileSync(path, 'utf8')) }))
}

const ruleFileNames = () =>
  readdirSync(rulesFolder)
    .filter(file => file.endsWith('.yaml'))
    .toSorted()

/** Reads the file `name`, without its extension. Throws an error that lists every problem with its key. */
export function readRules(name: string, text: string): Rule[] {
  const declared = contentOf(name, text)
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

function contentOf(name: string, text: string): unknown {
  try {
    return load(text) ?? {}
  } catch (error) {
    if (error instanceof YAMLException) throw new Error(`${name}.yaml: ${error.message}`)
    throw error
  }
}

type LoadedRules = { files: readonly RuleFile[]; rules: CompiledRules }

let loaded: LoadedRules | null = null

export function loadRules(): LoadedRules {
  if (loaded === null) {
    const files = readRuleFiles()
    loaded = { files, rules: compileRules(files.flatMap(({ rules }) => rules)) }
  }
  return loaded
}

let version: string | null = null

/** Returns a version that changes with any rule file and with the reader. */
export function rulesVersion(): string {
  if (version !== null) return version
  const digest = createHash('sha256').update(`${readerVersion}`)
  for (const file of ruleFileNames()) digest.update(file).update(readFileSync(join(rulesFolder, file)))
  version = digest.digest('hex').slice(0, versionCharacters)
  return version
}

export const listRules = (): Pick<Rule, 'rule' | 'value'>[] =>
  loadRules().files.flatMap(({ rules }) => rules.map(({ rule, value }) => ({ rule, value })))
