import { counted } from '@baize/names'
import { jsonList } from '../../core/json-text.ts'
import type { Delivery } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { charge } from '../../metering/pricing.ts'
import type { Context } from '../operation.ts'
import { type EvidenceRow, evidenceThen, receiptOf } from '../receipts/index.ts'
import { marketsInForceAt } from '../regimes/index.ts'
import { truthStateOf } from '../source-facts.ts'
import { type StreamThen, streamColumns, streamsThen } from '../streams-then-store.ts'
import { beforeHistory, type Times, timesOf } from '../two-times.ts'
import { coverageOf } from './checked-streams-store.ts'
import { verdictEvidenceThen } from './evidence-store.ts'
import { readMentions } from './mentions-store.ts'
import { observeLicensesThen } from './observe-domain.ts'
import { billVerdicts, checkedAt, verdictMemberNames, writeVerdict } from './verdict-members.ts'
import { type VerdictThen, verdictKey, verdictsThen } from './verdicts-then-store.ts'

/** Returns the verdicts of domains as they were known and in force at a moment, in their order. */
export async function readVerdictsThen(world: World, domains: readonly string[], knownAt: Date) {
  const at = { knownAt, asOf: 'infinity', day: knownAt.toISOString().slice(0, 10) }
  const keys = domains.map(domain => verdictKey(domain, at))
  const rows = await world.primary.readByKeys(verdictsThen, keys)
  const byKey = new Map(rows.map(row => [row.key, row]))
  return keys.map(key => byKey.get(key))
}

type Site = { sent: string; domain: string }

type Wanted = {
  times: Times
  namesStreams: boolean
  maxCredits: number | undefined
  isSigned: boolean
  /** Is true if the answer has the licenses of that day (`include[]`). */
  hasLicenses?: boolean
}

/** Delivers a verdict of another day. The primary is read, so that one `known_at` is one state. */
export async function deliverVerdictThen(context: Context, site: Site, wanted: Wanted) {
  const row = await context.world.primary.readByKey(verdictsThen, verdictKey(site.domain, wanted.times))
  const described = await describeThen(context, [site], [row], wanted)
  const { verdicts, checked, regimes, before, event } = described
  const written = verdicts[0] as (typeof verdicts)[number]
  const stated = [regimes.describe(written.licensed_by, written.blocked_by) ?? '']
  if (written.verdict === '"no_record"' && before.length > 0)
    stated.push(`${counted(before.length, 'stream')} of today had not been read by then ("before_tracking").`)
  const message = stated.some(text => text !== '') ? `OK. ${stated.join(' ').trim()}` : undefined
  const charges = [charge('domain.verdict', 1)]
  const { times, hasLicenses = false } = wanted
  const asked = { event, asOf: times.asOf }
  const data = {
    ...times.sent,
    checked,
    billing: billVerdicts(1, charges, wanted.maxCredits),
    ...(hasLicenses ? { observations: await observeLicensesThen(context, site.domain, asked) } : {}),
  }
  const { verdict, licensed_by, blocked_by } = written
  const members = { verdict, licensed_by, blocked_by }
  const receipt = receiptOf(described.evidence, { members, times: timesOf(times) })
  return { data, message, written, charges, ...receipt } satisfies Delivery<unknown>
}

type List<Unresolved> = {
  resolved: readonly (Site & { index: number })[]
  unresolved: Unresolved[]
  distinct: ReadonlySet<string>
}

