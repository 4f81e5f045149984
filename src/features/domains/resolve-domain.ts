import { Type } from 'typebox'
import type { Charge, Static } from '../../core/operation.ts'
import { closed, nullable, oneOf } from '../../core/schema.ts'
import { charge, costOf, prices, totalCredits } from '../../metering/pricing.ts'
import { canonicalDomain, domainInput, maxCredits } from '../inputs.ts'
import { defineOperation } from '../operation.ts'
import { cachedCoverage, verdictRows } from './domain-store.ts'
import { readMentions } from './mentions-store.ts'
import { observeDomain } from './observe-domain.ts'
import example from './resolve-domain.example.json' with { type: 'json' }
import {
  billingLine,
  billingReason,
  blockedBy,
  checked,
  licensedBy,
  mentionedBy,
  observationSections,
  observations,
  verdictWord,
} from './schemas.ts'

const evidenceAgeDaysMax = 3_650

const query = Type.Object(
  {
    domain: domainInput('The URL or host of a casino. Normalised to its registrable domain.'),
    'include[]': Type.Optional(
      Type.Array(oneOf(observationSections, { named: 'ObservationSection', failure: 'unknown_include' }), {
        maxItems: observationSections.length,
        uniqueItems: true,
        description: 'Observation sections to add (§2.9).',
      }),
    ),
    max_age_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: evidenceAgeDaysMax,
        description:
          'Maximum age of evidence. Validated, but without effect: checks of sites are not available yet.',
      }),
    ),
    max_credits: Type.Optional(maxCredits),
  },
  closed,
)

export const resolveDomain = defineOperation({
  name: 'resolve_domain',
  method: 'GET',
  path: '/v1/domains/resolve',
  tag: 'Domains',
  section: '§4.12',
  summary: 'Resolve a domain to its verdict',
  description: `Returns whether a domain is \`licensed\`, \`blocklisted\`, \`mixed\` or \`no_record\`,
by which regulators, and which registers were checked. \`no_record\` means that no regulator record is stored;
it does not mean unlicensed. Costs ${costOf('domain.verdict')} a verdict. An available Operator Launch Profile
adds ${prices['domain.operator_launch_profile'].credits}, charged with the verdict as one delivery.`,
  query,
  data: Type.Object(
    {
      domain: Type.String({ description: 'The canonical registrable domain.' }),
      verdict: verdictWord(),
      licensed_by: licensedBy,
      blocked_by: blockedBy,
      mentioned_by: mentionedBy,
      company: nullable(Type.Object({ company_ref: Type.String(), name: Type.String() }, closed), {
        description: 'The licensed operator of the domain.',
      }),
      checked,
      billing: Type.Object(
        {
          returned_count: Type.Integer(),
          credits_per_verdict: Type.Integer(),
          credits_charged: Type.Integer(),
          billing_reason: billingReason,
          max_credits: nullable(Type.Integer()),
          page_size: nullable(Type.Integer()),
          breakdown: Type.Array(billingLine),
        },
        closed,
      ),
      observations: Type.Optional(observations),
    },
    closed,
  ),
  prices: ['domain.verdict', 'domain.operator_launch_profile'],
  failures: [
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
  ],
  example,
  canonical: input => ({ ...input, domain: canonicalDomain(input.domain) }),

  async quote(context, input: Static<typeof query>, sent) {
    const { world, now } = context
    const sections = input['include[]'] ?? []
    const row = await world.readByKey(verdictRows, input.domain)
    const coverage = await cachedCoverage(world, now)
    const wantsProfile = sections.includes('operator_launch_profile')
    const quoted = wantsProfile
      ? [charge('domain.verdict', 1), charge('domain.operator_launch_profile', 1)]
      : [charge('domain.verdict', 1)]

    async function deliver() {
      const charges: Charge[] = [charge('domain.verdict', 1)]
      const mentions = await readMentions(world, sent.domain, row ?? null)
      const data = {
        domain: input.domain,
        verdict: row?.verdict ?? ('no_record' as const),
        licensed_by: row?.licensed_by ?? [],
        blocked_by: row?.blocked_by ?? [],
        mentioned_by: mentions,
        company: row?.company_ref
          ? { company_ref: row.company_ref, name: row.company_name ?? row.domain }
          : null,
        checked: {
          registers: coverage.registers,
          blocklists: coverage.blocklists,
          oldest_snapshot_at: coverage.oldest_snapshot_at?.toISOString() ?? null,
          as_of: now.toISOString(),
        },
        billing: {
          returned_count: 1,
          credits_per_verdict: charge('domain.verdict', 1).credits_per_unit,
          credits_charged: totalCredits(charges),
          billing_reason: 'verdict_delivered',
          max_credits: input.max_credits ?? null,
          page_size: null,
          breakdown: charges as {
            key: 'domain.verdict'
            units: number
            credits_per_unit: number
            credits_charged: number
          }[],
        },
      }
      if (sections.length === 0) return { data, charges }
      const { logoUrl } = context
      const observed = await observeDomain(
        { database: world.replica, now, logoUrl },
        input.domain,
        row ?? null,
        sections,
      )
      return { data: { ...data, observations: observed }, charges }
    }

    return { ceiling: totalCredits(quoted), deliver }
  },
})
