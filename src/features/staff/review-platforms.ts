import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable } from '../../core/schema.ts'
import { recordEvent } from '../audit/index.ts'
import { defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { listPlatforms, reviewPlatform } from '../signals/index.ts'
import { asProblem } from './as-problem.ts'
import { readPlatformEvidence } from './staff-store.ts'

const sitesShownMax = 8

const platformList = Type.Object({
  platforms: Type.Array(
    Type.Object({
      platform_key: Type.String(),
      name: Type.String(),
      reviewed_at: nullable(instant()),
      sites: Type.Integer({ description: 'Ever observed on it: the most Signals that a review makes.' }),
      signals: Type.Integer(),
      evidence: Type.Array(
        Type.Object({
          domain: Type.String(),
          seen_at: instant(),
          rule: nullable(Type.String()),
          snippet: nullable(Type.String()),
        }),
      ),
    }),
  ),
})
export type PlatformList = Static<typeof platformList>

const listPlatformReadings = defineSessionOperation({
  name: 'list_platform_readings',
  method: 'GET',
  path: '/dashboard/staff/platforms',
  access: 'staff',
  summary: 'Platforms, those that await review first, with their evidence',
  query: Type.Object({}, closed),
  data: platformList,
  failures: [],
  async answer({ world: { database } }) {
    const [platforms, evidence] = await Promise.all([
      listPlatforms(database),
      readPlatformEvidence(database, sitesShownMax),
    ])
    const byPlatform = Map.groupBy(evidence, each => each.platform_key)
    return {
      platforms: platforms.map(({ platform_key, name, reviewed_at, sites, signals }) => ({
        ...{ platform_key, name, sites, signals },
        reviewed_at: reviewed_at?.toISOString() ?? null,
        evidence: (byPlatform.get(platform_key) ?? []).map(({ platform_key: _, seen_at, ...shown }) => ({
          ...shown,
          seen_at: seen_at.toISOString(),
        })),
      })),
    }
  },
})

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  query: Type.Object({}, closed),
  params: Type.Object({ platform_key: Type.String({ maxLength: 200 }) }, closed),
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

export const platformReviewOperations = [listPlatformReadings, approve, withdraw]
