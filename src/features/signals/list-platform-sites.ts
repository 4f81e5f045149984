import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { costOf } from '../../metering/pricing.ts'
import { findReviewedPlatform } from '../domains/index.ts'
import { defineOperation, type InputOf } from '../operation.ts'
import { platformEventType } from './draft.ts'
import { quoteFeed } from './feed-page.ts'
import { feedData, feedFailures, feedPageInput, nullableDay, operatorRole } from './feed-schemas.ts'
import example from './list-platform-sites.example.json' with { type: 'json' }
import { type PlatformSiteRow, readPlatformSiteRows } from './platform-rows-store.ts'

const feed = 'ps1'

const query = closedObject({
  role: operatorRole,
  platform: Type.String({
    minLength: 2,
    maxLength: 200,
    description:
      'Key, name or alias of a reviewed platform, in any case. A platform without a review is a 400.',
  }),
  ...feedPageInput,
})

const signal = namedObject('PlatformSite', {
  signal_ref: Type.String(),
  type: oneOf(['platform_new_site']),
  headline: Type.String(),
  platform: closedObject({ key: Type.String(), name: Type.String() }),
  subject: closedObject({
    company_ref: Type.String(),
    role: oneOf(['operator']),
    role_derived_at: instant(),
    brand: nullable(Type.String()),
    domain: Type.String(),
  }),
  change: closedObject({
    type: oneOf([platformEventType]),
    occurred_at: instant({
      description: 'When the site was first observed on the platform, not when it moved there.',
    }),
    detected_at: instant(),
    last_corrected_at: nullable(instant(), { description: 'When an earlier reading was found.' }),
  }),
  evidence: Type.Array(
    closedObject({
      source_type: oneOf(['site_capture']),
      source_url: nullable(Type.String()),
      observed_at: nullable(instant()),
    }),
  ),
})

const echo = closedObject({
  role: operatorRole,
  platform: Type.String({ description: 'Key of the platform.' }),
  occurred_from: nullableDay,
  occurred_to: nullableDay,
})

export const listPlatformSites = defineOperation({
  name: 'list_platform_sites',
  method: 'GET',
  path: '/v1/signals/platform-sites',
  tag: 'Signals',
  section: '§4.2',
  summary: 'List new sites on a platform',
  description: `Operator sites first observed on a reviewed platform: one Signal per site and platform, in the
order in which they were detected. The date is when the site was first observed there, not when the operator
moved. Pass \`next_cursor\` as \`after\`: every Signal is delivered once, and at the end of the feed the
cursor can be stored and polled. Costs ${costOf('signal.base')} per Signal; an empty page is free.`,
  query,
  data: feedData(echo, signal),
  prices: ['signal.base'],
  failures: ['unknown_platform', ...feedFailures],
  demo: [
    { title: 'Sites on Copperbeam', query: { role: 'operator', platform: 'Copperbeam', page_size: '5' } },
    {
      title: 'Sites first seen on Hexafold in 2025 or 2026',
      query: {
        role: 'operator',
        platform: 'hexafold',
        occurred_from: '2025-01-01',
        occurred_to: '2026-12-31',
      },
    },
  ],
  example,

  async quote(context, input: InputOf<typeof query>) {
    const { world } = context
    const platform = await findReviewedPlatform(world, input.platform.trim())
    if (platform === undefined) {
      throw new Failure('unknown_platform', {
        details: { parameter: 'platform', takes: 'a platform that was reviewed' },
      })
    }
    const filters = { role: input.role, platform: platform.platform_key }
    return quoteFeed(context, input, {
      feed,
      filters,
      source: null,
      readPage: position => readPlatformSiteRows(world, platform.id, position),
      describe: describeSite,
    })
  },
})

function describeSite(row: PlatformSiteRow) {
  return {
    signal_ref: row.signal_ref,
    type: 'platform_new_site' as const,
    headline: row.headline,
    platform: { key: row.platform_key, name: row.platform_name },
    subject: {
      company_ref: row.company_ref,
      role: 'operator' as const,
      role_derived_at: row.detected_at.toISOString(),
      brand: row.brand,
      domain: row.domain,
    },
    change: {
      type: platformEventType,
      occurred_at: row.occurred_at.toISOString(),
      detected_at: row.detected_at.toISOString(),
      last_corrected_at: row.last_corrected_at?.toISOString() ?? null,
    },
    evidence: [
      {
        source_type: 'site_capture' as const,
        source_url: row.source_url,
        observed_at: row.occurred_at.toISOString(),
      },
    ],
  }
}