/** Delivers verdicts of another day, in the order of the list. */
export async function deliverVerdictsThen<Unresolved>(
  context: Context,
  { resolved, unresolved, distinct }: List<Unresolved>,
  wanted: Wanted,
) {
  const keyOf = ({ domain }: { domain: string }) => verdictKey(domain, wanted.times)
  // A list without a domain still says which streams were checked.
  const keys = distinct.size === 0 ? [keyOf({ domain: '' })] : [...distinct].map(domain => keyOf({ domain }))
  const found = await context.world.primary.readByKeys(verdictsThen, keys)
  const rows = new Map(found.map(row => [row.key, row]))
  const first = found.slice(0, 1)
  const { verdicts, checked, evidence } = await describeThen(
    context,
    resolved,
    resolved.length === 0 ? first : resolved.map(site => rows.get(keyOf(site))),
    wanted,
  )
  const charges = distinct.size === 0 ? [] : [charge('domain.verdict', distinct.size)]
  const texts = resolved.map(({ index, sent }, place) => {
    const written = verdicts[place] as (typeof verdicts)[number]
    const members = verdictMemberNames.map(name => `"${name}":${written[name]}`).join(',')
    return `{"index":${index},"input":${JSON.stringify(sent)},${members}}`
  })
  const billing = billVerdicts(resolved.length, charges, wanted.maxCredits)
  return {
    written: { verdicts: jsonList(texts) },
    data: { ...wanted.times.sent, unresolved, checked, billing },
    charges,
    ...receiptOf(evidence, { members: {}, items: 'verdicts', times: timesOf(wanted.times) }),
  } satisfies Delivery<unknown>
}

async function describeThen(
  { world, now }: Context,
  sites: readonly Site[],
  rows: readonly (VerdictThen | undefined)[],
  { times, namesStreams, isSigned }: Wanted,
) {
  const { event = null, committed_at = null } = rows[0] ?? {}
  if (event === null || committed_at === null) throw await beforeHistory(world)
  const asked = sites.map(({ sent, domain }, place) => {
    const { id = null, mentioned = false } = rows[place] ?? {}
    return { sent, domain, stored: id === null ? undefined : { id, mentioned } }
  })
  const [mentions, regimes, known] = await Promise.all([
    readMentions(world.primary, asked, { event, asOf: times.asOf }),
    marketsInForceAt(world, now, times),
    streamsThen(world, { event, committed_at }),
  ])
  const verdicts = sites.map(({ domain }, place) => {
    const row = rows[place]
    const stored = row === undefined || row.id === null ? undefined : { ...row, id: row.id }
    return writeVerdict(domain, stored, JSON.stringify(mentions[place]), regimes)
  })
  const streams = known.map(({ stream, market, kind, snapshot_ref, last_taken_at, cadence_hours }) => ({
    ...{ stream, market, kind, snapshot_ref },
    last_snapshot_at: last_taken_at.toISOString(),
    truth_state: truthStateOf(
      { is_quarantined: false, last_confirmed_at: last_taken_at, cadence_hours },
      times.knownAt,
    ),
  }))
  const before = known.filter(({ tracked_from }) => tracked_from > times.asOfDate)
  const checked = {
    ...checkedAt(coverageOf(streams), now),
    before_tracking: before.map(({ stream, tracked_from }) => ({
      stream,
      tracked_from: tracked_from.toISOString(),
    })),
    ...(namesStreams ? { streams } : {}),
  }
  const evidence = isSigned ? await readEvidence(world, { sites, rows, known, event, times }) : null
  return { verdicts, checked, regimes, before, event, evidence }
}

type Answered = {
  sites: readonly Site[]
  rows: readonly (VerdictThen | undefined)[]
  known: readonly StreamThen[]
  event: number
  times: Times
}

async function readEvidence({ primary }: World, { sites, rows, known, event, times }: Answered) {
  const byDomain = new Map(rows.flatMap(row => (row === undefined ? [] : [[row.domain, row] as const])))
  const domains = [...new Set(sites.map(({ domain }) => domain))]
  const verdicts = domains.map(domain => byDomain.get(domain)?.verdict ?? 'no_record')
  const licensedBy = domains.map(domain => byDomain.get(domain)?.licensed_by ?? null)
  const values = [domains, verdicts, licensedBy, event, times.asOf, ...streamColumns(known)]
  const evidence = await primary.read<EvidenceRow>({ ...verdictEvidenceThen, values })
  return evidenceThen({ rows: evidence, isAll: verdicts.includes('no_record') })
}
