/** Checks what a schema cannot. The description has passed checkShape. */

import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import { checkColumns } from './check-columns.ts'
import { checkFields } from './check-fields.ts'
import { type Description, resolveKeys } from './description-schema.ts'
import { compileSearch } from './line-pattern.ts'
import type { Finding } from './problems.ts'

export function checkMeaning(description: Description, knownMarkets: readonly string[]): Finding[] {
  return [
    ...checkFacts(description, knownMarkets),
    ...checkResolve(description),
    ...checkGuardFacts(description),
    ...checkCovers(description),
    ...checkPublishes(description),
    ...checkColumns(description),
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

function* checkResolve({ resolve, layout }: Description): Generator<Finding> {
  const day = layout?.recorded_at
  if (day !== undefined && Number.isNaN(Date.parse(`${day}T00:00:00Z`)))
    yield value(['layout', 'recorded_at'], `layout.recorded_at must be a real day, found ${shown(day)}`)
  if (resolve === undefined) return
  const { by, ...given } = resolve
  const accepted: readonly string[] = resolveKeys[by]
  for (const name of Object.keys(given)) {
    const others = accepted.length === 0 ? 'no other key' : `only ${accepted.join(', ')}`
    if (!accepted.includes(name)) yield key(['resolve', name], `resolve by ${by} accepts ${others}`)
  }
  for (const name of ['path', 'gid', 'parameter'] as const)
    if (accepted.includes(name) && given[name] === undefined)
      yield key(['resolve'], `resolve by ${by} needs ${name}`)
  if (by === 'newest_link') {
    yield* checkLink(['resolve'], given)
    if (given.next !== undefined) yield* checkLink(['resolve', 'next'], given.next)
  } else yield* checkExpressions(['resolve'], given)
}

type Link = NonNullable<NonNullable<Description['resolve']>['next']>

function* checkLink(path: readonly string[], link: Link): Generator<Finding> {
  if (link.text === undefined && link.href === undefined)
    yield key(path, `${path.join('.')} by newest_link needs text or href, to recognise the link`)
  yield* checkExpressions(path, link)
}

function* checkExpressions(path: readonly string[], link: Link): Generator<Finding> {
  for (const name of ['text', 'href'] as const) {
    const expression = link[name]
    const compiled = expression === undefined ? null : compileSearch(expression)
    if (compiled?.ok !== false) continue
    const where = [...path, name]
    yield value(where, `${where.join('.')} must be a regular expression: ${compiled.reason}`)
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
