import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { closedObject, namedObject } from '../../core/schema.ts'
import { canonicalDomain, domainInput } from '../inputs.ts'
import { type Context, defineOperation } from '../operation.ts'
import { pageLinks, pagingInput, pagingOutput } from '../paging.ts'
import { demoRun } from './demo-run.ts'
import { describeChanges, describeRun, summaryOf } from './describe-run.ts'
import changesExample from './list-lobby-changes.example.json' with { type: 'json' }
import listExample from './list-lobby-runs.example.json' with { type: 'json' }
import { findRun, listRuns, type StoredRun } from './lobby-store.ts'
import { changesData, refParams, runData, runMembers } from './schemas.ts'
import showExample from './show-lobby-run.example.json' with { type: 'json' }

const runsPerPage = 20
const common = { tag: 'Lobby monitor', section: '§8', prices: [] } as const

export const showLobbyRun = defineOperation({
  ...common,
  name: 'show_lobby_run',
  method: 'GET',
  path: '/v1/lobby-runs/{ref}',
  summary: 'Show a run of the lobby monitor',
  description: `Returns a run that you requested: its sections, the games in their order, and the share of
each supplier. Another account's run is 404, like a missing one. Free.`,
  query: closedObject({}),
  params: refParams,
  data: runData,
  failures: ['not_found'],
  demo: [{ title: 'The run of the demo world', query: {}, params: { ref: demoRun.ref } }],
  example: showExample,

  async quote(context, { ref }) {
    const data = describeRun(await requireRun(context, ref))
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})

export const listLobbyRuns = defineOperation({
  ...common,
  name: 'list_lobby_runs',
  method: 'GET',
  path: '/v1/lobby-runs',
  summary: 'List your runs of the lobby monitor',
  description: `Returns your runs without their games, the newest first, ${runsPerPage} a page. Free.`,
  query: closedObject({
    domain: Type.Optional(domainInput('Only runs of this site.')),
    after: pagingInput.after,
  }),
  data: closedObject({
    lobby_runs: Type.Array(namedObject('LobbyRunSummary', runMembers), { maxItems: runsPerPage }),
    ...pagingOutput,
  }),
  failures: ['invalid_domain', 'invalid_cursor', 'cursor_filter_mismatch', 'legacy_cursor_not_supported'],
  demo: [{ title: 'The runs of the demo world', query: {} }],
  example: listExample,

  async quote(context, { domain, after }) {
    const page = await readPage(context, domain, after)
    return { ceiling: 0, deliver: async () => ({ data: page, charges: [] }) }
  },
})

export const listLobbyChanges = defineOperation({
  ...common,
  name: 'list_lobby_changes',
  method: 'GET',
  path: '/v1/lobby-runs/{ref}/changes',
  summary: 'Compare two runs of a lobby',
  description: `Returns the games that entered, left or moved between two of your runs of the same site,
page and device that ended with games. Other runs are 422. Free.`,
  query: closedObject({
    since: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The `lobby_run_ref` of the earlier run.',
    }),
  }),
  params: refParams,
  data: changesData,
  failures: ['not_found', 'unprocessable_body'],
  demo: [],
  example: changesExample,

  async quote(context, { ref, since }) {
    const [run, earlier] = [await requireRun(context, ref), await requireRun(context, since)]
    const isAlike = run.domain === earlier.domain && run.url === earlier.url && run.device === earlier.device
    if (!isAlike || run.games === null || earlier.games === null)
      throw new Failure('unprocessable_body', {
        message: 'Both runs must be of one site, page and device, and have games.',
        details: { parameter: 'since', takes: 'a run of the same site, page and device' },
      })
    const data = describeChanges(run, earlier)
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})

const feed = 'lr1'

async function readPage({ world, caller }: Context, domain: string | undefined, after: string | undefined) {
  if (world.name === 'demo') return { lobby_runs: [summaryOf(demoRun)], ...pageLinks(null) }
  const site = domain === undefined ? undefined : canonicalDomain(domain)
  const scope = { feed, filters: { account: caller.accountRef, domain: site ?? null } }
  const secret = await world.cursorSecret()
  const before = after === undefined ? null : Number(openCursor(scope, after, secret)[0])
  const { accountId } = caller
  const found = await listRuns(world.database, { accountId, domain: site, before, rows: runsPerPage + 1 })
  const shown = found.slice(0, runsPerPage)
  const last = found.length > runsPerPage ? shown.at(-1) : undefined
  return {
    lobby_runs: shown.map(summaryOf),
    ...pageLinks(last === undefined ? null : sealCursor(scope, [String(last.id)], secret)),
  }
}

/** Returns a run of the caller. One of another account is missing, too. */
async function requireRun({ world, caller }: Context, ref: string): Promise<StoredRun> {
  const isDemo = world.name === 'demo' && ref === demoRun.ref
  const run = isDemo ? demoRun : await findRun(world.database, caller.accountId, ref)
  if (run === undefined) throw unknownRun()
  return run
}

export const unknownRun = () => new Failure('not_found', { message: 'You have no lobby run with this ref.' })
