/** Checks what a schema cannot. The description has passed checkShape. */

import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import { plain } from '../source/source-table.ts'
import { checkFields } from './check-fields.ts'
import type { Description } from './description-schema.ts'
import { compilePattern, lineColumn } from './line-pattern.ts'
import type { Finding } from './problems.ts'

export function checkMeaning(description: Description, knownMarkets: readonly string[]): Finding[] {
  return [
    ...checkFacts(description, knownMarkets),
    ...checkGuardFacts(description),
    ...checkCovers(description),
    ...checkPublishes(description),
    ...checkHeaders(description),
    ...checkText(description),
    ...checkFields(description),
  ]
}

const value = (path: readonly string[], message: string): Finding => ({ path, at: 'value', message })
const key = (path: readonly string[], message: string): Finding => ({ path, at: 'key', message })

function* checkFacts(description: Description, knownMarkets: readonly string[]): Generator<Finding> {
  const { market, official_url } = description
  if (!knownMarkets.includes(market)) {
    const suggestion = didYouMean(market, knownMarkets)
    yield value(['market'], `market must be the code of a known market, found ${shown(market)}${suggestion}`)
  } else if (!description.key.startsWith(`${market}.`)) {
    yield value(['key'], `key must begin with its market, "${market}.", found ${shown(description.key)}`)
  }
  if (!/^https:\/\/[^/]/.test(official_url) || !URL.canParse(official_url)) {
    yield value(['official_url'], `official_url must begin with https://, found ${shown(official_url)}`)
  }
}

function* checkGuardFacts({
  rows_min,
  rows_max,
  ends_with_line_break,
  file,
}: Description): Generator<Finding> {
  if (rows_max !== undefined && rows_max < rows_min)
    yield value(['rows_max'], `rows_max must be at least rows_min, ${rows_min}; found ${rows_max}`)
  if (ends_with_line_break === true && !['csv', 'tsv', 'text'].includes(file.format))
    yield value(
      ['ends_with_line_break'],
      `ends_with_line_break must be false with ${file.format}; true is for csv, tsv and text`,
    )
}

function* checkCovers({ covers, records, source_claim }: Description): Generator<Finding> {
  const { licensee, license, authorised_domains, blocklist_entries } = records
  const isRegister = licensee !== undefined || license !== undefined || authorised_domains !== undefined
  const isBlocklist = blocklist_entries !== undefined
  if (!isRegister && !isBlocklist) {
    yield key(
      ['records'],
      'records must have at least one of licensee, license, authorised_domains, blocklist_entries',
    )
    return
  }
  if (covers.includes('register') && !isRegister)
    yield value(['covers'], 'covers has register, but records has no licensee, license or authorised_domains')
  if (covers.includes('blocklist') && !isBlocklist)
    yield value(['covers'], 'covers has blocklist, but records has no blocklist_entries')
  if (isRegister && !covers.includes('register'))
    yield value(['covers'], 'covers must have register: records has register data')
  if (isBlocklist && !covers.includes('blocklist'))
    yield value(['covers'], 'covers must have blocklist: records has blocklist_entries')

  const claims = isRegister
    ? isBlocklist
      ? ['license_and_blocklist']
      : ['license', 'authorised_domain']
    : ['blocklist']
  if (!claims.includes(source_claim)) {
    const accepted = claims.join(' or ')
    const message = `source_claim must be ${accepted} for these records, found ${shown(source_claim)}`
    yield value(['source_claim'], message)
  }
  if (license !== undefined && licensee === undefined)
    yield key(['records', 'license'], 'records.license needs records.licensee, its holder')
}

function* checkPublishes({ publishes, records }: Description): Generator<Finding> {
  const { license, authorised_domains, blocklist_entries } = records
  const status = license?.status
  // Without `words` the published words are read, and one may be `revoked`.
  const revoked =
    status?.constant === undefined && status?.column !== undefined
      ? status.words === undefined || Object.values(status.words).includes('revoked')
      : false
  const dates = [
    license?.issued_at,
    license?.expires_at,
    blocklist_entries?.listed_at,
    blocklist_entries?.delisted_at,
  ].some(date => date !== undefined)
  const backed = {
    revoked: [revoked, 'records.license.status is never revoked'],
    dates: [dates, 'no record has a date'],
    domains: [
      authorised_domains !== undefined || blocklist_entries !== undefined,
      'records has no authorised_domains and no blocklist_entries',
    ],
    roles: [license?.role !== undefined, 'records.license has no role'],
  } as const
  for (const [name, [isBacked, why]] of Object.entries(backed)) {
    if (publishes[name as keyof typeof backed] && !isBacked)
      yield value(['publishes', name], `publishes.${name} is true, but ${why}`)
  }
}

function* checkHeaders({ columns, file }: Description): Generator<Finding> {
  // Names of elements and members are case-sensitive; headers are not.
  const spelled =
    file.format === 'xml' || file.format === 'json' || file.format === 'text' ? (text: string) => text : plain
  const taken = new Map<string, string>()
  for (const [name, { headers }] of Object.entries(columns)) {
    for (const [index, header] of headers.entries()) {
      const other = taken.get(spelled(header))
      const path = ['columns', name, 'headers', String(index)]
      if (other !== undefined && other !== name)
        yield value(path, `the header ${shown(header)} already belongs to the column "${other}"`)
      taken.set(spelled(header), name)
      if ((file.format === 'xml' || file.format === 'json') && !isPath(header))
        yield value(path, `a header of ${file.format} must be names separated by /, found ${shown(header)}`)
    }
  }
}

const isPath = (header: string) =>
  header === '.' || header.split('/').every(part => part !== '' && part !== '@')

/** The columns of a text file are the named groups of its pattern, or the whole line. */
function* checkText({ columns, file }: Description): Generator<Finding> {
  if (file.format !== 'text') return
  let known: readonly string[] = [lineColumn]
  if (file.pattern !== undefined) {
    const compiled = compilePattern(file.pattern)
    if (!compiled.ok) {
      yield value(['file', 'pattern'], `file.pattern must be a regular expression: ${compiled.reason}`)
      return
    }
    known = compiled.value.names
    if (known.length === 0) {
      yield value(['file', 'pattern'], 'file.pattern must have named groups, such as (?<site>\\S+)')
      return
    }
  }
  for (const [name, { headers }] of Object.entries(columns)) {
    for (const [index, header] of headers.entries()) {
      if (known.includes(header)) continue
      const accepted =
        file.pattern === undefined
          ? '"line", without a pattern'
          : `a group of the pattern: ${known.join(', ')}`
      const suggestion = didYouMean(header, known)
      yield value(
        ['columns', name, 'headers', String(index)],
        `columns.${name}.headers must be ${accepted}; found ${shown(header)}${suggestion}`,
      )
    }
  }
}
