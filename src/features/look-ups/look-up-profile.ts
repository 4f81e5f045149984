import { Type } from 'typebox'
import { closedObject, oneOf } from '../../core/schema.ts'
import { resolveCompany } from '../companies/index.ts'
import { licenseNumberInput } from '../inputs.ts'
import { resolveLicense } from '../licenses/index.ts'
import { paidFields } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'

const companyIdentifiers = ['name', 'domain', 'legal_entity', 'license_number', 'company_ref'] as const

export const lookUpCompany = defineSessionOperation({
  name: 'look_up_company',
  method: 'POST',
  path: '/dashboard/explorer/company',
  access: lookUpRoles,
  summary: 'The profile of a Company',
  form: closedObject({
    identifier: oneOf(companyIdentifiers),
    company: Type.String({ minLength: 1, maxLength: 500 }),
    firmographics: Type.Optional(Type.Boolean()),
    ...paidFields,
  }),
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

export const lookUpLicense = defineSessionOperation({
  name: 'look_up_license',
  method: 'POST',
  path: '/dashboard/explorer/license',
  access: lookUpRoles,
  summary: 'The profile of a license',
  form: closedObject({
    license_number: licenseNumberInput,
    jurisdiction: Type.Optional(Type.String({ maxLength: 64 })),
    ...paidFields,
  }),
  failures: resolveLicense.failures,
  answer: (context, { license_number, jurisdiction, ...paid }) =>
    sendLookUp(
      context,
      {
        operation: resolveLicense.name,
        path: resolveLicense.path,
        query: { license_number, ...(jurisdiction === undefined ? {} : { jurisdiction }) },
      },
      paid,
    ),
})
