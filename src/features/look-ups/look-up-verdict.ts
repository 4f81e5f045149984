import { type Static, Type } from 'typebox'
import { closedObject, oneOf } from '../../core/schema.ts'
import type { Coverage } from '../coverage/index.ts'
import { observationSections, resolveDomain } from '../domains/index.ts'
import { domainInput } from '../inputs.ts'
import { paidFields, sendView } from '../send-request.ts'
import { type AnswerOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { readTimeline } from '../timelines/index.ts'
import { sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'

export const lookUpVerdict = defineSessionOperation({
  name: 'look_up_verdict',
  method: 'POST',
  path: '/dashboard/explorer/verdict',
  access: lookUpRoles,
  summary: 'The verdict of a domain, with stored evidence',
  form: closedObject({
    domain: domainInput('A URL or host.'),
    'include[]': Type.Optional(
      Type.Array(oneOf(observationSections), { maxItems: observationSections.length, uniqueItems: true }),
    ),
    ...paidFields,
  }),
  failures: resolveDomain.failures,
  async answer(context, { domain, 'include[]': sections = [], ...paid }) {
    const query = {
      domain,
      checked_streams: 'true',
      ...(sections.length === 0 ? {} : { 'include[]': [...sections] }),
    }
    const found = await sendLookUp(
      context,
      { operation: resolveDomain.name, path: resolveDomain.path, query },
      paid,
    )
    const resolved = found.response as Resolved
    return {
      ...found,
      sources: await sourcesOf(context, resolved),
      timeline: await readTimeline(context.world.replica, resolved.domain),
    }
  },
})

export type VerdictLookedUp = AnswerOf<typeof lookUpVerdict>
export type VerdictSource = VerdictLookedUp['sources'][number]
export type VerdictPeriod = VerdictLookedUp['timeline'][number]

type Resolved = Static<typeof resolveDomain.data>

/** Returns the streams behind the verdict, each with the address where it is published. */
async function sourcesOf(context: SessionContext, { checked }: Resolved) {
  const { streams = [] } = checked
  if (streams.length === 0) return []
  const { markets } = (await sendView(context, { operation: 'get_coverage' })) as Coverage
  const published = markets.flatMap(each => each.streams)
  return streams.map(({ truth_state: _, ...each }) => ({
    ...each,
    official_url: published.find(known => known.stream === each.stream)?.official_url ?? null,
  }))
}
