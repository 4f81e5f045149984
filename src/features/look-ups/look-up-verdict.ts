import { Type } from 'typebox'
import { closed, oneOf } from '../../core/schema.ts'
import { observationSections, resolveDomain } from '../domains/index.ts'
import { domainInput } from '../inputs.ts'
import { paidFields } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { lookedUp, sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'

export const lookUpVerdict = defineSessionOperation({
  name: 'look_up_verdict',
  method: 'POST',
  path: '/dashboard/explorer/verdict',
  access: lookUpRoles,
  summary: 'The verdict of a domain, with stored evidence',
  query: Type.Object({}, closed),
  form: Type.Object(
    {
      domain: domainInput('A URL or host.'),
      'include[]': Type.Optional(
        Type.Array(oneOf(observationSections), { maxItems: observationSections.length, uniqueItems: true }),
      ),
      ...paidFields,
    },
    closed,
  ),
  data: lookedUp,
  failures: resolveDomain.failures,
  answer: (context, { domain, 'include[]': sections = [], ...paid }) =>
    sendLookUp(
      context,
      {
        operation: resolveDomain.name,
        path: resolveDomain.path,
        query: { domain, ...(sections.length === 0 ? {} : { 'include[]': [...sections] }) },
      },
      paid,
    ),
})
