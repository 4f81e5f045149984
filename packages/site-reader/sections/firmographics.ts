/**
 * Reads a site's statements about its organisation (§2.5) from JSON-LD, the imprint and links. Each member
 * is a finding.
 */

import { legalNameKey, withoutContacts, yearMax } from '@baize/names'
import { isOf, isOrganisation } from '../claims/named-owners.ts'
import type { Claim } from '../claims/read-claims.ts'
import { type SectionFinding, type Strength, snippetCharactersMax } from '../finding.ts'
import type { ClaimedPage } from './matched-page.ts'

type Json = Record<string, unknown>
type Members = { [name: string]: unknown }

const nameCharactersMax = 500
const descriptionCharactersMax = 1_000
const postalCodeCharactersMax = 64
const urlCharactersMax = 2_048
const employeesMax = 10_000_000
const foundedYearMin = 1700

export function readFirmographicsSection(claimed: ClaimedPage): SectionFinding[] {
  const { page, domain } = claimed
  const declared = page.jsonLd
    .filter(object => isOrganisation(object) && isOf(object, page, domain))
    .flatMap(object => findingsOf(declaredMembers(object, page.url), 'json_ld', 2))
  const linked = linkedIn(page.links.map(({ url }) => url))
  return [...declared, ...findingsOf({ linkedin_url: linked }, 'link', 1), ...imprintName(claimed)]
}

function findingsOf(members: Members, rule: string, strength: Strength): SectionFinding[] {
  return Object.entries(members)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => ({
      valueKey: name,
      value: { [name]: member },
      rule: `firmographics/${rule}`,
      strength,
      snippet: `${name}: ${typeof member === 'string' ? member : JSON.stringify(member)}`.slice(
        0,
        snippetCharactersMax,
      ),
    }))
}

const withoutContactsOf = (text: string | null) => (text === null ? null : withoutContacts(text))

function declaredMembers(object: Json, base: string): Members {
  return {
    name: textOf(object.legalName, nameCharactersMax) ?? textOf(object.name, nameCharactersMax),
    description: withoutContactsOf(textOf(object.description, descriptionCharactersMax)),
    ...headcountOf(object.numberOfEmployees),
    founded_year: yearOf(object.foundingDate),
    headquarters: headquartersOf([object.address].flat()[0]),
    website: webUrl(object.url, base),
    linkedin_url: linkedIn([object.sameAs].flat()),
  }
}

/** Reads a headcount: `120`, `"51-200"`, or a QuantitativeValue with a value or a range. */
function headcountOf(number: unknown): Members {
  const { value = number, minValue, maxValue } = isObject(number) ? number : { value: number }
  const [from, to] = isObject(number) && minValue !== undefined ? [minValue, maxValue] : rangeOf(value)
  const range = [countOf(from), countOf(to)]
  const isRange = range.every(count => count !== null) && (range[0] as number) <= (range[1] as number)
  return { employee_count: countOf(value), company_size: isRange ? range : null }
}

function rangeOf(value: unknown): [unknown, unknown] {
  const [, from, to] = (typeof value === 'string' && /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/.exec(value)) || []
  return [from, to]
}

function countOf(value: unknown): number | null {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value))
  const count = isNumber ? Number(value) : Number.NaN
  return Number.isInteger(count) && count > 0 && count <= employeesMax ? count : null
}

function yearOf(date: unknown): number | null {
  const [, written] = /^\s*(\d{4})(?:-\d{2}(?:-\d{2})?)?(?:T|\s|$)/.exec(String(date ?? '')) ?? []
  const year = Number(written)
  return year >= foundedYearMin && year <= yearMax ? year : null
}

/** Returns null for an address in one text, because such a text is not split. */
function headquartersOf(address: unknown): Json | null {
  if (!isObject(address)) return null
  const country = isObject(address.addressCountry) ? address.addressCountry.name : address.addressCountry
  const parts = {
    city: textOf(address.addressLocality, nameCharactersMax),
    region: textOf(address.addressRegion, nameCharactersMax),
    country: textOf(country, nameCharactersMax),
    postal_code: textOf(address.postalCode, postalCodeCharactersMax),
  }
  return parts.city === null && parts.country === null ? null : parts
}

/** Returns the only company page; several pages belong to partners. */
function linkedIn(urls: readonly unknown[]): string | null {
  const pages = urls.flatMap(url => {
    const parsed = typeof url === 'string' && url.length <= urlCharactersMax ? URL.parse(url) : null
    if (parsed === null || !/^(?:[a-z]{2,3}\.)?linkedin\.com$/.test(parsed.hostname)) return []
    const [, slug] = /^\/company\/([^/]+)/.exec(parsed.pathname) ?? []
    return slug === undefined ? [] : [`https://www.linkedin.com/company/${slug}`]
  })
  const [only, ...others] = new Set(pages)
  return only === undefined || others.length > 0 ? null : only
}

/** Returns the company that the imprint names as owner or operator, if there is one. */
function imprintName({ pageType, claims }: ClaimedPage): SectionFinding[] {
  if (pageType !== 'imprint') return []
  const names = claims
    .map(({ value }) => value as Claim)
    .filter(({ claim_type }) => claim_type === 'owner' || claim_type === 'operator')
    .map(({ claimed_name }) => claimed_name)
  const [name, ...others] = new Map(names.map(each => [legalNameKey(each), each])).values()
  return name === undefined || others.length > 0 ? [] : findingsOf({ name }, 'imprint', 3)
}

function webUrl(url: unknown, base: string): string | null {
  const parsed = typeof url === 'string' && url !== '' ? URL.parse(url, base) : null
  const isWeb = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href.length <= urlCharactersMax
  return isWeb ? parsed.href : null
}

function textOf(value: unknown, charactersMax: number): string | null {
  if (typeof value !== 'string') return null
  const text = value.replaceAll(/\s+/gu, ' ').trim().slice(0, charactersMax).toWellFormed().trim()
  return text === '' ? null : text
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
