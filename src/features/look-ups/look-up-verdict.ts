import { type Static, Type } from 'typebox'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import type { Coverage } from '../coverage/index.ts'
import { observationSections, resolveDomain } from '../domains/index.ts'
import { domainInput } from '../inputs.ts'
import { paidFields, sendView } from '../send-request.ts'
import { defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { lookedUp, sendLookUp } from './send-look-up.ts'
import { lookUpRoles } from './show-explorer.ts'

const source = Type.Object({
  stream: Type.String(),
  market: Type.String(),
  kind: Type.String(),
  last_snapshot_at: instant(),
  official_url: nullable(Type.String()),
})
export type VerdictSource = Static<typeof source>

const verdictLookedUp = Type.Object({
  ...lookedUp.properties,
  sources: Type.Array(source, {
    description: 'The streams behind the verdict, with where they are published.',
  }),
})
export type VerdictLookedUp = Static<typeof verdictLookedUp>

export const lookUpVerdict = defineSessionOperation({
  name: 'look_up_verdict',
  method: 'POST',
  path: '/dashboard/explorer/verdict',
  access: lookUpRoles,
  summary: 'The verdict of a domain, with stored evidence',
  query: Type.Object({}, closed),
  form: Type.Object(
    {
      domain: domainInput('A URL or host.'),
      'include[]': Type.Optional(
        Type.Array(oneOf(observationSections), { maxItems: observationSections.length, uniqueItems: true }),
      ),
      ...paidFields,
    },
    closed,
  ),
  data: verdictLookedUp,
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
    return { ...found, sources: await sourcesOf(context, found.response as Resolved) }
  },
})

type Resolved = Static<typeof resolveDomain.data>

async function sourcesOf(context: SessionContext, { checked }: Resolved): Promise<VerdictSource[]> {
  const { streams = [] } = checked
  if (streams.length === 0) return []
  const { markets } = (await sendView(context, { operation: 'get_coverage' })) as Coverage
  const published = markets.flatMap(each => each.streams)
  return streams.map(({ truth_state: _, ...each }) => ({
    ...each,
    official_url: published.find(known => known.stream === each.stream)?.official_url ?? null,
  }))
}
