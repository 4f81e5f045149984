import { domainInputCharactersMax } from '@baize/names'
import { Type } from 'typebox'
import { jsonList } from '../../core/json-text.ts'
import type { Delivery, Static } from '../../core/operation.ts'
import { closedObject, namedObject } from '../../core/schema.ts'
import type { Reads } from '../../database/open.ts'
import { charge, costOf, prices } from '../../metering/pricing.ts'
import { type DomainList, inputPlace, readDomainList, unresolvedInput } from '../domain-list.ts'
import { maxCredits } from '../inputs.ts'
import { type Context, defineOperation } from '../operation.ts'
import { receiptInput, receiptMember, receiptOf } from '../receipts/index.ts'
import { marketsInForce } from '../regimes/index.ts'
import { readTimes, timesInput, timesMembers } from '../two-times.ts'
import { coverageOf, readWithStreams } from './checked-streams-store.ts'
import { deliverVerdictsThen } from './deliver-verdict-then.ts'
import { cachedCoverage, readVerdictRows } from './domain-store.ts'
import { readMentions } from './mentions-store.ts'
import example from './resolve-domains.example.json' with { type: 'json' }
import { checked, checkedStreamsInput } from './schemas.ts'
import {
  billVerdicts,
  checkedAt,
  verdictBilling,
  verdictMemberNames,
  verdictMembers,
  writeVerdict,
} from './verdict-members.ts'
import { readSigned } from './verdict-receipt.ts'

const domainsMax = 1_000
const bodyBytesMax = 512 * 1024

const body = closedObject({
  domains: Type.Array(Type.String({ maxLength: domainInputCharactersMax }), {
    minItems: 1,
    maxItems: domainsMax,
    description: 'URLs or hosts of casinos. Each is normalised to its registrable domain.',
  }),
  checked_streams: Type.Optional(checkedStreamsInput),
  receipt: Type.Optional(receiptInput),
  ...timesInput,
  max_credits: Type.Optional(maxCredits),
})

const demoDomains = [
  'luckyotter.example',
  'redkite-casino.example',
  'twofaced.example',
  'poker.morningheron.example',
  'neverheard.example',
]

export const resolveDomains = defineOperation({
  name: 'resolve_domains',
  method: 'POST',
  path: '/v1/domains/resolve',
  tag: 'Domains',
  section: '§4.12',
  summary: 'Resolve up to 1,000 domains to their verdicts',
  description: `Returns the verdict of each domain in \`domains\`, as \`GET /v1/domains/resolve\` does without
\`include[]\`, in the order sent. Costs ${costOf('domain.verdict')} per distinct registrable domain: a domain
that is sent twice is answered twice and charged once. Invalid inputs are listed in \`unresolved\`, free of
charge. If the balance does not cover the whole list, nothing is delivered.

The body may have ${bodyBytesMax / 1024} KiB. An \`Idempotency-Key\` belongs to the list as it was sent:
another order or spelling is another request. Usage records do not store the domains.`,
  query: closedObject({}),
  body,
  bodyBytesMax,
  ordered: ['domains'],
  recorded: ['checked_streams', 'receipt', 'as_of', 'known_at', 'max_credits'],
  data: closedObject({
    verdicts: Type.Array(namedObject('BatchVerdict', { ...inputPlace, ...verdictMembers })),
    unresolved: Type.Array(unresolvedInput, { description: 'Inputs that are not domains.' }),
    ...timesMembers,
    checked,
    billing: closedObject(verdictBilling, {
      description: '`units` of the breakdown counts distinct domains.',
    }),
    receipt: Type.Optional(receiptMember),
  }),
  written: ['verdicts'],
  prices: ['domain.verdict'],
  failures: ['before_history', 'max_credits_exceeded', 'quota_exceeded', 'idempotency_key_reused'],
  demo: [
    {
      title: 'Five domains: licensed, blocklisted, both, mentioned and unknown',
      query: {},
      body: {
        domains: demoDomains,
      },
    },
    {
      title: 'The same with the streams behind them',
      query: {},
      body: { domains: demoDomains, checked_streams: true },
    },
    {
      title: 'The same with one signed receipt for all',
      query: {},
      body: { domains: demoDomains, receipt: true },
    },
    {
      title: 'The same as it was known on another day',
      query: {},
      body: { domains: demoDomains, known_at: '2026-10-15' },
    },
  ],
  example,

  async quote(context, input: Static<typeof body>) {
    const list = readDomainList(input.domains)
    const ceiling = list.distinct.size * prices['domain.verdict'].credits
    const times = readTimes(input, context.now)
    if (times !== null) {
      const wanted = {
        times,
        namesStreams: input.checked_streams === true,
        maxCredits: input.max_credits,
        isSigned: input.receipt === true,
      }
      return { ceiling, deliver: () => deliverVerdictsThen(context, list, wanted) }
    }
    return { ceiling, deliver: () => deliverVerdicts(context, list, input) }
  },
})

async function deliverVerdicts(
  { world, now }: Context,
  { resolved, unresolved, distinct }: DomainList,
  input: Omit<Static<typeof body>, 'domains'>,
) {
  const { checked_streams: namesStreams = false, receipt: isSigned = false, max_credits: maxCredits } = input
  const readSites = async (reads: Reads) => {
    if (isSigned) return readSigned(world, resolved)
    const rows = await readVerdictRows(reads, [...distinct])
    const sites = resolved.map(({ sent, domain }) => ({ sent, domain, stored: rows.get(domain) }))
    return { rows, mentions: await readMentions(reads, sites), evidence: null }
  }
  const { result, streams } = namesStreams
    ? await readWithStreams(world, now, readSites)
    : { result: await readSites(world), streams: undefined }
  const { rows, mentions, evidence } = result
  const [coverage, regimes] = await Promise.all([
    streams === undefined ? cachedCoverage(world, now) : coverageOf(streams),
    marketsInForce(world, now),
  ])
  const verdicts = resolved.map(({ index, sent, domain }, place) => {
    const written = writeVerdict(domain, rows.get(domain), JSON.stringify(mentions[place]), regimes)
    const members = verdictMemberNames.map(name => `"${name}":${written[name]}`).join(',')
    return `{"index":${index},"input":${JSON.stringify(sent)},${members}}`
  })
  const charges = distinct.size === 0 ? [] : [charge('domain.verdict', distinct.size)]
  return {
    written: { verdicts: jsonList(verdicts) },
    data: {
      unresolved,
      checked: { ...checkedAt(coverage, now), ...(streams === undefined ? {} : { streams }) },
      billing: billVerdicts(resolved.length, charges, maxCredits),
    },
    charges,
    ...receiptOf(evidence, { members: {}, items: 'verdicts' }),
  } satisfies Delivery<unknown>
}
