/** Reads a description into a stream, or reports all its problems with line and column. */
import { X509Certificate } from 'node:crypto'
import { didYouMean, shown } from '@baize/names'
import {
  checkTable,
  type DescriptionProblem,
  type LocatedProblem,
  readYaml,
  shapeChecker,
} from '@baize/tables'
import type { Stream } from '../stream.ts'
import { checkFields } from './check-fields.ts'
import { checkResolve, isHttps } from './check-resolve.ts'
import { checkSecondFile } from './check-second-file.ts'
import { describedStream } from './described-stream.ts'
import { type Description, descriptionSchema } from './description-schema.ts'

export type DescriptionReading = { ok: true; stream: Stream } | { ok: false; problems: DescriptionProblem[] }

const checkShape = shapeChecker(descriptionSchema)

/**
 * Reads a description with `knownMarkets`, the market codes of §2.2 and the added ones. It never throws;
 * unreadable text is a problem.
 */
export function readDescription(text: string, knownMarkets: readonly string[]): DescriptionReading {
  const read = readYaml<Description>(text, value => {
    const shape = checkShape(value)
    return shape.length > 0 ? shape : checkMeaning(value as Description, knownMarkets)
  })
  return read.ok ? { ok: true, stream: describedStream(read.value) } : read
}

/** Checks rules that a schema cannot express. The description has passed checkShape. */
function checkMeaning(description: Description, knownMarkets: readonly string[]): LocatedProblem[] {
  return [
    ...checkFacts(description, knownMarkets),
    ...checkResolve(description),
    ...checkFileUrls(description),
    ...checkRequest(description),
    ...checkExtraCa(description),
    ...checkGuardFacts(description),
    ...checkCovers(description),
    ...checkPublishes(description),
    ...checkTable(description),
    ...checkFields(description),
    ...checkSecondFile(description),
  ]
}

const value = (path: readonly string[], message: string): LocatedProblem => ({ path, at: 'value', message })
const key = (path: readonly string[], message: string): LocatedProblem => ({ path, at: 'key', message })

function* checkFacts(description: Description, knownMarkets: readonly string[]): Generator<LocatedProblem> {
  const { market, official_url, layout } = description
  if (!knownMarkets.includes(market)) {
    const suggestion = didYouMean(market, knownMarkets)
    yield value(['market'], `market must be the code of a known market, found ${shown(market)}${suggestion}`)
  } else if (!description.key.startsWith(`${market}.`)) {
    yield value(['key'], `key must begin with its market, "${market}.", found ${shown(description.key)}`)
  }
  if (!isHttps(official_url)) {
    yield value(['official_url'], `official_url must begin with https://, found ${shown(official_url)}`)
  }
  const day = layout?.recorded_at
  if (day !== undefined && Number.isNaN(Date.parse(`${day}T00:00:00Z`)))
    yield value(['layout', 'recorded_at'], `layout.recorded_at must be a real day, found ${shown(day)}`)
}

function* checkFileUrls({ file_urls = [], resolve }: Description): Generator<LocatedProblem> {
  if (file_urls.length > 0 && resolve !== undefined)
    yield key(['file_urls'], 'file_urls are the addresses of the files; omit it, or resolve')
  for (const [index, url] of file_urls.entries())
    if (!isHttps(url))
      yield value(['file_urls', String(index)], `file_urls must begin with https://, found ${shown(url)}`)
}

function* checkRequest({ request, resolve }: Description): Generator<LocatedProblem> {
  if (request === undefined) return
  if (resolve !== undefined)
    yield key(['request'], 'request is sent to official_url or file_urls; omit it, or resolve')
  if (request.type === 'application/json' && !isJson(request.body))
    yield value(['request', 'body'], 'request.body must be JSON, as request.type says')
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function* checkExtraCa({ extra_ca }: Description): Generator<LocatedProblem> {
  if (extra_ca === undefined) return
  const certificates = extra_ca.match(certificate) ?? []
  const isWhole = certificates.length > 0 && extra_ca.replaceAll(certificate, '').trim() === ''
  if (!isWhole || !certificates.every(isAuthority))
    yield value(['extra_ca'], 'extra_ca must be certificates of authorities in PEM, and nothing else')
}

function isAuthority(pem: string): boolean {
  try {
    return new X509Certificate(pem).ca
  } catch {
    return false
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const lineFormats = ['csv', 'tsv', 'text', 'hosts']

function* checkGuardFacts(description: Description): Generator<LocatedProblem> {
  const { rows_min, rows_max, ends_with_line_break, mirror, file } = description
  if (rows_max !== undefined && rows_max < rows_min)
    yield value(['rows_max'], `rows_max must be at least rows_min, ${rows_min}; found ${rows_max}`)
  if (ends_with_line_break === true && mirror === undefined && !lineFormats.includes(file.format))
    yield value(
      ['ends_with_line_break'],
      `ends_with_line_break must be false with ${file.format}; true is for csv, tsv, text and hosts`,
    )
}

function* checkCovers({ covers, records, source_claim, mirror }: Description): Generator<LocatedProblem> {
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
  if (mirror !== undefined && isBlocklist === (authorised_domains !== undefined))
    yield key(['mirror'], 'mirror needs records with either authorised_domains or blocklist_entries')
  if (license !== undefined && licensee === undefined)
    yield key(['records', 'license'], 'records.license needs records.licensee, its holder')
}

function* checkPublishes({ publishes, records, second_file }: Description): Generator<LocatedProblem> {
  const { license, authorised_domains, blocklist_entries } = records
  const status = license?.status
  // Without `words` a published status may be `revoked`.
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
      [authorised_domains, blocklist_entries, second_file].some(part => part !== undefined),
      'records has no authorised_domains and no blocklist_entries',
    ],
    roles: [license?.role !== undefined, 'records.license has no role'],
  } as const
  for (const [name, [isBacked, why]] of Object.entries(backed)) {
    if (publishes[name as keyof typeof backed] && !isBacked)
      yield value(['publishes', name], `publishes.${name} is true, but ${why}`)
  }
}
