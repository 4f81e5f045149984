/** Compiles rules into look-ups, so that a page is read once for all rules. */
import type { Brand } from './brand-lists.ts'
import { brandNames, namesOfFile, pairsOf } from './brand-names.ts'
import { HostIndex } from './host-index.ts'
import { pageWords } from './page-words.ts'
import { paymentNames } from './payment-page.ts'
import { PhraseIndex } from './phrase-index.ts'
import type { Condition, Rule } from './rule.ts'

export type PhraseKind =
  | 'link_rel'
  | 'link_text'
  | 'icon'
  | 'text'
  | 'offer_text'
  | 'payment_text'
  | 'title'
  | 'cookie'
  | 'script'
export type NamedKind = 'meta' | 'header' | 'json_ld'

export type CompiledRules = {
  rules: readonly Rule[]
  hosts: HostIndex<Condition>
  links: HostIndex<Condition>
  phrases: Record<PhraseKind, PhraseIndex<Condition>>
  /** Conditions by the whole text, whose words are joined by blanks. */
  labels: Map<string, Condition[]>
  /** Conditions by name in lower case. */
  named: Record<NamedKind, Map<string, { phrases: PhraseIndex<Condition>; anyValue: Condition[] }>>
  inputs: Map<string, Condition[]>
  /** Names of brands in lists. */
  brands: { methods: PhraseIndex<Brand>; studios: PhraseIndex<Brand> }
  /** Phrases in titles of pages about payments. */
  paymentPages: PhraseIndex<true>
  /** Phrases of several brands, such as `visa mastercard`, whose words signs may separate. */
  pairs: ReadonlySet<string>
}

export function compileRules(rules: readonly Rule[]): CompiledRules {
  const compiled: CompiledRules = {
    rules,
    hosts: new HostIndex(),
    links: new HostIndex(),
    phrases: {
      link_rel: new PhraseIndex(),
      link_text: new PhraseIndex(),
      icon: new PhraseIndex(),
      text: new PhraseIndex(),
      offer_text: new PhraseIndex(),
      payment_text: new PhraseIndex(),
      title: new PhraseIndex(),
      cookie: new PhraseIndex(),
      script: new PhraseIndex(),
    },
    labels: new Map(),
    named: { meta: new Map(), header: new Map(), json_ld: new Map() },
    inputs: new Map(),
    brands: {
      methods: brandNames(namesOfFile(rules, 'payment-methods')),
      studios: brandNames(namesOfFile(rules, 'suppliers')),
    },
    paymentPages: new PhraseIndex(),
    pairs: new Set(['payment-methods', 'suppliers'].flatMap(file => pairsOf(namesOfFile(rules, file)))),
  }
  for (const { rule, condition } of rules)
    addCondition(compiled, condition, rule.startsWith('suppliers/') ? 'offer_text' : 'text')
  const pages = rules.filter(({ value }) => value.page_type === 'payments')
  for (const phrase of [...paymentNames, ...pages.flatMap(({ condition }) => linkTexts(condition))])
    compiled.paymentPages.add(phrase, true)
  return compiled
}

function linkTexts(condition: Condition): string[] {
  if ('any' in condition) return condition.any.flatMap(linkTexts)
  return 'link_text' in condition ? condition.link_text : []
}

/**
 * Adds a condition; `text` names the index of its texts. `offer_text` leaves out sentences that refuse or
 * announce, for suppliers.
 */
function addCondition(compiled: CompiledRules, condition: Condition, text: 'text' | 'offer_text'): void {
  if ('all' in condition) for (const each of condition.all) addCondition(compiled, each, text)
  if ('any' in condition) for (const each of condition.any) addCondition(compiled, each, text)
  if ('not' in condition) addCondition(compiled, condition.not, text)
  if ('host' in condition) for (const host of condition.host) compiled.hosts.add(host, condition)
  if ('link' in condition) for (const host of condition.link) compiled.links.add(host, condition)
  if ('input' in condition) addEach(compiled.inputs, condition.input, condition)
  if ('label' in condition)
    addEach(
      compiled.labels,
      condition.label.map(label => pageWords(label).join(' ')),
      condition,
    )
  for (const [kind, operand] of Object.entries(condition)) {
    const index = compiled.phrases[(kind === 'text' ? text : kind) as PhraseKind]
    if (index !== undefined) for (const phrase of operand as string[]) index.add(phrase, condition)
    const named = compiled.named[kind as NamedKind]
    if (named !== undefined) addNamed(named, operand as Record<string, string[]>, condition)
  }
}

function addEach(index: Map<string, Condition[]>, keys: readonly string[], condition: Condition): void {
  for (const key of keys) index.set(key, [...(index.get(key) ?? []), condition])
}

function addNamed(
  named: CompiledRules['named'][NamedKind],
  members: Record<string, string[]>,
  condition: Condition,
): void {
  for (const [name, phrases] of Object.entries(members)) {
    const key = name.toLowerCase()
    const entry = named.get(key) ?? { phrases: new PhraseIndex(), anyValue: [] }
    named.set(key, entry)
    for (const phrase of phrases)
      if (phrase === '*') entry.anyValue.push(condition)
      else entry.phrases.add(phrase, condition)
  }
}
