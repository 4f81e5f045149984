import { Type } from 'typebox'
import { domainInputCharactersMax } from '../../core/domain-name.ts'
import type { Static } from '../../core/operation.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { observationSections } from '../domains/index.ts'
import { marketInput, maxCredits } from '../inputs.ts'
import { paymentCategory } from '../words.ts'

/** By which the ledger, statements and usage records know what was asked for. */
export const createExportName = 'create_export'
/** §4.17: every export stops here. */
export const exportRowsMax = 10_000
/** §8: completed files go after so long. */
export const fileLifetimeHours = 24
export const expiryOf = (completedAt: Date) => new Date(completedAt.getTime() + fileLifetimeHours * 3_600_000)

const exportFormats = ['csv', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

const nameCharactersMax = 200

export const instantTaken = 'an ISO 8601 day, or a time with an offset, e.g. 2026-03-01T00:00:00Z'
export const domainTaken = 'a URL or host with a registrable domain'

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: nameCharactersMax, pattern: '\\S', description }))
const category = (description: string) => Type.Optional(paymentCategory(description))

export const exportFilters = Type.Object(
  {
    jurisdiction: Type.Optional(
      marketInput('Domains that are licensed there today: a market code (§2.2, and `ukraine`).'),
    ),
    payment_category: category('Sites currently observed taking that rail.'),
    supplier_brand: name('Sites currently observed with that supplier, in any case.'),
    exclude_provider: name('Leaves out sites currently observed with that supplier.'),
    exclude_payment: category('Leaves out sites currently observed taking that rail.'),
    has_affiliate: Type.Optional(
      Type.Boolean({
        description:
          'Whether an affiliate program is currently observed. false: none was, which does not mean that there is none.',
      }),
    ),
    geo_hint: name('Sites currently observed to address that place, in any case.'),
    enriched_after: Type.Optional(
      Type.String({
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'string', format: 'date' },
        ],
        takes: instantTaken,
        description:
          'Last observed after it. ISO 8601: a time with an offset, or a day, which is its beginning in UTC.',
      }),
    ),
    domain_after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: domainInputCharactersMax,
        takes: domainTaken,
        description:
          'Only domains behind this one, in the order of the file: the last one of a file that the row limit ended. In any spelling that domain resolve takes.',
      }),
    ),
  },
  {
    additionalProperties: true,
    default: {},
    description: 'All of them have to hold. Keys that are not listed here are ignored.',
  },
)

export const sectionsTaken = `a list, each one of ${observationSections.join(', ')}`

/** Published as the words that they are; taken as texts, because what is ignored for CSV is not refused either. */
const sections = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ words: observationSections, named: 'ObservationSection' }), {
      maxItems: 100,
      takes: sectionsTaken,
      description,
    }),
  )

export const exportBody = Type.Object(
  {
    filters: Type.Optional(exportFilters),
    export_format: Type.Optional(oneOf(exportFormats, { named: 'ExportFormat', default: 'csv' })),
    fields: sections('Include sections of §2.9, for JSON alone; ignored for CSV.'),
    'fields[]': sections('Another way to write `fields`.'),
    max_credits: Type.Optional(maxCredits),
  },
  closed,
)

export type ExportBody = Static<typeof exportBody>

export const exportId = Type.Object(
  {
    id: Type.Integer({
      minimum: 1,
      description: 'The `export_id` of the answer that queued it.',
      failure: 'not_found',
      takes: 'the number of an export, as it was answered',
    }),
  },
  closed,
)

/** §2.16, and what tells whether the file is whole. */
export const exportRecord = Type.Object(
  {
    id: Type.Integer(),
    status: oneOf(['completed']),
    format: oneOf(exportFormats, { named: 'ExportFormat' }),
    download_url: Type.String({ description: 'A path of this service.' }),
    total_rows: Type.Integer({ description: 'Rows in the file.' }),
    expected_rows: Type.Integer({
      description: `Rows that matched when the file was written, up to the ${exportRowsMax} that an export takes.`,
    }),
    truncated_by: nullable(oneOf(['row_limit', 'credits']), {
      description:
        '`row_limit`: more rows match than an export takes. `credits`: the balance or the quote ended before the rows did. null: the file is whole.',
    }),
    credits_used: Type.Integer(),
    bytes: Type.Integer(),
    sha256: Type.String({ description: 'Of the file, in hex.' }),
    completed_at: instant(),
    expires_at: instant({
      description: `When the file goes, ${fileLifetimeHours} hours after its completion.`,
    }),
  },
  closed,
)
