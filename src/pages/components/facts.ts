import { type Content, type Html, html } from '../html.ts'
import { number, time } from './number.ts'
import { table } from './table.ts'
import { isWebAddress, webLink } from './web-link.ts'
import { nameOf, wordForNull, wordsOf } from './words.ts'

const instantPattern = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/
/** Of an object of the API, such as `co_2KJibaagCuCQ3Bvpggtp`. */
const refPattern = /^[a-z]{2,5}_[0-9A-Za-z]{20}$/
/** Elements of a list that are shown. */
const shownMax = 100
/** Any JSON value of an answer, as people read it in that member. */
export function facts(value: unknown, member = ''): Html {
  if (value === null || value === undefined) return html`<span class="none">${wordForNull(member)}</span>`
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`
  if (typeof value === 'number') return html`${amount(value, member)}`
  if (typeof value === 'string') return text(value, member)
  if (Array.isArray(value)) return list(value, member)
  const members = Object.entries(value)
  if (members.length === 0) return html`<span class="none">none</span>`
  return html`<dl class="facts">${members.map(
    ([name, each]) => html`<div><dt>${nameOf(name)}</dt><dd>${facts(each, name)}</dd></div>`,
  )}</dl>`
}

function amount(value: number, member: string): string {
  if (member === 'data_completeness') return `${number(Math.round(value * 100))} %`
  if (member === 'bytes') return `${number(value)} bytes`
  return member.endsWith('_ms') ? `${number(value)} ms` : number(value)
}

function text(value: string, member: string): Html {
  if (instantPattern.test(value)) return time(value)
  if (isWebAddress(value)) return webLink(value)
  return refPattern.test(value) ? html`<code>${value}</code>` : html`${wordsOf(member, value)}`
}

function list(values: readonly unknown[], member: string): Html {
  if (values.length === 0) return html`<span class="none">none</span>`
  if (values.every(isFlat)) return rows(values)
  const isPlain = values.every(each => typeof each !== 'object')
  const items: Content = values.slice(0, shownMax).map(each => html`<li>${facts(each, member)}</li>`)
  return html`<ul class="${isPlain ? 'words' : 'records'}">${items}</ul>${rest(values)}`
}

/** The whole answer is below as JSON. */
const rest = ({ length }: readonly unknown[]): Content =>
  length > shownMax && html`<p class="hint">And ${number(length - shownMax)} more.</p>`

type Flat = Readonly<Record<string, unknown>>
const columnsMax = 6

/** A record of few members, of which none is a record; lists of words or of domains are written in a cell. */
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

function rows(records: readonly Flat[]): Html {
  const members = [...new Set(records.flatMap(each => Object.keys(each)))]
  const columns = members.map(member => ({
    name: nameOf(member),
    cell: (record: Flat) => facts(cellOf(record[member]), member),
  }))
  const shown = table({ name: members.map(nameOf).join(', '), columns, rows: records.slice(0, shownMax) })
  return html`${shown}${rest(records)}`
}
