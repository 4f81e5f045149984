import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { costOf, prices } from '../../metering/pricing.ts'
import { canonicalDomain, domainInput, evidenceAgeDaysMax, maxCredits } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import { receiptInput, receiptMember } from '../receipts/index.ts'
import { readTimes, timesInput, timesMembers } from '../two-times.ts'
import { checkNeedOf, deliverVerdict } from './deliver-verdict.ts'
import { deliverVerdictThen } from './deliver-verdict-then.ts'
import { verdictRows } from './domain-store.ts'
import example from './resolve-domain.example.json' with { type: 'json' }
import {
  checked,
  checkedStreamsInput,
  noRecordMeaning,
  observationSections,
  observations,
  refreshBilling,
} from './schemas.ts'
import { verdictBilling, verdictMemberNames, verdictMembers } from './verdict-members.ts'

const refreshCredits = prices['domain.refresh'].credits
const profileCredits = prices['domain.operator_launch_profile'].credits

const query = closedObject({
  domain: domainInput('The URL or host of a casino. Normalised to its registrable domain.'),
  'include[]': Type.Optional(
    Type.Array(oneOf(observationSections, { named: 'ObservationSection', failure: 'unknown_include' }), {
      maxItems: observationSections.length,
      uniqueItems: true,
      description: 'Observation sections to add, such as `payment_methods`.',
    }),
  ),
  max_age_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: evidenceAgeDaysMax,
      description:
        'Maximum age of the evidence, in days. If the last completed check of the site is older, the ' +
        'service checks the site now; 0: always. Absent: stored evidence of any age.',
    }),
  ),
  checked_streams: Type.Optional(checkedStreamsInput),
  receipt: Type.Optional(receiptInput),
  ...timesInput,
  max_credits: Type.Optional(maxCredits),
})

export const resolveDomain = defineOperation({
  name: 'resolve_domain',
  method: 'GET',
  path: '/v1/domains/resolve',
  tag: 'Domains',
  section: '§4.12',
  summary: 'Resolve a domain to its verdict',
  description: `Returns whether a domain is \`licensed\`, \`blocklisted\`, \`mixed\` or \`no_record\`,
by which regulators, and which registers were checked. ${noRecordMeaning}
Costs ${costOf('domain.verdict')} a verdict. An available Operator Launch Profile
adds ${profileCredits}, charged with the verdict as one delivery.

With \`max_age_days\` and a section that a check can observe, the service looks at the site first if its last
completed check is older. The request waits for the check, up to 240 seconds; let clients wait for 300.
A completed check costs the request that started it ${refreshCredits} more, as a ledger entry of its own
(\`billing.refresh\`); a failed one and a joined one cost nothing. A check that takes longer goes on: the
answer has what is stored, with \`enrichment_run.status: running\`. Poll
\`GET /v1/enrichments/{enrichment_id}\`, which is free, then resolve again with a fresh key and
\`max_age_days=1\`. \`logos\` and \`platform_history\` start no check; neither does the profile of a
domain without exactly one licensed operator. \`licenses\` starts one, though registers alone fill it.

With \`as_of\`, \`known_at\` or both, the verdict is that of another day, at the same price. The Company has
its name of today. Of the sections only \`licenses\` can be asked for, without \`max_age_days\`.`,
  query,
  data: closedObject({
    ...verdictMembers,
    ...timesMembers,
    checked,
    billing: closedObject({ ...verdictBilling, refresh: Type.Optional(refreshBilling) }),
    observations: Type.Optional(observations),
    receipt: Type.Optional(receiptMember),
  }),
  written: verdictMemberNames,
  prices: ['domain.verdict', 'domain.operator_launch_profile', 'domain.refresh'],
  failures: [
    'before_history',
    'invalid_domain',
    'unknown_include',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: [
    { title: 'A licensed domain', query: { domain: 'luckyotter.example' } },
    { title: 'A blocklisted domain', query: { domain: 'redkite-casino.example' } },
    { title: 'Licensed in one market, blocklisted in another', query: { domain: 'twofaced.example' } },
    {
      title: 'A newspaper of which a blocklist names one host',
      query: { domain: 'poker.morningheron.example' },
    },
    { title: 'A domain without any record', query: { domain: 'neverheard.example' } },
    {
      title: 'A verdict with all observations of the site',
      query: { domain: 'luckyotter.example', 'include[]': [...observationSections] },
    },
    {
      title: 'A verdict with the streams behind it',
      query: { domain: 'neverheard.example', checked_streams: 'true' },
    },
    { title: 'A verdict with a signed receipt', query: { domain: 'luckyotter.example', receipt: 'true' } },
    {
      title: 'The verdict of another day: the license was suspended later',
      query: { domain: 'redshankraceways.example', as_of: '2026-10-15' },
    },
    {
      title: 'The verdict of another day, as it was known then',
      query: { domain: 'avocetbingo.example', as_of: '2026-09-15', known_at: '2026-09-15' },
    },
    {
      title: 'The verdict before a correction, as it was known then',
      query: {
        ...{ domain: 'sandpiperslots.example', as_of: '2026-10-07', known_at: '2026-10-07' },
        receipt: 'true',
      },
    },
    {
      title: 'That day as it is known now, with a signed receipt',
      query: { domain: 'sandpiperslots.example', as_of: '2026-10-07', receipt: 'true' },
    },
  ],
  example,
  canonical: input => ({ ...input, domain: canonicalDomain(input.domain) }),

  async quote(context, input: Static<typeof query>, sent) {
    const { domain } = input
    const sections = input['include[]'] ?? []
    const times = readTimes(input, context.now, {
      'include[]': sections.some(section => section !== 'licenses'),
      max_age_days: input.max_age_days !== undefined,
    })
    if (times !== null) {
      const wanted = {
        times,
        namesStreams: input.checked_streams === true,
        maxCredits: input.max_credits,
        isSigned: input.receipt === true,
        hasLicenses: sections.length > 0,
      }
      const site = { sent: sent.domain, domain }
      return {
        ceiling: prices['domain.verdict'].credits,
        deliver: () => deliverVerdictThen(context, site, wanted),
      }
    }
    const isSigned = input.receipt === true
    // A signed verdict is read with its evidence later.
    const row =
      isSigned && input.max_age_days === undefined
        ? undefined
        : await context.world.readByKey(verdictRows, domain)
    const wanted = { domain, domainId: row?.id ?? null, sections, maxAgeDays: input.max_age_days }
    const need = await checkNeedOf(context, wanted)
    const wantsProfile = sections.includes('operator_launch_profile')
    const ownCredits = prices['domain.verdict'].credits + (wantsProfile ? profileCredits : 0)
    const ofCheck = need?.kind === 'needed' ? refreshCredits : 0
    const maxCredits = input.max_credits
    const namesStreams = input.checked_streams === true
    const request = {
      ...{ domain, sent: sent.domain, sections, maxCredits, row, need, ownCredits },
      ...{ namesStreams, isSigned },
    }
    return { ceiling: ownCredits + ofCheck, deliver: () => deliverVerdict(context, request) }
  },
})
