import type { Static } from 'typebox'
import { closedObject } from '../../core/schema.ts'
import { createEnrichment, enrichmentParams, showEnrichment } from '../enrichments/index.ts'
import { domainInput } from '../inputs.ts'
import { dataOf, paidFields, sendView } from '../send-request.ts'
import { defineSessionOperation } from '../session-operation.ts'
import { lookUpRoles } from './buy.ts'

export const startSiteCheck = defineSessionOperation({
  name: 'start_check',
  method: 'POST',
  path: '/dashboard/checks',
  access: lookUpRoles,
  summary: 'Check a site now, in the background',
  form: closedObject({ domain: domainInput('A URL or host.'), ...paidFields }),
  failures: createEnrichment.failures,
  async answer(context, { domain, max_credits, nonce }) {
    const received = await context.send({
      operation: createEnrichment.name,
      body: { domain, max_age_days: 0, max_credits },
      idempotencyKey: `${nonce}.check`,
    })
    const { enrichment_id } = dataOf(received) as { enrichment_id: string }
    return { enrichment_id }
  },
})

export type CheckShown = Static<typeof showEnrichment.data>

export const showCheck = defineSessionOperation({
  name: 'show_check',
  method: 'GET',
  path: '/dashboard/checks/{id}',
  access: lookUpRoles,
  summary: 'The state of a check, and counts of what it found',
  params: enrichmentParams,
  failures: showEnrichment.failures,
  answer: async (context, { id }) =>
    (await sendView(context, { operation: showEnrichment.name, params: { id } })) as CheckShown,
})
