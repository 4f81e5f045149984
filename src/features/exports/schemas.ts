import { domainInputCharactersMax } from '@baize/names'
import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closedObject, instant, nullable, oneOf } from '../../core/schema.ts'
import { observationSections } from '../domains/index.ts'
import { marketInput, maxCredits } from '../inputs.ts'
import { paymentCategory } from '../value-sets.ts'

/** The name of the operation, also in the ledger, statements and usage records. */
export const createExportName = 'create_export'
export const exportRowsMax = 10_000
/** The hours after which a file expires (§8). */
export const fileLifetimeHours = 24
export const expiryOf = (completedAt: Date) => new Date(completedAt.getTime() + fileLifetimeHours * 3_600_000)

const exportFormats = ['csv', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The limits that may end a file before its last row. */
const truncations = ['max_rows', 'row_limit', 'credits'] as const
export type Truncation = (typeof truncations)[number]

const nameCharactersMax = 200

export const acceptedInstant = 'an ISO 8601 day, or a time with an offset, e.g. 2026-03-01T00:00:00Z'
export const acceptedDomain = 'a URL or host with a registrable domain'

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: nameCharactersMax, pattern: '\\S', description }))
const category = (description: string) => Type.Optional(paymentCategory(description))

export const exportFilters = Type.Object(
  {
    jurisdiction: Type.Optional(marketInput('Domains currently licensed in this market, such as `ukgc`.')),
    payment_category: category('Sites currently observed with this payment category.'),
    supplier_brand: name('Sites currently observed with this supplier. Case-insensitive.'),
    exclude_provider: name('Excludes sites currently observed with this supplier.'),
    exclude_payment: category('Excludes sites currently observed with this payment category.'),
    has_affiliate: Type.Optional(
      Type.Boolean({
        description:
          'Whether an affiliate program is currently observed. false does not mean that there is none.',
      }),
    ),
    geo_hint: name('Sites currently observed to target this place. Case-insensitive.'),
    enriched_after: Type.Optional(
      Type.String({
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'string', format: 'date' },
        ],
        takes: acceptedInstant,
        description:
          'Sites last observed after this time: ISO 8601, either a time with an offset or a day in UTC.',
      }),
    ),
    domain_after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: domainInputCharactersMax,
        takes: acceptedDomain,
        description: [
          'Only domains that sort after this one. After the row limit, send the last domain of the file.',
          'Accepts the same input as domain resolve.',
        ].join(' '),
      }),
    ),
  },
  {
    additionalProperties: true,
    default: {},
    description: 'A domain must match all filters. Unknown keys are ignored.',
  },
)

export const acceptedSections = `a list, each one of ${observationSections.join(', ')}`

/** Declares the sections as any text, because CSV ignores sections, even unknown ones. */
const sections = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ words: observationSections, named: 'ObservationSection' }), {
      maxItems: 100,
      takes: acceptedSections,
      description,
    }),
  )

export const exportBody = closedObject({
  filters: Type.Optional(exportFilters),
  export_format: Type.Optional(oneOf(exportFormats, { named: 'ExportFormat', default: 'csv' })),
  fields: sections('Observation sections to include. JSON only; ignored for CSV.'),
  'fields[]': sections('Same as `fields`.'),
  max_rows: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: exportRowsMax,
      description: `Maximum rows of the file, and of the quote. Default: ${exportRowsMax}.`,
    }),
  ),
  max_credits: Type.Optional(maxCredits),
})

export type ExportBody = Static<typeof exportBody>

export const exportId = closedObject({
  id: Type.Integer({
    minimum: 1,
    description: '`export_id` from the response that created the export.',
    failure: 'not_found',
    takes: 'the id of an export',
  }),
})

/** The record of a completed export (§2.16). */
export const exportRecord = closedObject({
  id: Type.Integer(),
  status: oneOf(['completed']),
  format: oneOf(exportFormats, { named: 'ExportFormat' }),
  download_url: Type.String({ description: 'Path of the file, relative to this service.' }),
  total_rows: Type.Integer({ description: 'Rows in the file.' }),
  expected_rows: Type.Integer({
    description: `Rows that matched when the file was written, at most \`max_rows\` or ${exportRowsMax}.`,
  }),
  truncated_by: nullable(oneOf(truncations, { named: 'ExportTruncation' }), {
    description:
      `\`max_rows\`, \`row_limit\` (${exportRowsMax}): more rows match. \`credits\`: balance or ` +
      'quote was used up. null: the file is complete.',
  }),
  credits_used: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String({ description: 'SHA-256 of the file, in hex.' }),
  completed_at: instant(),
  expires_at: instant({
    description: `When the file is deleted, ${fileLifetimeHours} hours after its completion.`,
  }),
})
