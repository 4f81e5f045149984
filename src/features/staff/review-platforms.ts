import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable } from '../../core/schema.ts'
import { recordEvent } from '../audit/index.ts'
import { defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { expectPlatformSignals, findPlatformByKey, listPlatforms, reviewPlatform } from '../signals/index.ts'
import { asProblem } from './as-problem.ts'
import { readPlatformEvidence } from './staff-store.ts'

const sitesShownMax = 20
const signalsShownMax = 20

const platform = {
  platform_key: Type.String(),
  name: Type.String(),
  reviewed_at: nullable(instant()),
  sites: Type.Integer({ description: 'Ever seen on it.' }),
}

const platformList = Type.Object({
  platforms: Type.Array(Type.Object({ ...platform, signals: Type.Integer() })),
})
export type PlatformList = Static<typeof platformList>

const listPlatformReadings = defineSessionOperation({
  name: 'list_platform_readings',
  method: 'GET',
  path: '/dashboard/staff/platforms',
  access: 'staff',
  summary: 'Platforms, those that await review first',
  query: Type.Object({}, closed),
  data: platformList,
  failures: [],
  async answer({ world: { database } }) {
    const platforms = await listPlatforms(database)
    return {
      platforms: platforms.map(({ platform_key, name, reviewed_at, sites, signals }) => ({
        ...{ platform_key, name, sites, signals },
        reviewed_at: reviewed_at?.toISOString() ?? null,
      })),
    }
  },
})

const params = Type.Object({ platform_key: Type.String({ maxLength: 200 }) }, closed)

const platformReview = Type.Object({
  ...platform,
  evidence: Type.Array(
    Type.Object({
      domain: Type.String(),
      seen_at: instant(),
      rule: nullable(Type.String()),
      snippet: nullable(Type.String()),
    }),
    { description: `The latest ${sitesShownMax} sites.` },
  ),
  expected: Type.Object(
    {
      total: Type.Integer(),
      signals: Type.Array(Type.Object({ headline: Type.String(), occurred_at: instant() })),
    },
    { description: `The Signals that a review would add now; the first ${signalsShownMax}.` },
  ),
})
export type PlatformReview = Static<typeof platformReview>

const showPlatformReview = defineSessionOperation({
  name: 'show_platform_review',
  method: 'GET',
  path: '/dashboard/staff/platforms/{platform_key}',
  access: 'staff',
  summary: 'A platform with its evidence and the Signals that its review would add',
  query: Type.Object({}, closed),
  params,
  data: platformReview,
  failures: ['route_not_found'],
  async answer({ world: { database } }, { platform_key: key }) {
    const found = await findPlatformByKey(database, key)
    if (found === undefined) throw new Failure('route_not_found')
    const [{ sites, evidence }, expected] = await Promise.all([
      readPlatformEvidence(database, found.id, sitesShownMax),
      expectPlatformSignals(database, found.id, signalsShownMax),
    ])
    return {
      platform_key: key,
      name: found.name,
      reviewed_at: found.reviewed_at?.toISOString() ?? null,
      sites,
      evidence: evidence.map(({ seen_at, ...shown }) => ({ ...shown, seen_at: seen_at.toISOString() })),
      expected: {
        total: expected.total,
        signals: expected.signals.map(({ headline, occurred_at }) => ({
          headline,
          occurred_at: occurred_at.toISOString(),
        })),
      },
    }
  },
})

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  query: Type.Object({}, closed),
  params,
  form: Type.Object({}, closed),
  data: Type.Object({ platform_key: Type.String(), signals: Type.Integer() }),
  failures: ['route_not_found' as const, 'invalid_parameter' as const],
}

const approve = defineSessionOperation({
  ...declared,
  name: 'approve_platform',
  path: '/dashboard/staff/platforms/{platform_key}/approve',
  summary: 'Publish a platform, with a Signal for each of its sites',
  answer: (context, { platform_key: key }) => review(context, key, true),
})

const withdraw = defineSessionOperation({
  ...declared,
  name: 'withdraw_platform',
  path: '/dashboard/staff/platforms/{platform_key}/withdraw',
  summary: 'Publish a platform no longer; its Signals remain',
  answer: (context, { platform_key: key }) => review(context, key, false),
})

async function review({ world, session, now }: SessionContext, key: string, reviewed: boolean) {
  const report = await asProblem('platform_key', () => reviewPlatform(world, key, now, { reviewed }))
  if (report === undefined) throw new Failure('route_not_found')
  if (report.changed)
    await recordEvent(world.database, session, {
      action: reviewed ? 'platform.approved' : 'platform.withdrawn',
      subject: key,
      accountId: null,
      details: { signals: report.signals },
      now,
    })
  return { platform_key: key, signals: report.signals }
}

export const platformReviewOperations = [listPlatformReadings, showPlatformReview, approve, withdraw]
