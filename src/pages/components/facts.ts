import { type Content, type Html, html } from '../html.ts'
import { verdictBadge } from './badge.ts'
import { companyPath, domainLink, licensePath } from './links.ts'
import { logoName } from './logo-name.ts'
import { table } from './table.ts'
import { day, isWebAddress, number, time, webLink } from './text.ts'
import { hasWordForNull, labelOf, memberName, wordForNull } from './words.ts'

const datePattern = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/
/** Matches the ref of an object of the API, such as `co_2KJibaagCuCQ3Bvpggtp`. */
const refPattern = /^[a-z]{2,5}_[0-9A-Za-z]{20}$/
/** The pages with facts are those of the dashboard. */
const ofSites = new Set(['domain', 'domains', 'authorized_domains', 'related_domain_normalized'])
/** The hour of these times matters to people. Of others only the day is shown. */
const exact = new Set(['', 'requested_at', 'completed_at', 'as_of', 'received_at'])
/** Refs are for programs, but for those of objects with a page. */
const pagesOfRefs: Readonly<Record<string, readonly [path: (ref: string) => string, text: string]>> = {
  co: [companyPath, 'The Company'],
  lic: [licensePath, 'The license'],
}
/** The pages show names instead of these members. */
const forPrograms = new Set(['domain_ref', 'slug'])
/** The members that are shown with logos. */
const logosOf: Readonly<Record<string, 'payment_method' | 'supplier_brand'>> = {
  normalized_name: 'payment_method',
  payment_methods: 'payment_method',
  supplier_brands: 'supplier_brand',
  normalized_provider_name: 'supplier_brand',
}
/** Limits the elements of a list that are shown. */
const shownMax = 100

/** Shows any JSON value of an answer, in the words for that member. */
export function facts(value: unknown, member = ''): Html {
  if (value === null || value === undefined) return html`<span class="none">${wordForNull(member)}</span>`
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`
  if (typeof value === 'number') return html`${numberFact(value, member)}`
  if (typeof value === 'string') return textFact(value, member)
  if (Array.isArray(value)) return listFacts(value, member)
  const members = Object.entries(value).filter(([name]) => !forPrograms.has(name))
  if (members.length === 0) return html`<span class="none">none</span>`
  const isUnstated = ([name, each]: [string, unknown]) => each === null && !hasWordForNull(name)
  const known = members.filter(each => !isUnstated(each))
  const unstated = members.filter(isUnstated).map(([name]) => memberName(name))
  const rest = unstated.length > 0 && html`<p class="hint">Not stated: ${unstated.join(', ')}.</p>`
  if (known.length === 0) return html`${rest}`
  return html`<dl class="facts">${known.map(
    ([name, each]) => html`<div><dt>${memberName(name)}</dt><dd>${facts(each, name)}</dd></div>`,
  )}</dl>${rest}`
}

function numberFact(value: number, member: string): string {
  if (member === 'data_completeness') return `${number(Math.round(value * 100))} %`
  if (member === 'founded_year') return String(value)
  if (member === 'bytes') return `${number(value)} bytes`
  return member.endsWith('_ms') ? `${number(value)} ms` : number(value)
}

function textFact(value: string, member: string): Html {
  if (datePattern.test(value) && !Number.isNaN(Date.parse(value)))
    return exact.has(member) ? time(value) : day(value)
  if (member === 'verdict') return verdictBadge(value)
  const logo = logosOf[member]
  if (logo !== undefined) return logoName(logo, value)
  if (isWebAddress(value)) return webLink(value)
  if (ofSites.has(member)) return domainLink(value)
  if (!refPattern.test(value)) return html`${labelOf(member, value)}`
  const [path, text] = pagesOfRefs[value.slice(0, value.indexOf('_'))] ?? []
  return path === undefined ? html`<code>${value}</code>` : html`<a href="${path(value)}">${text}</a>`
}

function listFacts(values: readonly unknown[], member: string): Html {
  if (values.length === 0) return html`<span class="none">none</span>`
  if (member === 'company_size') return html`${values.map(each => number(Number(each))).join(' to ')}`
  if (values.every(isFlat)) return recordTable(values)
  const isPlain = values.every(each => typeof each !== 'object')
  const items: Content = values.slice(0, shownMax).map(each => html`<li>${facts(each, member)}</li>`)
  return html`<ul class="${isPlain ? 'words' : 'records'}">${items}</ul>${rest(values)}`
}

/** Reports how many values are left out. The page prints all of them as JSON below. */
const rest = ({ length }: readonly unknown[]): Content =>
  length > shownMax && html`<p class="hint">And ${number(length - shownMax)} more.</p>`

type Flat = Readonly<Record<string, unknown>>
const columnsMax = 6

/**
 * Returns whether a value is a record of few members without nested records. Lists of words or of domains
 * fit into a cell.
 */
function isFlat(value: unknown): value is Flat {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = Object.values(value)
  return members.length <= columnsMax && members.every(isCell)
}

const isCell = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every(each => typeof each !== 'object' || domainOf(each) !== null))

function domainOf(value: unknown): string | null {
  const { domain } = (value ?? {}) as { domain?: unknown }
  return typeof domain === 'string' ? domain : null
}

const cellOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(each => domainOf(each) ?? each) : value

function recordTable(records: readonly Flat[]): Html {
  const members = [...new Set(records.flatMap(each => Object.keys(each)))]
  const columns = members.map(member => ({
    name: memberName(member),
    cell: (record: Flat) => facts(cellOf(record[member]), member),
  }))
  const shown = table({ name: members.map(memberName).join(', '), columns, rows: records.slice(0, shownMax) })
  return html`${shown}${rest(records)}`
}

type Figure = { name: string; value: Content; unit?: string; hint?: Content }

function figure({ name, value, unit, hint }: Figure): Html {
  return html`<div><dt>${name}${unit && html` <small>(${unit})</small>`}</dt>
<dd>${value}</dd>${hint && html`<dd class="hint">${hint}</dd>`}</div>`
}

/** Shows the most important numbers of a page. */
export function figureList(of: readonly Figure[]): Html {
  return html`<dl class="figures">${of.map(figure)}</dl>`
}
