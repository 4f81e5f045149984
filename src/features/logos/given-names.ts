import type { LogoKind } from './kinds.ts'
import type { CompanyNames, GivenName } from './subjects-store.ts'

export function namesGivenBy(company: CompanyNames): GivenName[] {
  if (company.merged) return []
  const own = company.company_name
  const brandKind = kindOfBrands(company.role.filter(role => role !== 'unknown'))
  const brands = new Set(company.brands.filter(isName))
  return [
    ...(own !== null && isName(own) ? [{ kind: 'company' as const, company_id: company.id, name: own }] : []),
    ...[...brands].map(name => ({ kind: brandKind, company_id: company.id, name })),
  ]
}

function kindOfBrands(roles: readonly string[]): LogoKind {
  if (roles.length === 0 || roles.includes('operator')) return 'operator_brand'
  return roles.every(role => role === 'payment_provider') ? 'payment_method' : 'supplier_brand'
}

const isName = (text: string) => text.trim() !== ''
