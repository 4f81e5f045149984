import { Type } from 'typebox'
import { closed, oneOf } from '../../core/schema.ts'
import { resolveCompany } from '../companies/index.ts'
import { paidFields } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { lookedUp, sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'

const companyIdentifiers = ['name', 'domain', 'legal_entity', 'license_number', 'company_ref'] as const

export const lookUpCompany = defineSessionOperation({
  name: 'look_up_company',
  method: 'POST',
  path: '/dashboard/explorer/company',
  access: lookUpRoles,
  summary: 'The profile of a Company',
  query: Type.Object({}, closed),
  form: Type.Object(
    {
      identifier: oneOf(companyIdentifiers),
      company: Type.String({ minLength: 1, maxLength: 500 }),
      firmographics: Type.Optional(Type.Boolean()),
      ...paidFields,
    },
    closed,
  ),
  data: lookedUp,
  failures: resolveCompany.failures,
  answer: (context, { identifier, company, firmographics = false, ...paid }) =>
    sendLookUp(
      context,
      {
        operation: resolveCompany.name,
        path: resolveCompany.path,
        query: { [identifier]: company, ...(firmographics ? { 'include[]': ['firmographics'] } : {}) },
      },
      paid,
    ),
})
