/** Reads e-mail addresses of roles at the site's own domain. A person's address is never read (§2.10). */

import { foldedWords, isSharedHost } from '@baize/names'
import type { SectionFinding } from '../finding.ts'
import { textsIn } from '../page/match-rules.ts'
import { readRuleFile } from '../read-rule-file.ts'
import type { ClaimedPage } from './matched-page.ts'
import { relatedDomain } from './related-domains.ts'

const contactsMax = 10
const address = /(?<![a-z0-9._%+-])[a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/giu

const rules = readRuleFile<{ roles: string[]; parts: string[]; connectors: string[] }>('contact-roles')
const roles = new Set(rules.roles)
const parts = new Set(rules.parts)
const { connectors } = rules

export function readContacts({ domain, page, claims }: ClaimedPage): SectionFinding[] {
  const companies = claims.map(({ value }) => String(value.claimed_name))
  const links = page.links.filter(({ url }) => url.startsWith('mailto:')).map(({ path }) => decoded(path))
  const declared = page.jsonLd.flatMap(object => textsIn(object.email))
  const texts = page.texts.map(({ text }) => plainAddress(text)).filter(text => text.includes('@'))
  const declaredSites = page.jsonLd.flatMap(({ url }) => textsIn(url)).map(domainOf)
  const organisations = new Set([
    domain,
    ...declaredSites.filter(site => site !== null && !isSharedHost(site)),
  ])
  const isOf = (site: string | null) =>
    site !== null &&
    (organisations.has(site) || isSameName(site, domain) || companies.some(name => isOfCompany(site, name)))
  const found = [...links, ...declared, ...texts]
    .flatMap(text => [...text.matchAll(address)].map(([email]) => email.toLowerCase()))
    .filter(email => isRole(email, domain) && isOf(mailDomain(email)))
  return [...new Set(found)].slice(0, contactsMax).map(email => ({
    valueKey: email,
    value: { type: 'email', value: email, source: 'website' },
    rule: 'contacts',
    strength: 1,
    snippet: email,
  }))
}

/**
 * Accepts another domain of the same name: `lucky-otter.de`, or `luckyotter174.example`, a numbered mirror.
 */
function isSameName(site: string, domain: string): boolean {
  const [one, other] = [labelOf(site), labelOf(domain)].map(label => label.replace(/\d+$/, ''))
  return one === other && (one ?? '').length >= brandCharactersMin && !isSharedHost(site)
}

/**
 * Accepts a company's domain: `blackglass.example` of Black Glass Ltd, `hazelmoorgroup.example` of
 * Hazelmoor Gaming Limited.
 */
function isOfCompany(site: string, company: string): boolean {
  const label = labelOf(site)
  const names = foldedWords(company)
  const starts = names.map((_name, end) => names.slice(0, end + 1).join(''))
  if (starts.slice(1).some(start => start === label && start.length >= companyCharactersMin)) return true
  const [first = ''] = names
  return (
    first.length >= companyCharactersMin &&
    companyEndings.has(label.slice(first.length)) &&
    label.startsWith(first)
  )
}

const labelOf = (site: string) => (site.split('.')[0] as string).replaceAll('-', '')
const brandCharactersMin = 5
const companyCharactersMin = 6
const companyEndings = new Set(
  [
    'group groups holding holdings gaming games entertainment interactive international media',
    'corp ltd limited gmbh ab',
  ].flatMap(words => words.split(' ')),
)

/** Restores an obfuscated address such as `support [at] casino (dot) example`. */
function plainAddress(text: string): string {
  const plain = text.replaceAll(/ ?[[(] ?(?:at|ät|arroba) ?[\])] ?/gi, '@')
  return plain === text ? text : plain.replaceAll(/ ?[[(] ?(?:dot|punkt|punto|ponto) ?[\])] ?/gi, '.')
}

/** A shorter role may begin a name of a person: `pr`, `hr`. */
const compoundRoleCharactersMin = 4

/** Accepts roles and their parts without signs between them: `atencionalcliente`, `protecciondatos`. */
function isCompound(mailbox: string): boolean {
  const isWord = (text: string) =>
    parts.has(text) || (roles.has(text) && text.length >= compoundRoleCharactersMin)
  // The number of words with which each position is reached. A connector is part of the word after it.
  const reached = new Map([[0, 0]])
  for (let start = 0; start < mailbox.length; start += 1)
    for (let end = start + 1; reached.has(start) && end <= mailbox.length; end += 1) {
      const words = (reached.get(start) as number) + 1
      const text = mailbox.slice(start, end)
      const rest = connectors
        .filter(each => start > 0 && text.startsWith(each))
        .map(each => text.slice(each.length))
      if ([text, ...rest].some(isWord)) reached.set(end, Math.max(words, reached.get(end) ?? 0))
    }
  return (reached.get(mailbox.length) ?? 0) > 1
}

/** Accepts role words with codes of languages or countries: `support.de`, `customer-service`. */
function isRole(email: string, domain: string): boolean {
  if (email.slice(0, email.indexOf('@')) === labelOf(domain)) return true
  const words = email.slice(0, email.indexOf('@')).split(/[._+-]/)
  const isRoleWord = (word: string) => roles.has(word) || isCompound(word)
  return words.some(isRoleWord) && words.every(word => isRoleWord(word) || /^[a-z]{2}$/.test(word))
}

const mailDomain = (email: string) => relatedDomain(email.slice(email.indexOf('@') + 1))
const domainOf = (url: string) => relatedDomain(URL.parse(url)?.hostname ?? '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
