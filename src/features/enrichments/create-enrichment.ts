import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { canonicalDomain, domainInput, evidenceAgeDaysMax, maxCredits } from '../inputs.ts'
import { type Context, defineOperation } from '../operation.ts'
import { type CheckNeed, readCheckNeed } from './ask-for-check.ts'
import example from './create-enrichment.example.json' with { type: 'json' }
import { insertEnrichment } from './enrichments-store.ts'
import { refreshCredits } from './reserve-credits.ts'
import { checkStates, enrichmentPath } from './schemas.ts'
import { demoDomain, demoEnrichmentId } from './show-enrichment.ts'
import { startCheck } from './start-check.ts'

const ageDaysDefault = 1
/** Retries after an hour: a setting turns checks off, so a retry soon is useless. */
const offRetryAfterSeconds = 3_600

const body = closedObject({
  domain: domainInput('The URL or host of a site. Normalised to its registrable domain.'),
  max_age_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: evidenceAgeDaysMax,
      default: ageDaysDefault,
      description: 'A completed check of at most this age is reused, free; 0: none is.',
    }),
  ),
  max_credits: Type.Optional(maxCredits),
})

const data = closedObject({
  enrichment_id: Type.String({ description: 'Opaque.' }),
  domain: Type.String({ description: 'The canonical registrable domain.' }),
  status: oneOf(checkStates, { description: '`completed`: a stored check is young enough.' }),
  credits_quoted: Type.Integer({
    description: 'Charged when the check is completed; 0: it was reused, or another request started it.',
  }),
  poll_url: Type.String({ description: 'Path of the enrichment, relative to this service.' }),
})

export const createEnrichment = defineOperation({
  name: 'create_enrichment',
  method: 'POST',
  path: '/v1/enrichments',
  tag: 'Enrichments',
  section: '§8',
  summary: 'Have a site checked',
  description: `Checks a site in the background, and answers at once. Poll \`poll_url\`, which is free, then
resolve the domain for the evidence. Costs ${refreshCredits} credits when the check is completed; a failed
check costs nothing. Free if the last completed check is at most \`max_age_days\` old
(\`status: completed\`), or if a check of the site runs already, which this request joins. The credits are
reserved when the check starts. A site that could not be read is checked again after 5 minutes at the
earliest; until then the answer is \`failed\`.`,
  query: closedObject({}),
  body,
  data,
  success: { status: 202, message: 'Enrichment requested' },
  prices: ['domain.refresh'],
  failures: ['invalid_domain', 'max_credits_exceeded', 'quota_exceeded', 'idempotency_key_reused'],
  demo: [{ title: 'A check of a licensed domain', query: {}, body: { domain: demoDomain } }],
  example,
  canonical: input => ({ ...input, domain: canonicalDomain(input.domain) }),

  async quote(context, input) {
    if (context.world.name === 'demo') return { ceiling: refreshCredits, deliver: async () => demoAnswer }
    const { domain, max_age_days: maxAgeDays = ageDaysDefault } = input
    const need = await readCheckNeed(context, { domain, maxAgeDays })
    return {
      ceiling: need.kind === 'fresh' ? 0 : refreshCredits,
      deliver: async () => answerOf(domain, await enrich(context, domain, need)),
    }
  },
})

type Requested = { enrichmentId: string; status: (typeof checkStates)[number]; credits: number }

async function enrich(context: Context, domain: string, need: CheckNeed): Promise<Requested> {
  const { world, caller, now, observe } = context
  const { accountId } = caller
  if (observe === null || need.kind === 'not_available')
    throw new Failure('service_unavailable', {
      message: 'This service checks no sites (OBSERVE=off); nothing was charged.',
      retryAfterSeconds: offRetryAfterSeconds,
    })
  if (need.kind === 'fresh') {
    const reused = { accountId, checkId: need.checkId, isPaid: false, now }
    return { enrichmentId: await insertEnrichment(world.database, reused), status: 'completed', credits: 0 }
  }
  const { requestId, client, idempotencyKey } = observe
  const { enrichmentId, state, isPaid } = await startCheck(world.database, observe, {
    domain,
    askedBy: 'enrichment',
    accountId,
    requestId,
    client,
    keyId: caller.keyId ?? null,
    idempotencyKey,
    freshAfter: need.freshAfter,
    ownCredits: 0,
    now,
  })
  return { enrichmentId, status: state, credits: isPaid && state !== 'failed' ? refreshCredits : 0 }
}

function answerOf(domain: string, { enrichmentId, status, credits }: Requested) {
  const answer: Static<typeof data> = {
    enrichment_id: enrichmentId,
    domain,
    status,
    credits_quoted: credits,
    poll_url: enrichmentPath(enrichmentId),
  }
  return { data: answer, charges: [] }
}

const demoAnswer = answerOf(demoDomain, {
  enrichmentId: demoEnrichmentId,
  status: 'queued',
  credits: refreshCredits,
})
