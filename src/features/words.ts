/** Value sets that several nouns use (§2.2), each with one name in openapi.json. */
import { markets } from '../core/markets.ts'
import { oneOf } from '../core/schema.ts'
import { paymentCategories, roles, subjectKinds } from '../core/value-sets.ts'

type Options = { description?: string }

export const role = (options: Options = {}) => oneOf(roles, { named: 'Role', ...options })
export const subjectKind = () => oneOf(subjectKinds, { named: 'SubjectKind' })
export const paymentCategory = (description: string) =>
  oneOf(paymentCategories, { named: 'PaymentCategory', description })

const marketCodes = markets.map(market => market.code)
export const market = (options: Options = {}) => oneOf(marketCodes, { named: 'Jurisdiction', ...options })
