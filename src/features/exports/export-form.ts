/** The fields of the dashboard's form for an export. */
import { type Static, Type } from 'typebox'
import { markets } from '../../core/markets.ts'
import { oneOf } from '../../core/schema.ts'
import { paymentCategories } from '../../core/value-sets.ts'
import { prices } from '../../metering/pricing.ts'
import { observationSections } from '../domains/index.ts'
import { type ExportBody, exportFilters, exportRowsMax } from './schemas.ts'

const filters = exportFilters.properties

export const exportForm = {
  jurisdiction: filters.jurisdiction,
  payment_category: filters.payment_category,
  exclude_payment: filters.exclude_payment,
  supplier_brand: filters.supplier_brand,
  exclude_provider: filters.exclude_provider,
  has_affiliate: filters.has_affiliate,
  geo_hint: filters.geo_hint,
  enriched_after: Type.Optional(Type.String({ format: 'date' })),
  export_format: oneOf(['csv', 'json']),
  max_rows: Type.Optional(Type.Integer({ minimum: 1, maximum: exportRowsMax })),
  'fields[]': Type.Optional(Type.Array(oneOf(observationSections), { uniqueItems: true })),
}

export type ExportForm = Static<ReturnType<typeof Type.Object<typeof exportForm>>>

export function requestOf(form: ExportForm): ExportBody {
  const { export_format, max_rows, 'fields[]': fields, ...sent } = form
  return {
    filters: sent,
    export_format,
    ...(max_rows === undefined ? {} : { max_rows }),
    ...(fields === undefined ? {} : { fields }),
  }
}

const named = Type.Array(Type.Object({ key: Type.String(), name: Type.String() }))

export const exportFormChoices = {
  schema: Type.Object({
    markets: named,
    payment_categories: Type.Array(Type.String()),
    sections: Type.Array(Type.String()),
    rows_max: Type.Integer(),
    credits_per_row: Type.Integer(),
    credits_per_profile: Type.Integer(),
  }),
  values: {
    markets: markets.map(({ code, name }) => ({ key: code, name })),
    payment_categories: [...paymentCategories],
    sections: [...observationSections],
    rows_max: exportRowsMax,
    credits_per_row: prices['export.row'].credits,
    credits_per_profile: prices['export.operator_launch_profile'].credits,
  },
}
