import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { findPlatformByKey, listPlatforms, previewPlatformSignals, reviewPlatform } from '../signals/index.ts'
import { asProblem } from './as-problem.ts'
import { readPlatformEvidence } from './staff-store.ts'

const sitesShownMax = 20
const signalsShownMax = 20

const listPlatformReadings = defineSessionOperation({
  name: 'list_platform_readings',
  method: 'GET',
  path: '/dashboard/staff/platforms',
  access: 'staff',
  summary: 'Platforms, those that await review first',
  failures: [],
  async answer({ world: { database } }) {
    const platforms = await listPlatforms(database)
    return {
      platforms: platforms.map(({ platform_key, name, reviewed_at, sites, signals }) => ({
        ...{ platform_key, name, reviewed_at: reviewed_at?.toISOString() ?? null, sites, signals },
      })),
    }
  },
})

export type PlatformList = AnswerOf<typeof listPlatformReadings>

const params = closedObject({ platform_key: Type.String({ maxLength: 200 }) })

const showPlatformReview = defineSessionOperation({
  name: 'show_platform_review',
  method: 'GET',
  path: '/dashboard/staff/platforms/{platform_key}',
  access: 'staff',
  summary: 'A platform with its evidence and the Signals that its review would add',
  params,
  failures: ['route_not_found'],
  async answer({ world: { database } }, { platform_key: key }) {
    const found = await findPlatformByKey(database, key)
    if (found === undefined) throw new Failure('route_not_found')
    const [{ sites, evidence }, expected] = await Promise.all([
      readPlatformEvidence(database, found.id, sitesShownMax),
      previewPlatformSignals(database, found.id, signalsShownMax),
    ])
    return {
      platform_key: key,
      name: found.name,
      reviewed_at: found.reviewed_at?.toISOString() ?? null,
      sites,
      evidence: evidence.map(each => ({ ...each, seen_at: each.seen_at.toISOString() })),
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

export type PlatformReview = AnswerOf<typeof showPlatformReview>

const declared = {
  method: 'POST' as const,
  access: 'staff' as const,
  stepUp: true as const,
  params,
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
  const decision = { reviewed, by: session }
  const report = await asProblem('platform_key', () => reviewPlatform(world, key, now, decision))
  if (report === undefined) throw new Failure('route_not_found')
  return { platform_key: key, signals: report.signals }
}

export const platformReviewOperations = [listPlatformReadings, showPlatformReview, approve, withdraw]
