/** Runs and shows the lobby monitor in the dashboard. */
import { devices } from '@baize/lobby-reader/see'
import { type Static, Type } from 'typebox'
import { closedObject, oneOf } from '../../core/schema.ts'
import { domainInput } from '../inputs.ts'
import { type Rendering, readRendering } from '../renderers/index.ts'
import { dataOf, newNonce, paidFields, sendView } from '../send-request.ts'
import { accountOf, defineSessionOperation } from '../session-operation.ts'
import { createLobbyRun } from './create-lobby-run.ts'
import {
  type DescribedChanges,
  type DescribedRun,
  describeChanges,
  describeRun,
  supplierKey,
} from './describe-run.ts'
import { findRun, listRunsUntil } from './lobby-store.ts'
import { listLobbyRuns, unknownRun } from './read-lobby-runs.ts'
import { refParams, suppliersMax } from './schemas.ts'
import { runCredits } from './start-lobby-run.ts'

const roles = ['owner', 'member'] as const

export type ListedLobbyRuns = Static<typeof listLobbyRuns.data> & {
  rendering: Rendering
  price: number
  nonce: string
}

const listAccountLobbyRuns = defineSessionOperation({
  name: 'list_account_lobby_runs',
  method: 'GET',
  path: '/dashboard/lobbies',
  access: roles,
  summary: 'The runs of the lobby monitor',
  query: closedObject({
    domain: Type.Optional(Type.String({ maxLength: 2_048 })),
    after: Type.Optional(Type.String({ maxLength: 1_024 })),
  }),
  failures: listLobbyRuns.failures,
  async answer(context, query): Promise<ListedLobbyRuns> {
    const data = (await sendView(context, { operation: listLobbyRuns.name, query })) as Static<
      typeof listLobbyRuns.data
    >
    const rendering = await readRendering(context.world.database, context.now)
    return { ...data, rendering, price: runCredits, nonce: newNonce() }
  },
})

const startAccountLobbyRun = defineSessionOperation({
  name: 'start_lobby_run',
  method: 'POST',
  path: '/dashboard/lobbies',
  access: roles,
  summary: 'See a lobby now',
  form: closedObject({
    domain: domainInput('A URL or host.'),
    url: Type.Optional(Type.String({ maxLength: 2_048 })),
    device: oneOf(devices),
    suppliers: Type.Optional(Type.String({ maxLength: 2_000 })),
    ...paidFields,
  }),
  failures: createLobbyRun.failures,
  async answer(context, { domain, url, device, suppliers = '', max_credits, nonce }) {
    const asked = suppliers
      .split(',')
      .map(each => each.trim())
      .filter(each => each !== '')
    const received = await context.send({
      operation: createLobbyRun.name,
      body: {
        domain,
        device,
        max_credits,
        max_age_minutes: 0,
        ...(url ? { url } : {}),
        suppliers: asked.slice(0, suppliersMax),
      },
      idempotencyKey: `${nonce}.lobby`,
    })
    const { lobby_run_ref: ref } = dataOf(received) as { lobby_run_ref: string }
    return { ref }
  },
})

export type ShownLobbyRun = {
  run: DescribedRun
  /** The keys of the suppliers that were asked for, or of the one that the page highlights. */
  asked: string[]
  changes: DescribedChanges | null
  /** This run and earlier ones of the same page and device, the newest first; none if it saw no games. */
  history: Pick<DescribedRun, 'lobby_run_ref' | 'requested_at' | 'titles_seen' | 'shares'>[]
}

const showAccountLobbyRun = defineSessionOperation({
  name: 'show_account_lobby_run',
  method: 'GET',
  path: '/dashboard/lobbies/{ref}',
  access: roles,
  summary: 'The lobby that a run saw',
  params: refParams,
  query: closedObject({
    supplier: Type.Optional(Type.String({ maxLength: 120 })),
    since: Type.Optional(Type.String({ maxLength: 64, description: 'The run to compare with.' })),
  }),
  failures: ['not_found'],
  async answer(context, { ref, supplier, since }): Promise<ShownLobbyRun> {
    const { accountId } = accountOf(context)
    const { database } = context.world
    const run = await findRun(database, accountId, ref)
    if (run === undefined) throw unknownRun()
    const history = run.games === null ? [] : await listRunsUntil(database, accountId, run)
    const before = history.find(each => each.id < run.id && (since === undefined || each.ref === since))
    if (since !== undefined && before === undefined) throw unknownRun()
    return {
      run: describeRun(run),
      asked: (supplier === undefined ? run.suppliers : [supplier]).map(supplierKey),
      changes: before === undefined ? null : describeChanges(run, before),
      history: history.map(describeRun).map(({ lobby_run_ref, requested_at, titles_seen, shares }) => {
        return { lobby_run_ref, requested_at, titles_seen, shares }
      }),
    }
  },
})

export const lobbySessionOperations = [listAccountLobbyRuns, startAccountLobbyRun, showAccountLobbyRun]
