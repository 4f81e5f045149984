import { hasPlausibleYear, readDomain, yearMax, yearMin } from '@baize/names'
import { type Failure, wrongValue } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { type ObservationSection, observationSections } from '../domains/index.ts'
import {
  acceptedDomain,
  acceptedInstant,
  acceptedSections,
  type ExportBody,
  type ExportFormat,
  exportFilters,
} from './schemas.ts'

export type ExportFilters = Static<typeof exportFilters>

export type ExportRequest = {
  filters: ExportFilters
  export_format: ExportFormat
  fields: ObservationSection[]
  max_rows?: number
  max_credits?: number
}

/** Removes the filters by paid data, which a free quote must not reveal (docs/decisions/0010). */
export function withoutPaidFilters({
  supplier_brand: _,
  exclude_provider: __,
  ...free
}: ExportFilters): ExportFilters {
  return free
}

const knownFilters = Object.keys(exportFilters.properties) as (keyof ExportFilters)[]
const nameFilters = ['supplier_brand', 'exclude_provider', 'geo_hint'] as const

export function canonicalRequest(body: ExportBody): ExportRequest {
  const format = body.export_format ?? 'csv'
  const sections = format === 'csv' ? [] : [...(body.fields ?? []), ...(body['fields[]'] ?? [])]
  return {
    filters: canonicalFilters(body.filters ?? {}),
    export_format: format,
    fields: knownSections(sections),
    ...(body.max_rows === undefined ? {} : { max_rows: body.max_rows }),
    ...(body.max_credits === undefined ? {} : { max_credits: body.max_credits }),
  }
}

/** Normalises filters: unknown keys are ignored (§4.17), and times are converted to UTC. */
function canonicalFilters(sent: ExportFilters): ExportFilters {
  const filters: Record<string, unknown> = {}
  for (const key of knownFilters) if (sent[key] !== undefined) filters[key] = sent[key]
  for (const key of nameFilters) if (sent[key] !== undefined) filters[key] = sent[key].trim()
  if (sent.domain_after !== undefined) filters.domain_after = domainOf(sent.domain_after)
  if (sent.enriched_after !== undefined) filters.enriched_after = instantOf(sent.enriched_after)
  return filters as ExportFilters
}

/** Returns the sections in the order of the catalogue. An unknown section is a 400 (§2.9). */
function knownSections(requested: readonly string[]): ObservationSection[] {
  if (!requested.every(section => observationSections.some(each => each === section))) {
    throw wrongValue('fields', acceptedSections, 'unknown_include')
  }
  return observationSections.filter(section => requested.includes(section))
}

function domainOf(text: string): string {
  const reading = readDomain(text)
  if (reading.ok) return reading.domain
  throw invalidFilter('domain_after', acceptedDomain)
}

function instantOf(text: string): string {
  const moment = new Date(text)
  if (hasPlausibleYear(moment)) return moment.toISOString()
  throw invalidFilter('enriched_after', `${acceptedInstant}, from ${yearMin} to ${yearMax}`)
}

const invalidFilter = (name: keyof ExportFilters, accepted: string): Failure =>
  wrongValue(`filters.${name}`, accepted, 'unprocessable_body')
