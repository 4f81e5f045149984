import type { Condition, Rule } from '../page/rule.ts'

/** Pages that each match a rule by one of its conditions, and one page of near misses. */
export type RulePages = { shows: string[]; nearMisses: string }

/** Writes pages for conditions that match alone. Conditions of `all` need pages written by hand. */
export function pagesOf({ rule, condition }: Rule): RulePages {
  const written = alternativesOf(condition).flatMap(each => {
    const [kind, operand] = Object.entries(each)[0] as [string, unknown]
    if (kind === 'json_ld')
      return Object.entries(operand as Record<string, string[]>).map(([member, texts]) => ({
        page: (text: string) => jsonLd(member, text),
        texts,
        misses: missesOfText,
      }))
    const page = kind === 'listed' ? listBeside(othersOf(rule)) : pages[kind]
    const misses = kind === 'host' || kind === 'link' ? missesOfHost : missesOfText
    return page === undefined ? [] : [{ page, texts: operand as string[], misses }]
  })
  return {
    shows: written.map(({ page, texts }) => page(texts[0] as string)),
    nearMisses: written.flatMap(({ page, texts, misses }) => texts.flatMap(misses).map(page)).join('\n'),
  }
}

function alternativesOf(condition: Condition): Condition[] {
  if ('any' in condition) return condition.any.flatMap(alternativesOf)
  return 'all' in condition || 'not' in condition ? [] : [condition]
}

type Page = (text: string) => string

const pages: Record<string, Page> = {
  host: host => `<script src="https://${host}"></script>`,
  link: host => `<a href="https://${host}">More</a>`,
  link_text: text => `<a href="/page">${text}</a>`,
  icon: text => `<img src="/1.png" alt="${text}">`,
  text: text => `<p>${text}</p>`,
  payment_text: text => `<h1>Payment methods</h1><p>${text}</p>`,
}

const jsonLd = (member: string, text: string) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Thing', [member]: text })}</script>`

const listBeside =
  (others: readonly string[]): Page =>
  text =>
    `<ul>${[...others, text].map(each => `<li>${each}</li>`).join('')}</ul>`

/** Returns names of the same kind that are not ordinary words. */
function othersOf(rule: string): string[] {
  const names = rule.startsWith('suppliers/')
    ? ['NetEnt', 'Thunderkick', 'Wazdan', 'Playtech']
    : ['Skrill', 'Neteller', 'Mastercard', 'Visa card']
  return names.filter(name => !rule.endsWith(`/${name.toLowerCase().split(' ', 1)[0]}`))
}

/**
 * Returns hosts that begin or end like the rule's. A host of three labels has only one, because it may be
 * below another host of the rule.
 */
function missesOfHost(declared: string): string[] {
  const [host = '', ...path] = declared.split('/')
  const beginning = [`${host}.mirror.example`, ...path].join('/')
  return host.split('.').length > 2 ? [beginning] : [beginning, `not-${declared}`]
}

/** Returns longer words. It returns none for scripts without blanks, where each character is a word. */
const missesOfText = (text: string): string[] =>
  unspaced.test(text)
    ? []
    : [text.replaceAll(/[\p{L}\p{N}]+/gu, 'x$&'), text.replaceAll(/[\p{L}\p{N}]+/gu, '$&x')]
const unspaced = /[\p{Script=Han}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]/u
