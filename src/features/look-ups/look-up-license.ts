import { Type } from 'typebox'
import { closed } from '../../core/schema.ts'
import { licenseNumberInput } from '../inputs.ts'
import { resolveLicense } from '../licenses/index.ts'
import { paidFields } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { lookedUp, sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'

export const lookUpLicense = defineSessionOperation({
  name: 'look_up_license',
  method: 'POST',
  path: '/dashboard/explorer/license',
  access: lookUpRoles,
  summary: 'The profile of a license',
  query: Type.Object({}, closed),
  form: Type.Object(
    {
      license_number: licenseNumberInput,
      jurisdiction: Type.Optional(Type.String({ maxLength: 64 })),
      ...paidFields,
    },
    closed,
  ),
  data: lookedUp,
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
