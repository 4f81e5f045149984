import { readDomain } from '../../core/domain-name.ts'
import { Failure } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { hasPlausibleYear, yearMax, yearMin } from '../../core/plausible-years.ts'
import { type ObservationSection, observationSections } from '../domains/index.ts'
import {
  domainTaken,
  type ExportBody,
  type ExportFormat,
  exportFilters,
  instantTaken,
  sectionsTaken,
} from './schemas.ts'

export type ExportFilters = Static<typeof exportFilters>

/** A request in the one spelling that its fingerprint is made of, and that its row keeps. */
export type ExportRequest = {
  filters: ExportFilters
  export_format: ExportFormat
  fields: ObservationSection[]
  max_credits?: number
}

/**
 * The filters without those whose answer is sold (docs/decisions/0010): what is quoted before anything is paid is counted by
 * these, and so tells nothing of suppliers. No fewer domains match them.
 */
export function withoutPaidFilters({
  supplier_brand: _,
  exclude_provider: __,
  ...free
}: ExportFilters): ExportFilters {
  return free
}

const known = Object.keys(exportFilters.properties) as (keyof ExportFilters)[]
const names = ['supplier_brand', 'exclude_provider', 'geo_hint'] as const

export function canonicalRequest(body: ExportBody): ExportRequest {
  const format = body.export_format ?? 'csv'
  const asked = format === 'csv' ? [] : [...(body.fields ?? []), ...(body['fields[]'] ?? [])]
  return {
    filters: canonicalFilters(body.filters ?? {}),
    export_format: format,
    fields: knownSections(asked),
    ...(body.max_credits === undefined ? {} : { max_credits: body.max_credits }),
  }
}

/** Without the keys that nobody knows (§4.17), and without blanks around names; a domain as domain resolve reads it; times in UTC. */
function canonicalFilters(sent: ExportFilters): ExportFilters {
  const filters: Record<string, unknown> = {}
  for (const key of known) if (sent[key] !== undefined) filters[key] = sent[key]
  for (const key of names) if (sent[key] !== undefined) filters[key] = sent[key].trim()
  if (sent.domain_after !== undefined) filters.domain_after = domainOf(sent.domain_after)
  if (sent.enriched_after !== undefined) filters.enriched_after = instantOf(sent.enriched_after)
  return filters as ExportFilters
}

/** The sections once each, in the catalogue's order; an unknown one is 400 before any charge (§2.9). */
function knownSections(asked: readonly string[]): ObservationSection[] {
  if (!asked.every(section => observationSections.some(each => each === section))) {
    throw new Failure('unknown_include', {
      message: `"fields" takes ${sectionsTaken}.`,
      details: { parameter: 'fields', takes: sectionsTaken },
    })
  }
  return observationSections.filter(section => asked.includes(section))
}

function domainOf(text: string): string {
  const reading = readDomain(text)
  if (reading.ok) return reading.domain
  throw wrongFilter('domain_after', domainTaken)
}

/** A day is its beginning in UTC. */
function instantOf(text: string): string {
  const moment = new Date(text)
  if (hasPlausibleYear(moment)) return moment.toISOString()
  throw wrongFilter('enriched_after', `${instantTaken}, from ${yearMin} to ${yearMax}`)
}

function wrongFilter(name: keyof ExportFilters, takes: string): Failure {
  const parameter = `filters.${name}`
  return new Failure('unprocessable_body', {
    message: `"${parameter}" takes ${takes}.`,
    details: { parameter, takes },
  })
}
