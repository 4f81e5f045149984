import { devices } from '@baize/lobby-reader/see'
import { readDomain } from '@baize/names'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { canonicalDomain, domainInput, maxCredits } from '../inputs.ts'
import { type Context, defineOperation } from '../operation.ts'
import { readRendering } from '../renderers/index.ts'
import example from './create-lobby-run.example.json' with { type: 'json' }
import { demoRun } from './demo-run.ts'
import { findOwnRun, type Target } from './lobby-store.ts'
import { runPath, runStates, suppliersMax } from './schemas.ts'
import { runCredits, type StartedRun, startLobbyRun } from './start-lobby-run.ts'

const ageMinutesDefault = 60
const ageMinutesMax = 7 * 24 * 60
const urlCharactersMax = 2_048
const renderRetryAfterSeconds = 3_600

const body = closedObject({
  domain: domainInput('The URL or host of a casino. Normalised to its registrable domain.'),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: urlCharactersMax,
      description:
        'The page of the lobby, on the same registrable domain. Absent: it is searched from the root.',
    }),
  ),
  device: Type.Optional(oneOf(devices, { default: 'desktop' })),
  suppliers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
      maxItems: suppliersMax,
      description: 'Suppliers by key or name. Those without a game are listed in `absent`.',
    }),
  ),
  max_age_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: ageMinutesMax,
      default: ageMinutesDefault,
      description:
        'Your own run of the same page and device of at most this age is reused, free; 0: none is.',
    }),
  ),
  max_credits: Type.Optional(maxCredits),
})

const data = closedObject({
  lobby_run_ref: Type.String({ description: 'Opaque.' }),
  domain: Type.String({ description: 'The canonical registrable domain.' }),
  status: oneOf(runStates),
  credits_quoted: Type.Integer({
    description:
      'Charged when the run ends with a game; 0: a run of yours was reused, or it has just failed.',
  }),
  poll_url: Type.String({ description: 'Path of the run, relative to this service.' }),
})

export const createLobbyRun = defineOperation({
  name: 'create_lobby_run',
  method: 'POST',
  path: '/v1/lobby-runs',
  tag: 'Lobby monitor',
  section: '§8',
  summary: 'See the lobby of a casino',
  description: `Visits a casino in a browser, finds its lobby, and reads the games in their order, with
their suppliers. Answers at once; poll \`poll_url\`, which is free. Costs ${runCredits} credits when the run
ends with a game (\`completed\` or \`partial\`); a failed run costs nothing. The credits are reserved at the
start. A run of the same page that another account started is joined, and costs the same. A lobby that could
not be read is visited again after 5 minutes at the earliest; until then the answer is \`failed\`. After 20
failed runs within 24 hours the answer is 429.`,
  query: closedObject({}),
  body,
  recorded: ['device'],
  data,
  success: { status: 202, message: 'Lobby run requested' },
  refreshes: true,
  prices: ['lobby.run'],
  failures: [
    'invalid_domain',
    'max_credits_exceeded',
    'quota_exceeded',
    'lobby_runs_failed',
    'renderer_unavailable',
    'idempotency_key_reused',
  ],
  demo: [{ title: 'A lobby of the demo world', query: {}, body: { domain: demoRun.domain } }],
  example,
  canonical: input => ({ ...input, domain: canonicalDomain(input.domain) }),

  async quote(context, input) {
    const target = targetOf(input)
    if (context.world.name === 'demo')
      return {
        ceiling: runCredits,
        deliver: async () =>
          answerOf(target.domain, { ref: demoRun.ref, status: 'queued', creditsQuoted: runCredits }),
      }
    const { world, caller, now } = context
    const freshAfter = new Date(now.getTime() - (input.max_age_minutes ?? ageMinutesDefault) * 60_000)
    const own = await findOwnRun(world.database, caller.accountId, target, freshAfter)
    if (own !== undefined) {
      const reused = { ref: own.ref, status: own.state, creditsQuoted: 0 }
      return { ceiling: 0, deliver: async () => answerOf(target.domain, reused) }
    }
    const suppliers = input.suppliers ?? []
    return {
      ceiling: runCredits,
      deliver: async () => answerOf(target.domain, await start(context, target, suppliers)),
    }
  },
})

type Input = Static<typeof body>

function targetOf({ domain, url, device = 'desktop' }: Input): Target {
  if (url === undefined) return { domain, url: null, device }
  const parsed = URL.parse(url)
  const read = readDomain(parsed?.hostname ?? '')
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || !read.ok || read.domain !== domain)
    throw new Failure('invalid_parameter', {
      message: '"url" must be a page of the same registrable domain as "domain".',
      details: { parameter: 'url', takes: 'an http or https URL of the registrable domain' },
    })
  parsed.hash = ''
  parsed.username = ''
  parsed.password = ''
  return { domain, url: parsed.href, device }
}

async function start(
  { world: { database }, caller, now, observe }: Context,
  target: Target,
  suppliers: readonly string[],
): Promise<StartedRun> {
  const { state, reason } = await readRendering(database, now)
  if (state !== 'on' || observe === null)
    throw new Failure('renderer_unavailable', {
      details: { state, reason },
      retryAfterSeconds: renderRetryAfterSeconds,
    })
  const { accountId, keyId = null } = caller
  return startLobbyRun(database, observe, { ...target, suppliers, accountId, keyId, now })
}

function answerOf(domain: string, { ref, status, creditsQuoted }: StartedRun) {
  const answer: Static<typeof data> = {
    lobby_run_ref: ref,
    domain,
    status,
    credits_quoted: creditsQuoted,
    poll_url: runPath(ref),
  }
  return { data: answer, charges: [] }
}
