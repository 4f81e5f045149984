import type { LobbyGame } from '@baize/lobby-reader'
import { expect } from 'vitest'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../../../test/harness/service.ts'
import { verifyBalances, verifySettlements } from '../../metering/ledger.ts'
import { reportRenderer } from '../renderers/index.ts'
import { failedVisit, finishVisit } from './finish-lobby-run.ts'
import { claimVisit, listOpenVisits, type VisitEnd, verifyLobbyRuns } from './lobby-store.ts'

type Seen = Pick<VisitEnd, 'sections' | 'games'>

export type LobbyService = TestService & {
  /** Sends `POST /v1/lobby-runs`. */
  run(customer: Customer, body: object, headers?: Record<string, string>): Promise<Response>
  show(customer: Customer, ref: string): Promise<Response>
  /** Ends all open visits with these titles in one section, or with the reason of a failure. */
  end(seen: string[] | { reason: string } | Seen): Promise<void>
  /** A worker reports its renderer. */
  reportRenderer(state: 'on' | 'unavailable'): Promise<void>
  spent(customer: Customer): Promise<{ used: number; reserved: number }>
  expectConsistentBooks(): Promise<void>
}

const gameOf = (title: string, index: number): LobbyGame => ({
  section: 0,
  position: index + 1,
  title,
  supplier: index % 2 === 0 ? 'Velvet Anvil' : null,
  supplierSlug: index % 2 === 0 ? 'velvet-anvil' : null,
  match: index % 2 === 0 ? 'shown' : 'none',
  isAboveFold: index < 2,
  isRepeat: false,
})

const lobbyOf = (titles: readonly string[]): Seen => ({
  sections: [{ name: 'Slots', kind: 'category', isComplete: true, gamesSeen: titles.length }],
  games: titles.map(gameOf),
})

export async function startLobbyService(options: TestServiceOptions = {}): Promise<LobbyService> {
  const service = await startService({ world: 'demo', ...options })
  const { database } = service.service.live
  const { now } = service.service
  const report = (state: 'on' | 'unavailable') => {
    const counts = { renders: 0, failed: 0, killed: 0, processes: 0, last_failure: null }
    const reason = state === 'on' ? null : 'not_found'
    return reportRenderer(database, { worker: 'test', state, reason, message: null, ...counts }, now())
  }
  await report('on')
  return {
    ...service,
    reportRenderer: report,
    run: (customer, body, headers = {}) =>
      customer.ask('/v1/lobby-runs', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    show: (customer, ref) => customer.ask(`/v1/lobby-runs/${ref}`),
    async end(seen) {
      for (const { visitId } of await listOpenVisits(database)) {
        const visit = await claimVisit(database, visitId, now())
        if (visit === undefined) continue
        const lobby = Array.isArray(seen) ? lobbyOf(seen) : seen
        const finalUrl = `https://${visit.domain}/casino`
        const end =
          'reason' in lobby
            ? failedVisit(lobby.reason)
            : ({ state: 'completed', reason: null, finalUrl, ...lobby } as const)
        await finishVisit(database, visit, end, now())
      }
    },
    async spent(customer) {
      const { credits_used: used, credits_reserved: reserved } = (await customer.ask('/v1/account')).body.data
      return { used, reserved }
    },
    async expectConsistentBooks() {
      expect(await verifyBalances(database)).toEqual([])
      expect(await verifySettlements(database)).toEqual([])
      expect(await verifyLobbyRuns(database)).toEqual([])
    },
  }
}
